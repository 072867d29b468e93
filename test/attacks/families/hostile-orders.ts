import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { makeResultLinks } from '../../../src/http/index.ts';
import { obtainLinkSecret } from '../../../src/keys/index.ts';
import { startCanary } from '../../../src/net/testing/canary.ts';
import { HOSTILE_ADDRESSES } from '../../../src/net/testing/hostile-addresses.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { toLimitMs } from '../patience.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses, makeAgent } from '../polite.ts';
import type { Keyring, Target } from '../target.ts';
import { createKeys } from '../target.ts';
import { toTestAttack } from '../test-attack.ts';
import { readCode } from '../wire.ts';
import { refusedStatistics } from './refused-statistics.ts';

/** Key holders who order what is not theirs, or more than they may have. */
export const hostileOrders: Family = {
  name: 'hostile orders',
  attacks: [
    {
      name: 'metadata that leads elsewhere',
      severity: 'high',
      does: `orders of metadata files at ${HOSTILE_ADDRESSES.length} addresses of the loopback, private networks and clouds, in four forms each, of a server that may read from the loopback`,
      limit: 'only files of the product of the scene: 400, and no connection',
      isQuick: true,
      run: runMetadata,
    },
    {
      name: 'callbacks that lead inside',
      severity: 'high',
      does: `orders with a callback_url at ${HOSTILE_ADDRESSES.length} addresses of the loopback, private networks and clouds, of a server that may call these hosts and ports; the orders that are taken are carried out`,
      limit: '400, or a callback that is not sent: no connection',
      isQuick: true,
      run: runCallbacks,
    },
    toTestAttack('../faults/callbacks/rebinding.slow.test.ts', {
      name: 'DNS rebinding',
      severity: 'high',
      does: 'callbacks to names that a DNS server of the attacker leads outside at first and inside afterwards, by turns, or both at once, in both versions of IP',
      limit:
        'addresses are checked when the connection is made: no connection inside; given up after five attempts',
    }),
    toTestAttack('../faults/callbacks/hostile-receivers.slow.test.ts', {
      name: 'receivers that are not who they say',
      severity: 'high',
      does: 'callbacks to receivers with self-signed, expired, early and wrong-host certificates and at forms of IPv6 loopbacks; messages that are replayed',
      limit:
        'nothing is sent; five attempts, then failed with bad-certificate; 400 for addresses inside; times of messages are signed',
    }),
    {
      name: 'endless orders',
      severity: 'high',
      does: 'one key orders files of a hundred million pixels until it is refused, while another key orders a small one',
      limit:
        '429 at SWATH_TASKS_PER_KEY; keys take turns: the small file is made; DELETE ends tasks and makes room',
      run: runEndlessOrders,
    },
    {
      name: 'forged links',
      severity: 'high',
      does: 'links to a result with another file name, task, time or signature, or with parts of them',
      limit: 'links are signed: the same 404 for all',
      isQuick: true,
      run: runForgedLinks,
    },
    {
      name: 'links of ended keys',
      severity: 'high',
      does: 'a key orders a file and is revoked; another one expires; their links and those past their own time are used, whole and in ranges',
      limit: 'links end with their key: 410 link-revoked; expired ones are 410 link-expired',
      isQuick: true,
      run: runEndedLinks,
    },
    refusedStatistics,
    toTestAttack('../../src/http/tasks/tasks.test.ts', {
      name: 'tasks of other keys',
      severity: 'high',
      does: 'every route of tasks with no key, a wrong one, that of another caller and one that may only read',
      limit: '401, 403, or 404 as for a task that does not exist',
      only: 'tenancy',
    }),
  ],
};

