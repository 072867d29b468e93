/** One cluster: whose things its nodes show, what goes on without PostgreSQL and without the bucket, and the short form of `npm run cluster`. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitFor, whenHolds } from '../../src/testing/wait-for.ts';
import { SMALL_ORDERS } from '../faults/tasks/orders.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { runSwath, SERVICE_KEY } from '../support/start-swath.ts';
import { makeTaskClient } from '../support/task-client.ts';
import type { Cluster } from './cluster.ts';
import type { Receiver } from './receiver.ts';
import { startReceiver } from './receiver.ts';
import { runCluster, startNodes, toTable } from './run-cluster.ts';

/** Requests of a key that only reads, per day: more than a node admits until it has heard of those of the others. */
const PER_DAY = 200;
/** The rate of a key, per minute. */
const PER_MINUTE = 20;
const [ORDER = assert.fail()] = SMALL_ORDERS;
const NO_POSTGRES = 'PostgreSQL is not installed here';

let receiver: Receiver;
let cluster: Cluster | null = null;
let tiles: readonly string[] = [];
before(async () => {
  receiver = await startReceiver();
  const limits = { SWATH_RECIPES_PER_KEY: '2', SWATH_REQUESTS_PER_DAY: `read=${PER_DAY}` };
  cluster = await startNodes(receiver, limits);
  if (cluster !== null) tiles = listDemoTiles(await readDemoGrid(cluster.sceneDir), 14).inside;
});
after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Asks a node, with a key of its user. */
async function ask(
  url: string,
  path: string,
  { key = SERVICE_KEY, method = 'GET', body = null as unknown } = {},
) {
  const response = await fetch(`${url}${path}`, {
    method: body === null ? method : 'POST',
    body: body === null ? null : JSON.stringify(body),
    headers: { 'x-api-key': key },
    redirect: 'manual',
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const json = isJson ? (JSON.parse(String(bytes)) as Record<string, unknown>) : {};
  return { status: response.status, bytes, json, retryAfter: Number(response.headers.get('retry-after')) };
}

const SEARCH = `/api/lms/search/v2/${DEMO_SCENE.dataset}`;
const toTile = (bands: string, tile: string | undefined): string =>
  `/api/render/${DEMO_SCENE.viewId}/${bands}/${tile}`;
const toOrder = (reference: string) => ({ type: ORDER.type, params: { ...ORDER.params, reference } });
const toUrls = ({ nodes }: Cluster, role: 'api' | 'worker' = 'api') =>
  nodes.filter((node) => node.role === role).map(({ url }) => url) as [string, string, string];

test('everything that one machine has made or ingested is on every node: the demo, its terrain, stations, tile matrix sets', async (t) => {
  if (cluster === null) return t.skip(NO_POSTGRES);
  const machine = `${cluster.sceneDir}.machine`;
  mkdirSync(machine, { mode: 0o700 });
  t.after(() => rmSync(machine, { recursive: true, force: true }));
  const table = join(machine, 'farm.csv');
  writeFileSync(table, 'date,tmin,tmax\n2026-05-01,4,14\n2026-05-02,5,15\n');
  const place = ['--latitude', '10', '--longitude', '10'];
  const ingested = await runSwath(['ingest', 'weather', table, '--name', 'farm', ...place], {
    ...cluster.settings,
    SWATH_DATA: machine,
  });
  assert.equal(ingested.status, 0, ingested.stderr);
  rmSync(machine, { recursive: true });
  const days = {
    geometry: { type: 'Point', coordinates: [10, 10] },
    start_date: '2026-05-01',
    end_date: '2026-05-02',
  };
  for (const url of toUrls(cluster)) {
    const history = await ask(url, '/weather/forecast-history', { body: days });
    assert.match(String(history.bytes), /"temperature_min": ?4\b/, `${history.status} ${history.bytes}`);
    const sensors = await ask(url, '/api/sensors');
    assert.equal(sensors.json.demo, true);
    const height = await ask(url, '/api/render/terrain/point/48.22/-122.41');
    assert.equal(height.status, 200, String(height.bytes));
    assert.equal((await ask(url, '/ogc/tileMatrixSets/Mine')).status, 200);
    assert.equal((await ask(url, toTile('B04', tiles[0]))).status, 200);
  }
});

test('a key sees its own objects on every node, and those of other keys on none; limits apply across nodes', async (t) => {
  if (cluster === null) return t.skip(NO_POSTGRES);
  const [one, two, three] = toUrls(cluster);
  // The address of the balancer is not that of a worker.
  for (const { role, url, output } of cluster.nodes)
    assert.equal(output().includes(`${url}/healthz`), role === 'worker', output());
  // A node looks at the places of scenes some time after its start.
  await whenHolds(async () => {
    const { checks, unreached_places: unreached } = (await ask(one, '/readyz')).json;
    assert.deepEqual([(checks as { files: string }).files, unreached], ['ok', 0]);
  });
  const env = { SWATH_DATABASE_URL: cluster.database.url, SWATH_DATA: `${cluster.sceneDir}.keys` };
  t.after(() => rmSync(env.SWATH_DATA, { recursive: true, force: true }));
  const makeKey = async (...options: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await runSwath(['keys', 'create', ...options], env);
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const [key, other, reader, slow] = await Promise.all([
    makeKey(),
    makeKey(),
    makeKey('--role', 'read'),
    makeKey('--rate', String(PER_MINUTE)),
  ]);

  const ordered = await ask(one, '/api', { key, body: toOrder('of a key') });
  assert.equal(ordered.status, 202, String(ordered.bytes));
  const ring = [
    [-122.41, 48.22],
    [-122.4, 48.22],
    [-122.4, 48.225],
    [-122.41, 48.22],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const field = await ask(one, '/api/fields', { key, body: { name: 'Long acre', geometry } });
  const recipe = { name: 'June', scenes: { view_id: DEMO_SCENE.viewId }, bands: 'NDVI' };
  const saved = await ask(one, '/api/recipes', { key, body: recipe });
  const things = [
    `/api/${ordered.json.task_id}`,
    `/api/fields/${field.json.id}`,
    `/api/recipes/${saved.json.id}`,
  ];
  for (const path of things) {
    assert.ok([200, 303].includes((await ask(two, path, { key })).status), path);
    for (const url of [one, two, three])
      for (const method of ['GET', 'DELETE'])
        assert.equal((await ask(url, path, { key: other, method })).status, 404, `${method} ${path}`);
    assert.ok([200, 303].includes((await ask(three, path, { key })).status), `${path} is still there`);
  }
  const lists = [
    ['/api/tasks', 'tasks'],
    ['/api/fields', 'fields'],
    ['/api/recipes', 'recipes'],
  ] as const;
  for (const [path, name] of lists) {
    const [own, foreign] = await Promise.all([key, other].map((who) => ask(two, path, { key: who })));
    const count = (answer: typeof own): number => ((answer?.json[name] ?? []) as readonly unknown[]).length;
    assert.deepEqual([count(own), count(foreign)], [1, 0], `${path} ${own?.bytes}`);
  }

  // What a key stores is counted over nodes, at once.
  const next = (bands: string) => ({ key, body: { ...recipe, bands } });
  assert.equal((await ask(two, '/api/recipes', next('B04'))).status, 201);
  const third = await ask(three, '/api/recipes', next('B08'));
  assert.deepEqual([third.status, third.json.code], [402, 'too-many-recipes']);
  // Requests of a day are, within the seconds in which nodes tell each other.
  const read = async (url: string) => (await ask(url, '/api/recipes', { key: reader })).status;
  for (let n = 0; n < PER_DAY; n += 1) assert.equal(await read(one), 200);
  assert.equal(await read(one), 429);
  let admitted = 0;
  await waitFor(
    async () => {
      const status = await read(two);
      if (status === 200) admitted += 1;
      return status === 429;
    },
    undefined,
    500,
  );
  assert.ok(admitted < PER_DAY, `the second node admitted ${admitted}`);
  // So are requests of a minute, without a question to the database: a tenth of the rate, and what comes in while nodes
  // tell each other, may be beyond. A machine that takes most of the minute tries again in the next one.
  for (let startedMs = 0, isTried = false; !isTried; isTried = performance.now() - startedMs < 50_000) {
    const poll = async (url: string) => (await ask(url, '/api/recipes', { key: slow })).status;
    await waitFor(async () => (await poll(one)) === 200 && (await poll(two)) === 200);
    startedMs = performance.now();
    await Promise.all(Array.from({ length: 2 * PER_MINUTE }, () => poll(one)));
    admitted = 0;
    await waitFor(async () => {
      const status = await poll(two);
      if (status === 200) admitted += 1;
      return status === 429;
    });
  }
  assert.ok(admitted < PER_MINUTE - 1, `the second node admitted ${admitted} more`);
  await makeTaskClient({ url: one }).readFile(await makeTaskClient({ url: one }).order(toOrder('last')));
});

const isWell = async (url: string): Promise<boolean> => {
  const { status, json } = await ask(url, '/readyz');
  return status === 200 && json.degraded === false;
};

test('without PostgreSQL nodes draw what they know and answer the rest with 503; they recover by themselves', async (t) => {
  if (cluster === null) return t.skip(NO_POSTGRES);
  const urls = toUrls(cluster);
  const known = toTile('NDVI', tiles[0]);
  const unknownPart = toTile('NDVI', tiles[1]);
  const pictures = await Promise.all(urls.map((url) => ask(url, known)));
  const client = makeTaskClient(cluster.balancer);
  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => client.order(toOrder(`outage ${n}`))));
  cluster.database.halt();
  for (const url of urls) {
    assert.deepEqual((await ask(url, known)).bytes, pictures[0]?.bytes);
    assert.equal((await ask(url, unknownPart)).status, 200, 'another tile of a known scene');
    for (const [path, body] of [
      [SEARCH, { search: {} }],
      ['/api', toOrder('refused')],
      ['/api/recipes', null],
      [`/api/${ids[0]}`, null],
    ] as const) {
      const { status, json, retryAfter } = await ask(url, path, { body });
      assert.deepEqual([status, json.code, retryAfter >= 1], [503, 'store-unavailable', true], path);
    }
  }
  // Through the balancer too: nodes stay ready for what they can do.
  assert.equal((await ask(cluster.balancer.url, known)).status, 200);
  cluster.database.restart();
  for (const url of [...urls, ...toUrls(cluster, 'worker')]) await waitFor(() => isWell(url));
  assert.equal((await ask(cluster.balancer.url, SEARCH, { body: { search: {} } })).status, 200);
  const files = await Promise.all(ids.map(client.readFile));
  assert.equal(
    new Set(files.map(({ digest }) => digest)).size,
    1,
    'what was acknowledged is done, and right',
  );
});

test('without the bucket nodes search, accept orders and show what they have; they recover by themselves', async (t) => {
  if (cluster === null) return t.skip(NO_POSTGRES);
  const [one, two] = toUrls(cluster);
  const known = toTile('NDVI', tiles[0]);
  const picture = await ask(one, known);
  const client = makeTaskClient(cluster.balancer);
  const made = await client.order(toOrder('before the bucket was lost'));
  const { digest } = await client.readFile(made);
  const link = new URL((await client.ask(`/api/${made}`)).headers.get('location') ?? '');
  const { setBucket } = cluster;
  t.after(() => setBucket(false));
  await setBucket(true);
  assert.deepEqual((await ask(one, known)).bytes, picture.bytes);
  assert.equal((await ask(one, SEARCH, { body: { search: {} } })).status, 200);
  const file = await ask(two, `${link.pathname}${link.search}`);
  assert.deepEqual([file.status, file.retryAfter >= 1], [503, true], String(file.bytes));
  // Bytes that no node has read yet.
  const unread = await ask(two, toTile('B09', tiles[2]));
  assert.deepEqual([unread.status, unread.retryAfter >= 1], [503, true], String(unread.bytes));
  assert.match(String(unread.json.code), /^source-/);
  const ordered = await client.order(toOrder('while the bucket is away'));
  assert.ok(await isWell(one), 'other requests need no bucket');
  await setBucket(false);
  assert.equal((await client.readFile(ordered)).digest, digest);
  assert.equal((await client.readFile(made)).digest, digest);
  await waitFor(async () => (await ask(two, toTile('B09', tiles[2]))).status === 200);
});

test('killed nodes fail only requests in flight, restarted ones none; every task ends once, every picture is correct', async (t) => {
  if (cluster === null) return t.skip(NO_POSTGRES);
  const report = await runCluster(cluster, receiver, {
    seed: 38,
    chaosGoesOn: (events) => events < 2,
    rollingGoesOn: (rounds) => rounds < 1,
    answersBetween: 25,
    clients: { pictures: 2, searches: 1, tasks: 2 },
  });
  assert.deepEqual(report.faults, [], toTable(report));
  assert.ok(report.kills === 2 && report.stops === 5 && report.finished > 9, toTable(report));
});
