import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A picture of a hundred million pixels: longer than any of these tests waits for it. */
const LONG = {
  type: 'jpeg',
  params: { view_id: DEMO_SCENE.viewId, bm_type: 'B04,B03,B02', px_size: 0.6, format: 'png' },
};

function makeClient({ url }: RunningSwath) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { 'x-api-key': SERVICE_KEY } });
  const poll = async (id: string) => (await (await ask(`/api/${id}`)).json()) as Record<string, unknown>;
  return {
    ask,
    poll,
    /** Orders the long file, and waits until some of it is done. */
    async orderLong(): Promise<string> {
      const response = await ask('/api', { method: 'POST', body: JSON.stringify(LONG) });
      const { task_id: id } = (await response.json()) as { task_id: string };
      assert.equal(response.status, 202);
      await waitFor(async () => Number((await poll(id)).progress) > 0);
      return id;
    },
  };
}

const isStaged = (dataDir: string): boolean => readdirSync(join(dataDir, 'results', 'staging')).length > 0;

test('a cancelled task stops, its threads are free again, and nothing of its file is left', async (t) => {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const swath = await startSwath({ dataDir, env: ONE_THREAD });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, poll, orderLong } = makeClient(swath);
  const id = await orderLong();
  assert.ok(isStaged(dataDir));
  assert.equal((await ask(`/api/${id}`, { method: 'DELETE' })).status, 204);
  await waitFor(() => !isStaged(dataDir));
  const { task_type: type, error_status: status } = await poll(id);
  assert.deepEqual([type, status], ['error', 'cancelled']);
  const metrics = await (await ask('/metrics')).text();
  assert.match(metrics, /swath_task_runs_total\{kind="picture",end="cancelled"\} 1/);
  assert.match(metrics, /swath_tasks\{state="cancelled",kind="picture"\} 1/);
  assert.equal(await swath.stop(), 0);
});

test('a server that shuts down hands its task back, and the next one goes on with it', async (t) => {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const env = { ...ONE_THREAD, SWATH_DRAIN_MS: '200' };
  const first = await startSwath({ dataDir, env });
  t.after(() => first.stop('SIGKILL'));
  const id = await makeClient(first).orderLong();
  assert.equal(await first.stop(), 0);
  assert.ok(!isStaged(dataDir), 'nothing is left of what it has begun');
  const shown = await runSwath(['tasks', 'show', id], { SWATH_DATA: dataDir });
  const task = JSON.parse(shown.stdout) as Record<string, unknown>;
  assert.deepEqual([task.state, task.attempts, task.deaths], ['queued', 0, 0]);
  const second = await startSwath({ dataDir, env });
  t.after(() => second.stop('SIGKILL'));
  const { poll } = makeClient(second);
  await waitFor(async () => Number((await poll(id)).progress) > 0);
  const cancelled = await runSwath(['tasks', 'cancel', id], { SWATH_DATA: dataDir });
  assert.deepEqual([cancelled.status, cancelled.stdout], [0, `Cancelled ${id}.\n`]);
  await waitFor(() => !isStaged(dataDir));
  assert.equal((await poll(id)).error_status, 'cancelled');
  assert.equal(await second.stop(), 0);
});
