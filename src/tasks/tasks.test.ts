import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedBlob } from '../objects/index.ts';
import type { TaskFile } from './task.ts';
import { makeTasks, pruneTasks, sweepOrphans } from './tasks.ts';
import { newTask, openTasks, ROOM } from './testing/open-tasks.ts';

const order = {
  owner: 'a',
  kind: 'index',
  reference: null,
  viewId: null,
  order: { b: 1 },
  area: null,
  estimatedBytes: 10,
};
const FILE = {
  kind: 'file',
  blobKey: 'b.1',
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes: 9,
  etag: 'e',
} as const;
const never = new AbortController().signal;

async function makeService() {
  const opened = await openTasks();
  const discarded: unknown[] = [];
  const kind = {
    run: () => Promise.reject(new Error('not run here')),
    discard: async (result: unknown) => void discarded.push(result),
  };
  return {
    store: opened.store,
    discarded,
    tasks: makeTasks({
      store: opened.store,
      limits: ROOM,
      endedPerOwner: 2,
      timeoutS: 60,
      kinds: { index: kind },
    }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test('a wait ends with the task, at once for a finished one, and by timeout for an open one', async () => {
  await using service = await makeService();
  const { tasks, store } = service;
  const { id } = await tasks.create(order);
  const early = await tasks.wait(id, 'a', { waitMs: 5, signal: never });
  assert.equal(early?.state, 'queued');
  const waiting = tasks.wait(id, 'a', { waitMs: 600_000, signal: never });
  const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  await store.finish(leased?.lease ?? assert.fail(), { kind: 'document', document: 1 });
  assert.equal((await waiting)?.state, 'finished');
  assert.equal((await tasks.wait(id, 'a', { waitMs: 600_000, signal: never }))?.state, 'finished');
  assert.equal(await tasks.wait(id, 'b', { waitMs: 600_000, signal: never }), null, 'of another owner');
});

test('a wait ends when its caller disconnects', async () => {
  await using service = await makeService();
  const { id } = await service.tasks.create(order);
  const leaving = new AbortController();
  const waiting = service.tasks.wait(id, 'a', { waitMs: 600_000, signal: leaving.signal });
  leaving.abort();
  assert.equal((await waiting)?.state, 'queued');
  const gone = await service.tasks.wait(id, 'a', { waitMs: 600_000, signal: leaving.signal });
  assert.equal(gone?.state, 'queued');
});

test('the first removal cancels an open task, and the next one removes it with its result', async () => {
  await using service = await makeService();
  const { tasks, store, discarded } = service;
  const { id } = await tasks.create(order);
  assert.equal(await tasks.remove(id, 'b'), null);
  assert.equal(await tasks.remove(id, 'a'), 'cancelled');
  assert.equal(await tasks.remove(id, 'a'), 'removed');
  assert.equal(await tasks.find(id, 'a'), null);
  const { id: other } = await tasks.create(order);
  const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  await store.finish(leased?.lease ?? assert.fail(), FILE);
  assert.equal(await tasks.remove(other, 'a'), 'removed');
  assert.deepEqual(discarded, [FILE]);
});

test('if there are too many finished tasks, the oldest are removed with their files', async () => {
  await using service = await makeService();
  const { tasks, store, discarded } = service;
  const ids: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    ids.push((await tasks.create(order)).id);
    const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    await store.finish(leased?.lease ?? assert.fail(), { ...FILE, blobKey: `b.${i}` });
  }
  const foreign = await tasks.create({ ...order, owner: 'b' });
  ids.push((await tasks.create(order)).id);
  const left = (await tasks.list('a', { limit: 9 })).map(({ id }) => id);
  assert.deepEqual(left, [ids[4], ids[3], ids[2]], 'the open one, and the two that may stay');
  assert.deepEqual(discarded, [
    { ...FILE, blobKey: 'b.0' },
    { ...FILE, blobKey: 'b.1' },
  ]);
  assert.notEqual(await tasks.find(foreign.id, 'b'), null);
});

test('orders that differ only in their area are different tasks, equal orders are the same task', async () => {
  await using service = await makeService();
  const { tasks } = service;
  const here = { ...order, reference: 'r', area: '[0,0]' };
  const { id } = await tasks.create(here);
  assert.equal((await tasks.create(structuredClone(here))).id, id);
  const elsewhere = await tasks.create({ ...here, area: '[1,1]' });
  assert.notEqual(elsewhere.id, id);
});

const fileOf = (blobKey: string): TaskFile => ({
  kind: 'file',
  blobKey,
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes: 1,
  etag: 'e',
});

/** Later than any test takes. */
const LATER = new Date(Date.now() + 86_400_000).toISOString();

test('tasks that ended long ago are removed with their results; one that cannot be discarded does not stop the others', async () => {
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
  assert.equal(await pruneTasks({ store, kinds: { index: kind } }, { endedBefore: LATER }), 3);
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
