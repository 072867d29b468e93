import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { waitFor, whenHolds } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { ONE_THREAD, runSwath, startSwath } from '../support/start-swath.ts';
import { isStaged, makeTaskClient } from '../support/task-client.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A picture of a hundred million pixels: longer than any of these tests waits for it. */
const LONG = {
  type: 'jpeg',
  params: { view_id: DEMO_SCENE.viewId, bm_type: 'B04,B03,B02', px_size: 0.6, format: 'png' },
};

/** Orders the long file, and waits until some of it is done. */
async function orderLong({ order, waitForProgress }: ReturnType<typeof makeTaskClient>): Promise<string> {
  const id = await order(LONG);
  await waitForProgress(id);
  return id;
}

test('a cancelled task stops, its threads are free again, and nothing of its file is left', async (t) => {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const swath = await startSwath({ dataDir, env: ONE_THREAD });
  t.after(() => swath.stop('SIGKILL'));
  const client = makeTaskClient(swath);
  const { ask, poll } = client;
  const id = await orderLong(client);
  assert.ok(isStaged(dataDir));
  assert.equal((await ask(`/api/${id}`, { method: 'DELETE' })).status, 204);
  await waitFor(() => !isStaged(dataDir));
  const { task_type: type, error_status: status } = await poll(id);
  assert.deepEqual([type, status], ['error', 'cancelled']);
  // It is counted when its file has gone.
  await whenHolds(async () => {
    const metrics = await (await ask('/metrics')).text();
    assert.match(metrics, /swath_task_runs_total\{kind="picture",end="cancelled"\} 1/);
    assert.match(metrics, /swath_tasks\{state="cancelled",kind="picture"\} 1/);
  });
  assert.equal(await swath.stop(), 0);
});

test('a server that shuts down returns its task to the queue, and the next one continues it', async (t) => {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const env = { ...ONE_THREAD, SWATH_DRAIN_MS: '200' };
  const first = await startSwath({ dataDir, env });
  t.after(() => first.stop('SIGKILL'));
  const id = await orderLong(makeTaskClient(first));
  assert.equal(await first.stop(), 0);
  assert.ok(!isStaged(dataDir), 'nothing is left of what it has begun');
  const shown = await runSwath(['tasks', 'show', id], { SWATH_DATA: dataDir });
  const task = JSON.parse(shown.stdout) as Record<string, unknown>;
  assert.deepEqual([task.state, task.attempts, task.deaths], ['queued', 0, 0]);
  const second = await startSwath({ dataDir, env });
  t.after(() => second.stop('SIGKILL'));
  const { poll, waitForProgress } = makeTaskClient(second);
  await waitForProgress(id);
  const cancelled = await runSwath(['tasks', 'cancel', id], { SWATH_DATA: dataDir });
  assert.deepEqual([cancelled.status, cancelled.stdout], [0, `Cancelled ${id}.\n`]);
  await waitFor(() => !isStaged(dataDir));
  assert.equal((await poll(id)).error_status, 'cancelled');
  assert.equal(await second.stop(), 0);
});
