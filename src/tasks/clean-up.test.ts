import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedBlob } from '../objects/index.ts';
import { pruneTasks, sweepOrphans } from './clean-up.ts';
import type { TaskFile } from './task.ts';
import { newTask, openTasks, ROOM } from './testing/open-tasks.ts';

const fileOf = (blobKey: string): TaskFile => ({
  kind: 'file',
  blobKey,
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes: 1,
  etag: 'e',
});

const SOON = new Date(Date.now() + 60_000).toISOString();

test('tasks that ended long ago go with what they stored; one that cannot be discarded stops nothing', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const tasks = Array.from({ length: 3 }, () => newTask());
  for (const task of tasks) {
    await store.create(task, ROOM);
    const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    await store.finish(leased?.lease ?? assert.fail(), fileOf(`${task.id}.1`));
  }
  const left = newTask();
  await store.create(left, ROOM);
  const discarded: TaskFile[] = [];
  const kind = {
    run: () => Promise.reject(new Error('not run')),
    discard: async (result: TaskFile) => {
      discarded.push(result);
      throw new Error('the bucket is away');
    },
  };
  assert.equal(await pruneTasks({ store, kinds: { index: kind } }, { endedBefore: SOON }), 3);
  assert.equal(discarded.length, 3);
  assert.deepEqual(
    (await store.list({ limit: 9 })).map(({ id }) => id),
    [left.id],
  );
});

test('blobs without a task, or of another attempt, are orphans once they are old enough', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const [finished, running] = [newTask({ priority: 1 }), newTask()];
  for (const task of [finished, running]) await store.create(task, ROOM);
  const leased = await store.lease({ worker: 'w', max: 2, leaseMs: 60_000 });
  await store.finish(leased[0]?.lease ?? assert.fail(), fileOf(`${finished.id}.2`));
  const blobs = new Map<string, ListedBlob>();
  const put = (key: string, modifiedAtMs = 0): void =>
    void blobs.set(key, { key, modifiedAtMs, bytes: 1, etag: 'e' });
  put(`${finished.id}.2`);
  put(`${running.id}.1`);
  for (const orphan of [`${finished.id}.1`, `${newTask().id}.1`, 'nonsense']) put(orphan);
  put(`${newTask().id}.7`, 99_000);
  const kept = {
    async *list() {
      yield* [...blobs.values()];
    },
    remove: async (key: string) => void blobs.delete(key),
  };
  assert.equal(await sweepOrphans({ store, blobs: kept }, { minAgeMs: 10_000, nowMs: 100_000 }), 3);
  assert.deepEqual([...blobs.keys()].slice(0, 2), [`${finished.id}.2`, `${running.id}.1`]);
  assert.equal(blobs.size, 3);
});