/** A server is asked as one caller, one request after the other. */
const makeCaller = (server: Target, key: string, agent = makeAgent(undefined, 1)) => ({
  close: () => agent.destroy(),
  get: (path: string) => ask(server, path, { key, agent }),
  remove: (path: string) => ask(server, path, { method: 'DELETE', key, agent }),
  order: (type: string, params: object, more: object = {}) =>
    ask(server, '/api', {
      method: 'POST',
      key,
      agent,
      body: JSON.stringify({ type, params: { view_id: DEMO_SCENE.viewId, ...params }, ...more }),
    }),
});

const readField = ({ body }: PoliteAnswer, name: string): string =>
  String((JSON.parse(body.toString()) as Record<string, unknown>)[name]);

async function runMetadata({ start, defer, keys }: AttackContext): Promise<Sight> {
  const canary = await startCanary();
  defer(() => canary.stop());
  const folder = mkdtempSync(join(tmpdir(), 'swath-sources-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  // As open as it can be set: what an order could reach, it would.
  const sources = {
    hosts: ['*.example', 'localhost', '127.0.0.1', '127.0.0.2', '0.0.0.0', '[::1]'],
    allowHttp: true,
    ports: [canary.port, 80, 443],
    privateNetworks: ['0.0.0.0/0', '::/0'],
  };
  const path = join(folder, 'sources.json');
  writeFileSync(path, JSON.stringify(sources), { mode: 0o600 });
  const server = await start({ env: { SWATH_SOURCES: path, SWATH_WRITES_PER_MINUTE: '0' } });
  const caller = makeCaller(server, keys.marked);
  const urls = HOSTILE_ADDRESSES.flatMap((address) => {
    const url = address.replaceAll('PORT', String(canary.port));
    return [url, `${url.replace(/\/+$/, '')}/metadata.xml`, `${url}?metadata.xml`, `${url}#metadata.xml`];
  });
  const answers: PoliteAnswer[] = [];
  for (const url of [
    ...urls,
    '../../server.lock',
    '/etc/passwd',
    'file:///etc/hosts.xml',
    's3://other/x.xml',
  ]) {
    answers.push(await caller.order('lbe', { bands: ['B04', 'B03'], metadata: [{ label: 'x', url }] }));
  }
  const own = await caller.order('lbe', {
    bands: ['B04', 'B03'],
    metadata: [{ label: 'x', url: 'S2B_10UEU_20260621_1_L2A.json' }],
  });
  caller.close();
  const codes = countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`));
  return judge(
    `${answers.length} orders: ${codes}; ${canary.connections} connections; its own file ${own.status} ${readCode(own.body)}`,
    {
      'all are 400': answers.every(({ status }) => status === 400),
      'no connection': canary.connections === 0,
      'the metadata of the scene itself': own.status === 202,
    },
  );
}

async function runCallbacks({ start, defer, keys }: AttackContext): Promise<Sight> {
  const canary = await startCanary();
  defer(() => canary.stop());
  // As open as it can be set without private networks.
  const hosts = ['*.example', 'localhost', '127.0.0.1', '127.0.0.2', '0.0.0.0', '[::1]'];
  const server = await start({
    env: {
      SWATH_CALLBACK_HOSTS: hosts.map((host) => `${host}:${canary.port}`).join(' '),
      SWATH_WRITES_PER_MINUTE: '0',
    },
  });
  const caller = makeCaller(server, keys.marked);
  const answers: PoliteAnswer[] = [];
  for (const address of HOSTILE_ADDRESSES.filter((row) => row !== '')) {
    const callback_url = address.replaceAll('PORT', String(canary.port));
    answers.push(await caller.order('bandmath', SMALL, { callback_url }));
  }
  const taken = answers.filter(({ status }) => status === 202).map((answer) => readField(answer, 'task_id'));
  const states = new Map<string, string>();
  await waitFor(
    async () => {
      for (const id of taken.filter((one) => !states.has(one))) {
        const { callback } = JSON.parse((await caller.get(`/api/${id}`)).body.toString()) as {
          callback: { state: string; last_error: string };
        };
        if (callback.state !== 'waiting') states.set(id, `${callback.state} ${callback.last_error}`);
      }
      return states.size === taken.length;
    },
    toLimitMs(120_000, server),
  );
  caller.close();
  const codes = countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`));
  const ends = countStatuses([...states.values()]);
  return judge(`${answers.length} orders: ${codes}; ${ends}; ${canary.connections} connections`, {
    'all are 400 or taken': answers.every(({ status }) => status === 400 || status === 202),
    'only names are taken': taken.length < 25,
    'none is delivered': [...states.values()].every((state) => state.startsWith('retrying')),
    'no connection': canary.connections === 0,
  });
}

