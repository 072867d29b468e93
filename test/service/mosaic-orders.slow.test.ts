import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { makeDemoData } from '../support/demo-data.ts';
import { listLiveFiles } from '../support/live-files.ts';
import { ONE_THREAD, startSwath } from '../support/start-swath.ts';
import { isStaged, makeTaskClient } from '../support/task-client.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

async function makeData(): Promise<string> {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  return dataDir;
}

/** A mosaic of so fine pixels, in blocks of 512: at 2 m some twenty of them. */
const orderOf = (pxSize: number, reference: string) => ({
  type: 'bandmath',
  params: {
    mosaic: { sensors: 'S2L2A', period: '2026-06', selection: 'median', feather: 0 },
    bm_type: 'NDVI',
    bbox: [-122.44, 48.2, -122.38, 48.24],
    px_size: pxSize,
    reference,
  },
});

/** A worker that is silent for so long has died. */
const env = { ...ONE_THREAD, SWATH_TASK_LEASE_MS: '2000' };

const listResults = (dataDir: string): readonly string[] =>
  listLiveFiles(join(dataDir, 'results')).map((path) => basename(path));

test('a mosaic that is cancelled midway leaves no file, and its threads continue with the next order', async (t) => {
  const dataDir = await makeData();
  const swath = await startSwath({ dataDir, env });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, poll, order, waitForProgress, readFile } = makeTaskClient(swath);
  const id = await order(orderOf(0.4, 'long'));
  await waitForProgress(id);
  assert.ok(isStaged(dataDir));
  assert.equal((await ask(`/api/${id}`, { method: 'DELETE' })).status, 204);
  await waitFor(() => !isStaged(dataDir));
  const { task_type: type, error_status: status } = await poll(id);
  assert.deepEqual([type, status], ['error', 'cancelled']);
  assert.deepEqual(listResults(dataDir), []);
  const next = await readFile(await order(orderOf(20, 'short')));
  assert.match(next.name, /^S2L2A_2026-06-01_2026-06-30_median_NDVI\.TIF$/);
  assert.equal(await swath.stop(), 0);
});

/** The file of a mosaic that nothing disturbs: made once for both tests. */
let calm: Awaited<ReturnType<ReturnType<typeof makeTaskClient>['readFile']>> | null = null;

test('a mosaic whose service is killed midway is made by the next one, with the same result', async (t) => {
  const dataDir = await makeData();
  const first = await startSwath({ dataDir, env });
  t.after(() => first.stop('SIGKILL'));
  const before = makeTaskClient(first);
  const id = await before.order(orderOf(2, 'killed'));
  await before.waitForProgress(id);
  assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
  assert.ok(isStaged(dataDir), 'it was cut off before the file was whole');
  const second = await startSwath({ dataDir, env });
  t.after(() => second.stop('SIGKILL'));
  const { order, readFile } = makeTaskClient(second);
  const resumed = await readFile(id);
  calm = await readFile(await order(orderOf(2, 'calm')));
  assert.deepEqual(resumed, calm);
  assert.equal(await second.stop(), 0);
});

test('a mosaic whose worker is killed midway is made by another one, while the service answers', async (t) => {
  const dataDir = await makeData();
  const api = await startSwath({ dataDir, env: { ...env, SWATH_ROLES: 'api' } });
  t.after(() => api.stop('SIGKILL'));
  const { order, poll, waitForProgress, readFile } = makeTaskClient(api);
  const startWorker = () => startSwath({ dataDir, env: { ...env, SWATH_ROLES: 'worker' } });
  const lost = await startWorker();
  t.after(() => lost.stop('SIGKILL'));
  const id = await order(orderOf(2, 'lost'));
  await waitForProgress(id);
  assert.equal(await lost.stop('SIGKILL'), 'SIGKILL');
  assert.equal((await poll(id)).task_type, 'started');
  const other = await startWorker();
  t.after(() => other.stop('SIGKILL'));
  const retried = await readFile(id);
  assert.deepEqual(retried, calm ?? (await readFile(await order(orderOf(2, 'calm')))));
  for (const process of [other, api]) assert.equal(await process.stop(), 0);
});
