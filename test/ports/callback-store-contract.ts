import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeasedCallback } from '../../src/tasks/callback.ts';
import type { Callback, NewCallback, NewTask } from '../../src/tasks/index.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';
import { fileOf, LEASE_MS, newTask, ROOM, SWEEP } from './tasks.ts';

const CALLBACK: NewCallback = {
  url: 'https://hooks.example/done?token=Ünïcode',
  form: 'statistics',
  publicUrl: 'https://swath.example',
};
const FAILURE = { code: 'source-broken', message: 'A file is broken.' };
const LOST = { status: null, error: 'interrupted' };

/** Stores a task with a callback, and leases the task. */
async function createLeased(store: StoreUnderTest, more: Partial<NewTask> = {}) {
  const task = newTask(more);
  await store.tasks.create(task, ROOM, CALLBACK);
  const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
  return { task, lease: leased?.lease ?? assert.fail('nothing is queued') };
}

/** Stores a task with a callback, and finishes it; its id. */
async function createFinished(store: StoreUnderTest, more: Partial<NewTask> = {}): Promise<string> {
  const { task, lease } = await createLeased(store, more);
  assert.equal(await store.tasks.finish(lease, fileOf(1)), true);
  return task.id;
}

const take = (
  { callbacks }: StoreUnderTest,
  { leaseMs = LEASE_MS, maxAttempts = 5 } = {},
): Promise<LeasedCallback | null> => callbacks.lease({ leaseMs, maxAttempts, lost: LOST, exceptOwners: [] });

async function takeOne(...args: Parameters<typeof take>): Promise<LeasedCallback> {
  return (await take(...args)) ?? assert.fail('nothing is due');
}

/** Takes a callback as soon as one is due. */
async function takeSoon(...args: Parameters<typeof take>): Promise<LeasedCallback> {
  for (;;) {
    const taken = await take(...args);
    if (taken !== null) return taken;
    await sleep(2);
  }
}

async function find({ callbacks }: StoreUnderTest, id: string): Promise<Callback> {
  return (await callbacks.find(id)) ?? assert.fail('it has no callback');
}

