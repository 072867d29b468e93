import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FAKE_BUCKET, startFakeS3 } from '../../../src/sources/testing/fake-s3.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { startPostgres } from '../../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../support/demo-grid.ts';
import { mountTmpfs } from '../../support/mounts.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../../support/start-swath.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { SMALL_ORDERS } from './orders.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

function makeClient({ url, process: child, output }: RunningSwath) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { 'x-api-key': SERVICE_KEY } });
  return {
    ask,
    /** Orders a file; its task id. */
    async order(type: string, params: object): Promise<string> {
      const response = await ask('/api', { method: 'POST', body: JSON.stringify({ type, params }) });
      const body = (await response.json()) as { task_id: string };
      assert.equal(response.status, 202, JSON.stringify(body));
      return body.task_id;
    },
    /** Waits until a task is over: the bytes of its file, or the code of its failure. */
    async end(id: string): Promise<number | string> {
      for (;;) {
        assert.equal(child.exitCode, null, output());
        const response = await ask(`/api/gdw/api/${id}`).catch(() => null);
        if (response?.status === 303) {
          const file = await fetch(response.headers.get('location') ?? '');
          return (await file.arrayBuffer()).byteLength;
        }
        const body = (await response?.json().catch(() => null)) as Record<string, string> | null;
        if (body?.task_type === 'error') return body.error_status ?? 'unknown';
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** Tasks are polled every 50 ms here. */
const ENV = { ...ONE_THREAD, SWATH_STATISTICS_PER_MINUTE: '0' } as const;

const [SMALL] = SMALL_ORDERS;
assert.ok(SMALL);
const order = { type: SMALL.type, params: SMALL.params };
/** The whole scene: some megabytes. */
const WHOLE = { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI,B04,B03,B02' };

test('on a full disk the task fails with that reason, tiles are served, and nothing is left of the file', async (t) => {
  const disk = mountTmpfs('size=256m');
  if (disk === null) return t.skip('no right to mount a tmpfs here');
  const demo = await makeDemoData();
  made.push(demo);
  cpSync(demo, disk.directory, { recursive: true });
  const swath = await startSwath({ dataDir: disk.directory, env: ENV });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, order: send, end } = makeClient(swath);
  const before = await end(await send(order.type, order.params));
  assert.equal(typeof before, 'number');
  const filler = join(disk.directory, 'filler');
  const { bfree, bsize } = statfsSync(disk.directory);
  // The store has room for its rows, the file has not.
  writeFileSync(filler, Buffer.alloc(bfree * bsize - 2 ** 20));
  assert.equal(await end(await send('bandmath', WHOLE)), 'no-space');
  const [tile] = listDemoTiles(await readDemoGrid(disk.directory), 14).inside;
  assert.equal((await ask(`/api/render/${DEMO_SCENE.viewId}/B04/${tile}`)).status, 200);
  rmSync(filler);
  assert.equal(
    typeof (await end(await send('bandmath', WHOLE))),
    'number',
    'the same order again is another task',
  );
  assert.equal(await swath.stop(), 0);
  const { stdout } = await runSwath(['tasks', 'list', '--json'], { SWATH_DATA: disk.directory });
  assert.deepEqual(
    (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state),
    ['finished', 'failed', 'finished'],
  );
});

test('if the database becomes unavailable, acknowledged tasks are done when it is back', async (t) => {
  const cluster = await startPostgres();
  if (cluster === null) return t.skip('no PostgreSQL here');
  t.after(() => cluster.stop());
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const direct = { SWATH_DATA: dataDir, SWATH_DATABASE_URL: cluster.url };
  assert.equal((await runSwath(['ingest', 'folder', dataDir], direct)).status, 0);
  const proxy = await startTcpProxy(Number(new URL(cluster.url).port));
  t.after(() => proxy.close());
  const url = new URL(cluster.url);
  url.port = String(proxy.port);
  // After which it counts as silent; a slow machine connects in that time.
  url.searchParams.set('connect_timeout', '20');
  const env = { ...ENV, SWATH_DATABASE_URL: url.href, SWATH_TASK_LEASE_MS: '60000' };
  const swath = await startSwath({ dataDir, env });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, order: send, end } = makeClient(swath);
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push(await send(order.type, { ...order.params, reference: `r${i}` }));
  proxy.freeze();
  const refused = await ask('/api', { method: 'POST', body: JSON.stringify(order) });
  assert.equal(refused.status, 503);
  proxy.heal();
  const sizes = await Promise.all(ids.map(end));
  assert.equal(new Set(sizes).size, 1, `${sizes}`);
  assert.equal(typeof sizes[0], 'number');
  assert.equal(await swath.stop(), 0);
});

test('if the bucket becomes unavailable, the task is retried, and finishes when it is back', async (t) => {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const bucket = await startFakeS3();
  t.after(() => bucket.stop());
  const folder = mkdtempSync(join(tmpdir(), 'swath-sources-'));
  made.push(folder);
  const sources = join(folder, 'sources.json');
  writeFileSync(
    sources,
    JSON.stringify({ privateNetworks: bucket.network.privateNetworks, s3: bucket.network.s3 }),
  );
  const swath = await startSwath({
    dataDir,
    env: { ...ENV, SWATH_SOURCES: sources, SWATH_RESULTS: `s3://${FAKE_BUCKET}/tasks` },
  });
  t.after(() => swath.stop('SIGKILL'));
  const { order: send, end } = makeClient(swath);
  const size = await end(await send(order.type, order.params));
  assert.equal(typeof size, 'number');
  let failures = 0;
  bucket.fault = () => {
    failures += 1;
    return { status: 503 };
  };
  const id = await send(order.type, { ...order.params, reference: 'while it is away' });
  await waitFor(() => failures > 0);
  bucket.fault = () => null;
  assert.equal(await end(id), size);
  assert.equal(await swath.stop(), 0);
});
