/** Two nodes over one PostgreSQL: with shared results as the page on operation starts them, and with results apart. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { SMALL_ORDERS } from '../faults/tasks/orders.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const page = readFileSync('docs/operate/nodes.md', 'utf8');
const [, RECIPE = ''] = /```sh\n(mkdir [^`]*swath serve &\n)```/.exec(page) ?? [];

let cluster: PostgresCluster | null = null;
/** Stands for /srv/swath of the page. */
const home = mkdtempSync(join(tmpdir(), 'swath-nodes-'));
before(async () => {
  cluster = await startPostgres();
  if (cluster === null) return;
  const demo = await makeDemoData();
  mkdirSync(join(home, 'scenes'), { recursive: true });
  cpSync(join(demo, DEMO_SCENE.folder), join(home, 'scenes', 'product'), {
    recursive: true,
    preserveTimestamps: true,
  });
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

const headers = { 'x-api-key': SERVICE_KEY };

async function order(swath: RunningSwath): Promise<string> {
  const { type, params } = SMALL_ORDERS.find(({ name }) => name === 'index') ?? assert.fail();
  const body = JSON.stringify({ type, params });
  const created = await fetch(`${swath.url}/api`, { method: 'POST', headers, body });
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

test('the recipe for one machine starts two nodes; what one has made is downloaded at the other', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const recipe = RECIPE.replaceAll('/srv/swath', home)
    .replace(/postgres:\S+/, cluster.url)
    .replace(/SWATH_PORT=\d+/g, 'SWATH_PORT=0');
  let exported: Record<string, string> = { ...ONE_THREAD, SWATH_LOG: 'warn', SWATH_LOG_FORMAT: 'json' };
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
  const doctor = await runSwath(['doctor'], { ...exported, SWATH_DATA: join(home, 'node-1') });
  assert.equal(doctor.stdout.match(/ok Running node .* shares it/g)?.length, 2, doctor.stdout);
  assert.equal(await first.stop(), 0);
  assert.equal(await second.stop(), 0);
  assert.doesNotMatch(first.output() + second.output(), /do not share/);
});

test('nodes that store results apart say so with both places, and answer with a code of its own', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const env = {
    ...ONE_THREAD,
    SWATH_LOG: 'warn',
    SWATH_DATABASE_URL: cluster.url,
    SWATH_SOURCES: join(home, 'scenes'),
    SWATH_DEMO: 'off',
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
  const id = await order(api);
  assert.equal((await download(worker, id)).status, 200);
  for (const method of ['GET', 'HEAD']) {
    const refused = await download(api, id, method);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
    if (method === 'HEAD') continue;
    assert.equal(((await refused.json()) as { code: string }).code, 'result-on-another-node');
  }
  const doctor = await runSwath(['doctor'], { ...env, SWATH_DATA: two });
  assert.equal(doctor.status, 1);
  assert.match(
    doctor.stdout,
    /!! Running node .* stores results in .*apart-1\/results, apart from this place/,
  );
});