/** What every CallbackStore promises. */
export function callbackStoreContract(name: string, open: OpenStore): void {
  test(`${name} callbacks: listeners are notified when a task with a callback has ended`, async () => {
    const store = await open();
    let hear = Promise.withResolvers<void>();
    const stop = store.callbacks.watch(() => hear.resolve());
    await createFinished(store);
    await hear.promise;
    const { lease } = await createLeased(store);
    hear = Promise.withResolvers<void>();
    await store.tasks.fail(lease, FAILURE, null);
    await hear.promise;
    stop();
    await store.close();
  });

  test(`${name} callbacks: one is stored with the task, and due when it has finished, also after a restart`, async () => {
    const store = await open();
    const { task, lease } = await createLeased(store);
    assert.deepEqual(await find(store, task.id), {
      ...CALLBACK,
      taskId: task.id,
      owner: task.owner,
      state: 'waiting',
      attempts: 0,
      lastStatus: null,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: null,
    });
    assert.equal(await take(store), null, 'the task is not over');
    await store.tasks.finish(lease, fileOf(1));
    const again = await store.reopen();
    const { callback, lease: held } = await takeOne(again);
    assert.deepEqual([callback.taskId, callback.state, callback.attempts], [task.id, 'waiting', 1]);
    assert.equal(await take(again), null, 'it is leased');
    assert.equal(await again.callbacks.deliver(held, 204), true);
    const { state, lastStatus, deliveredAt, nextAttemptAt } = await find(again, task.id);
    assert.deepEqual([state, lastStatus, nextAttemptAt], ['delivered', 204, null]);
    assert.match(deliveredAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(await take(again), null);
    await again.close();
  });

  test(`${name} callbacks: a task without one has none, nor has a refused or known task`, async () => {
    const store = await open();
    const task = newTask({ reference: 'r' });
    await store.tasks.create(task, ROOM);
    assert.equal(await store.callbacks.find(task.id), null);
    assert.equal(await store.callbacks.find('nul \0'), null);
    const known = newTask({ reference: 'r' });
    assert.equal((await store.tasks.create(known, ROOM, CALLBACK)).kind, 'known');
    const refused = newTask();
    assert.equal((await store.tasks.create(refused, { ...ROOM, open: 1 }, CALLBACK)).kind, 'full');
    assert.deepEqual(await store.callbacks.list({ limit: 10 }), []);
    await store.close();
  });

  test(`${name} callbacks: due after every end of a task except a cancellation`, async () => {
    const store = await open();
    const failed = await createLeased(store);
    assert.equal(await store.tasks.fail(failed.lease, FAILURE, 60_000), true);
    assert.equal(await take(store), null, 'the task is tried again');
    const broken = await createLeased(store);
    assert.equal(await store.tasks.fail(broken.lease, FAILURE, null), true);
    assert.equal((await takeOne(store)).callback.taskId, broken.task.id);
    const late = newTask({ timeoutS: 0 });
    await store.tasks.create(late, ROOM, CALLBACK);
    assert.equal((await store.tasks.sweep(SWEEP)).failed, 1);
    assert.equal((await takeOne(store)).callback.taskId, late.id);
    const doomed = newTask();
    await store.tasks.create(doomed, ROOM, CALLBACK);
    // It dies next to others first, and is given up when it dies alone.
    do {
      await store.tasks.lease({ worker: 'w', max: 1, leaseMs: 1 });
      await sleep(2);
    } while ((await store.tasks.sweep({ ...SWEEP, maxDeaths: 1 })).failed === 0);
    assert.equal((await takeOne(store)).callback.taskId, doomed.id);
    const cancelled = await createLeased(store);
    assert.equal(await store.tasks.cancel(cancelled.task.id), true);
    assert.equal((await find(store, cancelled.task.id)).state, 'cancelled');
    assert.equal(await take(store), null);
    assert.equal(await store.callbacks.retry(cancelled.task.id), false);
    await store.close();
  });

  test(`${name} callbacks: a failed one is due again after its delay, and ends after the last`, async () => {
    const store = await open();
    const id = await createFinished(store);
    const first = await takeOne(store);
    const beforeMs = Date.now();
    assert.equal(await store.callbacks.fail(first.lease, { status: 500, error: null }, 60_000), true);
    const waiting = await find(store, id);
    assert.deepEqual([waiting.state, waiting.attempts, waiting.lastStatus], ['retrying', 1, 500]);
    const aheadMs = Date.parse(waiting.nextAttemptAt ?? '') - beforeMs;
    const passedMs = Date.now() - beforeMs;
    assert.ok(aheadMs > 55_000 && aheadMs < 65_000 + passedMs, `${aheadMs} ms, ${passedMs} passed`);
    assert.equal(await take(store), null);
    const other = await createFinished(store);
    const quick = await takeOne(store);
    assert.equal(quick.callback.taskId, other);
    assert.equal(await store.callbacks.fail(quick.lease, { status: null, error: 'timed-out' }, 5), true);
    const second = await takeSoon(store);
    assert.deepEqual([second.callback.attempts, second.callback.lastError], [2, 'timed-out']);
    assert.equal(await store.callbacks.fail(second.lease, { status: 410, error: null }, null), true);
    const { state, attempts, lastStatus, lastError, nextAttemptAt } = await find(store, other);
    assert.deepEqual([state, attempts, lastStatus, lastError, nextAttemptAt], ['failed', 2, 410, null, null]);
    assert.equal(await take(store), null);
    await store.close();
  });

  test(`${name} callbacks: one whose processes keep dying fails`, async () => {
    const store = await open();
    const id = await createFinished(store);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      assert.equal((await takeSoon(store, { leaseMs: 1, maxAttempts: 2 })).callback.attempts, attempt);
    }
    while ((await find(store, id)).state !== 'failed') {
      assert.equal(await take(store, { maxAttempts: 2 }), null);
      await sleep(2);
    }
    assert.equal((await find(store, id)).lastError, LOST.error);
    await store.close();
  });

  test(`${name} callbacks: they are removed with their task`, async () => {
    const store = await open();
    const [removed, pruned] = [await createFinished(store), await createFinished(store, { owner: 'key 2' })];
    const { lease } = await takeOne(store);
    assert.equal((await store.tasks.remove(removed))?.id, removed);
    assert.equal(await store.callbacks.deliver(lease, 200), false);
    assert.deepEqual(
      (await store.callbacks.list({ limit: 10 })).map(({ taskId }) => taskId),
      [pruned],
    );
    const endedBefore = new Date(Date.now() + 60_000).toISOString();
    assert.equal((await store.tasks.prune({ endedBefore, max: 10 })).length, 1);
    assert.deepEqual(await store.callbacks.list({ limit: 10 }), []);
    assert.equal(await take(store), null);
    await store.close();
  });

  test(`${name} callbacks: one is sent again by an operator, and when the task itself is queued again`, async () => {
    const store = await open();
    const { task, lease } = await createLeased(store);
    await store.tasks.fail(lease, FAILURE, null);
    const first = await takeOne(store);
    assert.equal(await store.callbacks.deliver(first.lease, 200), true);
    assert.equal(await store.callbacks.retry(task.id), true);
    assert.equal(await store.callbacks.retry('unknown'), false);
    assert.equal(await store.callbacks.retry('nul \0'), false);
    const second = await takeOne(store);
    assert.deepEqual([second.callback.attempts, second.callback.deliveredAt], [1, null]);
    assert.equal(await store.tasks.retry(task.id), true);
    assert.equal(await store.callbacks.deliver(second.lease, 200), false, 'that was about the first end');
    const { state, attempts, lastStatus } = await find(store, task.id);
    assert.deepEqual([state, attempts, lastStatus], ['waiting', 0, null]);
    assert.equal(await take(store), null);
    assert.equal(await store.callbacks.retry(task.id), false, 'the task is not over');
    const [again] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    await store.tasks.finish(again?.lease ?? assert.fail('nothing is queued'), fileOf(1));
    assert.equal((await takeOne(store)).callback.taskId, task.id);
    await store.close();
  });

  test(`${name} callbacks: they are listed newest first, by owner and state`, async () => {
    const store = await open();
    const ids: string[] = [];
    for (const owner of ['key 1', 'key 2', 'key 1']) ids.push(await createFinished(store, { owner }));
    const { callback, lease } = await takeOne(store);
    assert.equal(callback.taskId, ids[0]);
    await store.callbacks.deliver(lease, 200);
    const list = async (query: object) =>
      (await store.callbacks.list({ limit: 10, ...query })).map(({ taskId }) => ids.indexOf(taskId));
    assert.deepEqual(await list({}), [2, 1, 0]);
    assert.deepEqual(await list({ limit: 2 }), [2, 1]);
    assert.deepEqual(await list({ owner: 'key 1' }), [2, 0]);
    assert.deepEqual(await list({ owner: 'key 1', state: 'delivered' }), [0]);
    await store.close();
  });
}