const LIMIT = 5;
const LONG = { bm_type: 'B04,B03,B02', px_size: 0.6, format: 'png' };
const SMALL = { bm_type: 'NDVI', bbox: [-122.41, 48.22, -122.4, 48.225] };

async function runEndlessOrders({ start }: AttackContext): Promise<Sight> {
  let keys: Keyring | null = null;
  const server = await start({
    env: { SWATH_TASKS_PER_KEY: String(LIMIT) },
    async prepare(dataDir) {
      keys = await createKeys(dataDir);
    },
  });
  const { alice, bob } = keys as unknown as Keyring;
  const [greedy, modest] = [makeCaller(server, alice), makeCaller(server, bob)];
  const answers: PoliteAnswer[] = [];
  for (let n = 0; n < 3 * LIMIT; n++)
    answers.push(await greedy.order('jpeg', { ...LONG, reference: String(n) }));
  const taken = answers.filter(({ status }) => status === 202).map((answer) => readField(answer, 'task_id'));
  const refused = answers.filter(({ status }) => status !== 202);
  const small = await modest.order('bandmath', SMALL);
  const id = small.status === 202 ? readField(small, 'task_id') : '';
  const startedMs = performance.now();
  const isMade = await waitFor(async () => (await modest.get(`/api/${id}`)).status === 303, 15_000, 100).then(
    () => true,
    () => false,
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  const removed = await Promise.all(taken.map((task) => greedy.remove(`/api/${task}`)));
  const again = await greedy.order('jpeg', LONG);
  if (again.status === 202) await greedy.remove(`/api/${readField(again, 'task_id')}`);
  greedy.close();
  modest.close();
  const codes = countStatuses(refused.map(({ status, body }) => `${status} ${readCode(body)}`));
  const saw = `${taken.length} tasks, then ${codes}; the file of the other key after ${seconds.toFixed(1)} s; DELETE ${countStatuses(removed.map(({ status }) => status))}, then ${again.status}`;
  return judge(saw, {
    'a limit per key': taken.length === LIMIT,
    '429 with Retry-After': refused.every(
      ({ status, headers, body }) =>
        status === 429 && Number(headers['retry-after']) > 0 && readCode(body) === 'too-many-tasks',
    ),
    'others are served': isMade,
    'DELETE makes room': removed.every(({ status }) => status === 204) && again.status === 202,
  });
}

async function runEndedLinks({ start }: AttackContext): Promise<Sight> {
  let keys: Keyring | null = null;
  const server = await start({
    async prepare(dataDir) {
      keys = await createKeys(dataDir);
    },
  });
  const { alice, bob, carol } = keys as unknown as Keyring;
  const toLink = async (key: string): Promise<string> => {
    const caller = makeCaller(server, key);
    const id = readField(await caller.order('bandmath', SMALL), 'task_id');
    let poll = await caller.get(`/api/gdw/api/${id}`);
    while (poll.status === 200) poll = await caller.get(`/api/gdw/api/${id}`);
    caller.close();
    const { pathname, search } = new URL(poll.headers.location ?? '', server.url);
    return `${pathname}${search}`;
  };
  const [revoked, expired, kept] = [await toLink(alice), await toLink(bob), await toLink(carol)];
  const [, , , id = '', fileName = ''] = kept.split('?')[0]?.split('/') ?? [];
  const store = openSqliteStore(server.dataDir);
  const secret = await obtainLinkSecret(store.secrets, 'result-links');
  const past = makeResultLinks({ secret }).sign(
    { id, fileName: decodeURIComponent(fileName) },
    Date.now() - 1_000,
  );
  const before = await Promise.all([revoked, expired, kept, past].map((link) => ask(server, link)));
  const records = await store.keys.list();
  const idOf = (label: string): string => records.find((record) => record.label === label)?.id ?? '';
  await store.keys.revoke(idOf('alice'), new Date().toISOString());
  await store.close();
  const database = new DatabaseSync(join(server.dataDir, 'swath.db'));
  database.exec('PRAGMA busy_timeout = 10000');
  database
    .prepare('UPDATE keys SET expires_at = ? WHERE id = ?')
    .run(new Date(Date.now() - 1_000).toISOString(), idOf('bob'));
  database.close();
  const after = await Promise.all([
    ask(server, revoked),
    ask(server, revoked, { headers: { range: 'bytes=0-9' } }),
    ask(server, revoked, { method: 'HEAD' }),
    ask(server, expired),
    ask(server, kept),
    ask(server, past),
  ]);
  const toCodes = (answers: readonly PoliteAnswer[]): string =>
    answers.map(({ status, body }) => `${status} ${readCode(body)}`.trim()).join(', ');
  const [seen, end] = [toCodes(before), toCodes(after)];
  return judge(`before: ${seen}; after: ${end}`, {
    'links of valid keys work until they expire': seen === '200, 200, 200, 410 link-expired',
    'links end with their key':
      end === '410 link-revoked, 410 link-revoked, 410, 410 link-revoked, 200, 410 link-expired',
  });
}

async function runForgedLinks({ server, keys }: AttackContext): Promise<Sight> {
  const caller = makeCaller(server, keys.alice);
  const [one, other] = [await caller.order('bandmath', SMALL), await caller.order('jpeg', SMALL)];
  const toLink = async (answer: PoliteAnswer): Promise<URL> => {
    const path = `/api/gdw/api/${readField(answer, 'task_id')}`;
    let poll = await caller.get(path);
    while (poll.status === 200) poll = await caller.get(path);
    return new URL(poll.headers.location ?? '', server.url);
  };
  const [link, second] = [await toLink(one), await toLink(other)];
  const read = (url: string): Promise<PoliteAnswer> => ask(server, url.slice(link.origin.length));
  const [, , , id = '', name = ''] = link.pathname.split('/');
  const expires = link.searchParams.get('expires') ?? '';
  const signature = link.searchParams.get('signature') ?? '';
  const later = String(Number(expires) + 1);
  const forged = [
    link.href.replace(name, 'other.TIF'),
    link.href.replace(id, second.pathname.split('/')[3] ?? ''),
    link.href.replace(expires, later),
    link.href.replace(expires, `0${expires}`),
    link.href.replace(expires, `${expires}.0`),
    link.href.replace(expires, ''),
    link.href.replace(signature, ''),
    link.href.replace(signature, second.searchParams.get('signature') ?? ''),
    link.href.replace(signature, signature.toLowerCase()),
    link.href.replace(signature, `${signature}=`),
    link.href.replace(signature, signature.slice(1)),
    `${link.origin}${link.pathname}`,
    `${link.origin}${link.pathname}?expires=${expires}`,
    `${link.origin}/api/results/..%2f${id}/${name}${link.search}`,
    `${link.origin}/api/results/${id}.1/${name}${link.search}`,
  ];
  const answers = await Promise.all(forged.map(read));
  const right = await read(link.href);
  caller.close();
  const codes = countStatuses(answers.map(({ status, body }) => `${status} ${readCode(body)}`));
  return judge(`${forged.length} forged links: ${codes}; the right one ${right.status}`, {
    'all are 404': answers.every(({ status, body }) => status === 404 && readCode(body) === 'unknown-result'),
    'the right one works': right.status === 200,
  });
}
