/** Two nodes over one PostgreSQL: with shared results as the page on operation starts them, and with results apart. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { SMALL_ORDERS } from '../faults/tasks/orders.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { withClient } from '../ports/postgres-schema.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const page = readFileSync('docs/operate/nodes.md', 'utf8');
const [, RECIPE = ''] = /```sh\n(mkdir [^`]*swath serve &\n)```/.exec(page) ?? [];

let cluster: PostgresCluster | null = null;
/** Stands for /srv/swath of the page. */
const home = mkdtempSync(join(tmpdir(), 'swath-nodes-'));
/** A tile of the scene, as z/x/y. */
let inside = '';
before(async () => {
  cluster = await startPostgres();
  if (cluster === null) return;
  const demo = await makeDemoData();
  mkdirSync(join(home, 'scenes'), { recursive: true });
  cpSync(join(demo, DEMO_SCENE.folder), join(home, 'scenes', 'product'), {
    recursive: true,
    preserveTimestamps: true,
  });
  [inside = ''] = listDemoTiles(await readDemoGrid(demo), 14).inside;
  rmSync(demo, { recursive: true });
});
after(() => {
  cluster?.stop();
  rmSync(home, { recursive: true });
});

/** A line of the recipe: variables, and the command after them. */
function readLine(line: string): { readonly env: Record<string, string>; readonly words: readonly string[] } {
  const words = line.split(' ').filter((word) => word !== '&' && word !== 'export');
  const isVariable = (word: string): boolean => /^[A-Z_]+=/.test(word);
  const env = Object.fromEntries(
    words.filter(isVariable).map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  return { env, words: words.filter((word) => !isVariable(word)) };
}

async function countShared(swath: RunningSwath, outcome: string): Promise<number> {
  const text = await (await fetch(`${swath.url}/metrics`)).text();
  const [, count = '0'] =
    new RegExp(`swath_shared_tiles_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text) ?? [];
  return Number(count);
}

const headers = { 'x-api-key': SERVICE_KEY };

interface OrderExtras {
  readonly traceparent?: string;
  readonly callback_url?: string;
}

async function order(swath: RunningSwath, more: OrderExtras = {}): Promise<string> {
  const { type, params } = SMALL_ORDERS.find(({ name }) => name === 'index') ?? assert.fail();
  const { traceparent, ...fields } = more;
  const body = JSON.stringify({ type, params, ...fields });
  const created = await fetch(`${swath.url}/api`, {
    method: 'POST',
    headers: traceparent === undefined ? headers : { ...headers, traceparent },
    body,
  });
  assert.equal(created.status, 202, await created.clone().text());
  return ((await created.json()) as { task_id: string }).task_id;
}

/** Polls a node until the task is over there, and asks it for the file. */
async function download(swath: RunningSwath, id: string, method = 'GET'): Promise<Response> {
  let location: string | null = null;
  await waitFor(async () => {
    const poll = await fetch(`${swath.url}/api/${id}`, { headers, redirect: 'manual' });
    assert.ok([200, 303].includes(poll.status), await poll.clone().text());
    location = poll.headers.get('location');
    return location !== null;
  });
  return fetch(location ?? '', { method });
}

test('the recipe for one machine starts two nodes; a file that one has made can be downloaded from the other', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const recipe = RECIPE.replaceAll('/srv/swath', home)
    .replace(/postgres:\S+/, cluster.url)
    .replace(/SWATH_PORT=\d+/g, 'SWATH_PORT=0');
  const shared = join(home, 'tiles');
  let exported: Record<string, string> = {
    ...ONE_THREAD,
    SWATH_SHARED_TILES: shared,
    SWATH_LOG: 'warn',
    SWATH_LOG_FORMAT: 'json',
  };
  await using nodes = new AsyncDisposableStack();
  const running: RunningSwath[] = [];
  for (const line of recipe.trim().split('\n')) {
    const { env, words } = readLine(line);
    const [program = '', ...args] = words;
    if (program === 'mkdir') execFileSync('mkdir', args);
    else if (program === '') exported = { ...exported, ...env };
    else if (args[0] === 'serve') {
      const { SWATH_DATA: dataDir = '', ...more } = env;
      running.push(nodes.use(await startSwath({ dataDir, env: { ...exported, ...more } })));
    } else {
      const { status, stderr } = await runSwath(args, { ...exported, ...env });
      assert.equal(status, 0, stderr);
    }
  }
  const [first, second] = running as [RunningSwath, RunningSwath];
  for (const [taken, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const id = await order(taken);
    const file = await download(other, id);
    assert.equal(file.status, 200);
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.ok(bytes.length > 1_000);
    assert.ok(Buffer.from(await (await download(taken, id)).arrayBuffer()).equals(bytes));
  }
  let tile = '';
  let tried = 0;
  // A node draws a tile itself if the shared one takes longer than a request waits: then another tile is tried.
  await waitFor(async () => {
    tried += 1;
    tile = `/api/render/${DEMO_SCENE.viewId}/B04*${tried}/${inside}`;
    const written = await countShared(first, 'written');
    const drawn = await fetch(`${first.url}${tile}`, { headers });
    assert.equal(drawn.status, 200);
    await waitFor(async () => (await countShared(first, 'written')) > written);
    const found = await fetch(`${second.url}${tile}`, { headers });
    assert.deepEqual(Buffer.from(await found.arrayBuffer()), Buffer.from(await drawn.arrayBuffer()));
    return (await countShared(second, 'hits')) === 1;
  });
  assert.equal((await fetch(`${second.url}${tile}`)).status, 401, 'only after the same checks');

  const doctor = await runSwath(['doctor'], { ...exported, SWATH_DATA: join(home, 'node-1') });
  assert.equal(doctor.stdout.match(/ok Running node .* shares it/g)?.length, 2, doctor.stdout);
  assert.match(doctor.stdout, /ok Places +one file of each was opened/);
  assert.equal(await first.stop(), 0);
  assert.equal(await second.stop(), 0);
  assert.doesNotMatch(first.output() + second.output(), /do not share/);
});

test('nodes with separate result stores report both places; a trace follows its task from one node to the other', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  await using collector = await startTraceCollector();
  const env = {
    ...ONE_THREAD,
    SWATH_LOG: 'warn',
    SWATH_DATABASE_URL: cluster.url,
    SWATH_SOURCES: join(home, 'scenes'),
    SWATH_DEMO: 'off',
    SWATH_TRACES: collector.url,
    SWATH_CALLBACK_HOSTS: `127.0.0.1:${collector.port} 127.0.0.0/8`,
  };
  const [one, two] = [join(home, 'apart-1'), join(home, 'apart-2')];
  const ingested = await runSwath(['ingest', 'folder', join(home, 'scenes')], { ...env, SWATH_DATA: one });
  assert.equal(ingested.status, 0, ingested.stderr);
  await using worker = await startSwath({ dataDir: one, env });
  // It takes orders and leaves them to the other one.
  await using api = await startSwath({ dataDir: two, env: { ...env, SWATH_ROLES: 'api' } });
  await api.printed(/do not share their results/);
  const places = [one, two].map((directory) => join(directory, 'results'));
  for (const place of places) assert.ok(api.output().includes(place), api.output());
  const traceId = 'e'.repeat(32);
  const id = await order(api, {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    callback_url: `${collector.url}/hook`,
  });
  assert.equal((await download(worker, id)).status, 200);
  const find = (name: string) =>
    collector.spans.find((span) => span.traceId === traceId && span.name === name);
  // Each node sends its own, in its own time.
  const names = ['POST /api', 'task queue', 'task index', 'run', 'callback'];
  await waitFor(() => names.every((name) => find(name) !== undefined));
  const [ordered, ran, sent] = ['POST /api', 'task index', 'callback'].map(
    (name) => find(name) ?? assert.fail(`no span ${name}: ${collector.spans.map((span) => span.name)}`),
  );
  assert.notEqual(ordered?.instance, ran?.instance);
  assert.equal(ran?.parentSpanId, ordered?.spanId);
  assert.ok(find('task queue') !== undefined && find('run') !== undefined);
  assert.deepEqual(collector.others, [`00-${traceId}-${sent?.spanId}-01`]);
  for (const method of ['GET', 'HEAD']) {
    const refused = await download(api, id, method);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
    if (method === 'HEAD') continue;
    assert.equal(((await refused.json()) as { code: string }).code, 'result-on-another-node');
  }
  // The settings of a node that cannot read the scenes.
  const doctor = await runSwath(['doctor'], { ...env, SWATH_SOURCES: one, SWATH_DATA: two });
  assert.equal(doctor.status, 1);
  assert.match(doctor.stdout, /!! Place +cannot read scenes in .*SWATH_SOURCES must name them/);
  assert.match(
    doctor.stdout,
    /!! Running node .* stores results in .*apart-1\/results, apart from this place/,
  );
});

test('of nodes that start concurrently on an empty database, one creates the first key and one the demo', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const { store, url, drop } = await openEmpty(cluster.url);
  t.after(drop);
  const start = (name: string) =>
    startSwath({
      dataDir: join(home, name),
      env: { ...ONE_THREAD, SWATH_DATABASE_URL: url, SWATH_DEMO: 'small', SWATH_API_KEY: '' },
    });
  await using nodes = new AsyncDisposableStack();
  const running = await Promise.all(['at-once-1', 'at-once-2'].map(start));
  for (const node of running) nodes.use(node);
  const output = () => running.map((node) => node.output()).join('\n');
  await waitFor(() => /The demo world (is ready|could not)/.test(output()));
  assert.equal(output().match(/The demo world is ready: 1 scene/g)?.length, 1, output());
  assert.equal((await store.keys.list()).length, 1, output());
  assert.equal(await store.scenes.count(), 1);
  const made = ['at-once-1', 'at-once-2'].filter((name) => existsSync(join(home, name, 'demo')));
  assert.equal(made.length, 1, 'one of them has its files');
});

/** A database of its own: the other tests have filled theirs. */
async function openEmpty(url: string) {
  const own = new URL(url);
  own.pathname = '/at_once';
  const run = (statement: string) => withClient(url, 'public', (client) => client.query(statement));
  await run('CREATE DATABASE at_once');
  const store = await openPostgresStore(own.href);
  return {
    store,
    url: own.href,
    async drop() {
      await store.close();
      await run('DROP DATABASE at_once WITH (FORCE)');
    },
  };
}
