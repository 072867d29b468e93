import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let cluster: PostgresCluster | null = null;
let dataDir = '';
let tile = '';
before(async () => {
  cluster = await startPostgres();
  if (cluster === null) return;
  dataDir = await makeDemoData();
  const [inside] = listDemoTiles(await readDemoGrid(dataDir), 14).inside;
  tile = `/api/render/${DEMO_SCENE.viewId}/B04/${inside}`;
  const [from, to] = [openSqliteStore(dataDir), await openPostgresStore(cluster.url)];
  const scenes: NewScene[] = [];
  for await (const scene of from.scenes.list()) scenes.push(scene);
  await to.scenes.putMany(scenes);
  await Promise.all([from.close(), to.close()]);
});
after(() => {
  cluster?.stop();
  if (dataDir !== '') rmSync(dataDir, { recursive: true });
});

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 1],
    ],
  ],
};

function makeClient(url: string) {
  const ask = async (path: string, { key = SERVICE_KEY, ...init }: RequestInit & { key?: string } = {}) => {
    const startedMs = performance.now();
    const response = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key } });
    const isJson = response.headers.get('content-type') === 'application/json';
    const body = isJson ? ((await response.json()) as Record<string, unknown>) : null;
    if (!isJson) await response.arrayBuffer();
    return { status: response.status, headers: response.headers, body, ms: performance.now() - startedMs };
  };
  const post = (path: string, body: unknown, key = SERVICE_KEY) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), key });
  return {
    ask,
    search: (key?: string) => post(`/api/lms/search/v2/${DEMO_SCENE.dataset}`, { search: {} }, key),
    store: (name: string) =>
      post('/api/render/cropper', { type: 'Feature', properties: { name }, geometry: AREA }),
    isWell: async () => {
      const { body } = await ask('/readyz');
      return body?.ready === true && body.degraded === false;
    },
  };
}

type Answer = Awaited<ReturnType<ReturnType<typeof makeClient>['ask']>>;

function assertAway({ status, body, headers }: Answer, what: string): void {
  assert.deepEqual([status, body?.code], [503, 'store-unavailable'], what);
  assert.ok(Number(headers.get('retry-after')) >= 1, what);
}

const countFailures = (output: string): number => output.split('"the store fails"').length - 1;

test('if PostgreSQL is stopped, maps continue for a while, the rest is 503 at once; everything recovers when it is back', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  // Without caches of look-ups, so that only what is remembered for an outage can answer.
  const env = { SWATH_DATABASE_URL: cluster.url, SWATH_DATA: dataDir, SWATH_STORE_CACHE_MS: '0' };
  const swath = await startSwath({ dataDir, env: { ...env, ...ONE_THREAD } });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, search, store, isWell } = makeClient(swath.url);
  const [key, idle] = await Promise.all(
    [1, 2].map(async () => (await runSwath(['keys', 'create'], env)).stdout.trim()),
  );
  const ref = (await store('before')).body?.cropper_ref as string;
  const pictures = [tile, `${tile}?cropper_ref=${ref}`];
  for (const path of pictures) assert.equal((await ask(path, { key: key! })).status, 200);
  const storing = await store('quick');
  assert.equal(storing.status, 200);
  assert.equal((await search(key)).body?.code, undefined);
  assert.ok(await isWell());

  cluster.halt();
  for (const path of pictures) {
    const { status } = await ask(path, { key: key! });
    assert.equal(status, 200, `${path}: key, scene, contrast and area were read lately`);
  }
  assert.equal((await ask(tile)).status, 200, 'the configured key needs no database');
  const others = { search: search(key), idle: ask(tile, { key: idle! }), wrong: ask(tile, { key: 'wrong' }) };
  for (const [what, asked] of Object.entries(others)) assertAway(await asked, what);
  const refusedMs: number[] = [];
  for (let i = 0; i < 20; i++) {
    const refused = await store('meanwhile');
    assertAway(refused, 'a write');
    refusedMs.push(refused.ms);
  }
  // Most of them, because a busy machine may hold up any single one, and a slow one holds up all.
  const atOnceMs = 3_000 + 20 * storing.ms;
  assert.ok(refusedMs.filter((ms) => ms < atOnceMs).length > 10, `${refusedMs}, not ${atOnceMs} ms`);
  const ready = await ask('/readyz');
  const { checks, ...state } = ready.body as { readonly checks: Record<string, string> };
  // Whether a look at the places of scenes has ended before is a matter of time.
  assert.deepEqual(
    [ready.status, { ...checks, files: 'ok' }, { ...state, unreached_places: 0 }],
    [
      200,
      { store: 'failed', writes: 'failed', pool: 'ok', files: 'ok' },
      { ready: true, degraded: true, waiting: null, unreached_places: 0 },
    ],
  );
  const { status, stderr } = await runSwath(['keys', 'list'], env);
  assert.equal(status, 1);
  assert.match(stderr, /^swath: PostgreSQL at [\w.:/]+ does not answer \(ECONNREFUSED\).*\n$/);
  await waitFor(() => countFailures(swath.output()) > 0);
  assert.equal(countFailures(swath.output()), 1, 'one line for many failures');

  cluster.restart();
  await waitFor(isWell);
  await swath.printed(/the store works again/);
  assert.equal((await store('afterwards')).status, 200);
  assert.equal((await search(key)).status, 200);
  assert.equal((await ask(tile, { key: 'wrong' })).status, 403);
  // What is remembered for an outage changes nothing while there is none.
  const [{ id = '' } = {}] = JSON.parse((await runSwath(['keys', 'list', '--json'], env)).stdout) as {
    id: string;
  }[];
  await runSwath(['keys', 'revoke', id], env);
  const answers = await Promise.all([key, idle].map((one) => ask(tile, { key: one! })));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 403]);
  assert.equal(await swath.stop(), 0);
});

test('if PostgreSQL goes silent, no request waits longer than a few seconds, and later ones not at all', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const url = new URL(cluster.url);
  const proxy = await startTcpProxy(Number(url.port));
  t.after(() => proxy.close());
  url.port = String(proxy.port);
  // After which it counts as silent; a slow machine connects in that time.
  url.searchParams.set('connect_timeout', '10');
  const env = { SWATH_DATABASE_URL: url.href, ...ONE_THREAD };
  const swath = await startSwath({ dataDir, env });
  t.after(() => swath.stop('SIGKILL'));
  const { search, store, isWell } = makeClient(swath.url);
  assert.equal((await search()).status, 200);
  const searching = await search();

  proxy.freeze();
  const first = await Promise.all([search(), store('silent'), search()]);
  for (const answer of first) {
    assertAway(answer, 'the first ones');
    // Two seconds of silence, and two of a probe; the rest is a busy machine, or a slow one.
    assert.ok(answer.ms < 30_000 + 20 * searching.ms, `${answer.ms} ms`);
  }
  // The best of ten, because a busy machine may hold up any single one, and a slow one holds up all.
  const atOnceMs = 1_000 + 20 * searching.ms;
  const laterMs: number[] = [];
  for (let i = 0; i < 10 && !laterMs.some((ms) => ms < atOnceMs); i++) {
    const later = await search();
    assertAway(later, 'a later one');
    laterMs.push(later.ms);
  }
  assert.ok(Math.min(...laterMs) < atOnceMs, `${laterMs}, not ${atOnceMs} ms`);

  proxy.heal();
  await waitFor(isWell);
  assert.equal((await store('again')).status, 200);
  assert.equal((await search()).status, 200);
  proxy.freeze();
  assert.equal(await swath.stop(), 0, 'a silent database does not keep it from stopping');
});
