import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewTask } from '../../src/tasks/index.ts';
import type { LeasedTask } from '../../src/tasks/task-store.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';
import { DEATH, fileOf, LEASE_MS, newTask, ROOM, SWEEP } from './tasks.ts';

const FAILURE = { code: 'source-broken', message: 'A file is broken.' };

async function leaseOne({ tasks }: StoreUnderTest, leaseMs = LEASE_MS): Promise<LeasedTask> {
  const [leased] = await tasks.lease({ worker: 'worker 1', max: 1, leaseMs });
  return leased ?? assert.fail('nothing is queued');
}

async function createOne({ tasks }: StoreUnderTest, more: Partial<NewTask> = {}): Promise<NewTask> {
  const task = newTask(more);
  await tasks.create(task, ROOM);
  return task;
}

/** Sweeps until a lease of a millisecond has lapsed. */
async function sweepLapsed({ tasks }: StoreUnderTest): Promise<void> {
  for (;;) {
    const { requeued, failed } = await tasks.sweep(SWEEP);
    if (requeued + failed > 0) return;
    await sleep(2);
  }
}

/** What every TaskStore promises to workers. */
export function taskLeaseContract(name: string, open: OpenStore): void {
  test(`${name} leases: a task is leased to one worker, which may finish it once`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const { task, lease } = await leaseOne(store);
    assert.equal(task.id, id);
    assert.deepEqual([task.state, task.worker], ['running', 'worker 1']);
    assert.deepEqual(await store.tasks.lease({ worker: 'worker 2', max: 5, leaseMs: LEASE_MS }), []);
    assert.equal(await store.tasks.renew(lease, { done: 3, total: 9 }, LEASE_MS), 'held');
    assert.deepEqual((await store.tasks.find(id))?.progress, { done: 3, total: 9 });
    const result = fileOf(1_234);
    assert.equal(await store.tasks.finish(lease, result), true);
    assert.equal(await store.tasks.finish(lease, fileOf(9)), false);
    assert.equal(await store.tasks.fail(lease, FAILURE, null), false);
    assert.equal(await store.tasks.release(lease), false);
    assert.equal(await store.tasks.renew(lease, { done: 9, total: 9 }, LEASE_MS), 'over');
    const again = await store.reopen();
    const found = await again.tasks.find(id);
    assert.deepEqual([found?.state, found?.result, found?.error], ['finished', result, null]);
    assert.deepEqual(found?.progress, { done: 9, total: 9 });
    assert.ok(found?.startedAt && found.endedAt && found.startedAt <= found.endedAt);
    await again.close();
  });

  test(`${name} leases: one of another owner is leased before one of an excepted owner with a higher priority`, async () => {
    const store = await open();
    const first = await createOne(store, { owner: 'key 1', priority: 5 });
    const other = await createOne(store, { owner: 'key 2' });
    const lease = (exceptOwners: readonly string[]) =>
      store.tasks.lease({ worker: 'worker 1', max: 1, leaseMs: LEASE_MS, exceptOwners });
    assert.equal((await lease(['key 1']))[0]?.task.id, other.id);
    assert.equal((await lease([]))[0]?.task.id, first.id);
    await store.close();
  });

  test(`${name} leases: a temporary failure counts as an attempt, a final one ends the task`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    assert.equal(await store.tasks.fail((await leaseOne(store)).lease, FAILURE, 0), true);
    const waiting = await store.tasks.find(id);
    assert.deepEqual([waiting?.state, waiting?.attempts, waiting?.error], ['queued', 1, FAILURE]);
    assert.equal(await store.tasks.fail((await leaseOne(store)).lease, FAILURE, null), true);
    const failed = await store.tasks.find(id);
    assert.deepEqual([failed?.state, failed?.attempts, failed?.error], ['failed', 1, FAILURE]);
    assert.notEqual(failed?.endedAt, null);
    await store.close();
  });

  test(`${name} leases: a worker that goes silent loses its task, which counts the death`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const zombie = await leaseOne(store, 1);
    await sweepLapsed(store);
    assert.deepEqual((await store.tasks.find(id))?.deaths, 1);
    assert.equal(await store.tasks.renew(zombie.lease, { done: 1, total: 1 }, LEASE_MS), 'lost');
    const { lease } = await leaseOne(store);
    assert.equal(await store.tasks.renew(zombie.lease, { done: 1, total: 1 }, LEASE_MS), 'lost');
    assert.equal(await store.tasks.finish(zombie.lease, fileOf(666)), false);
    assert.equal(await store.tasks.finish(lease, fileOf(1)), true);
    assert.deepEqual((await store.tasks.find(id))?.result, fileOf(1));
    assert.deepEqual(await store.tasks.sweep(SWEEP), { requeued: 0, failed: 0 });
    await store.close();
  });

  test(`${name} leases: one that must run alone and waits for its next attempt does not block the queue`, async () => {
    const store = await open();
    const { id } = await createOne(store, { priority: 1 });
    const other = await createOne(store);
    await leaseOne(store, 1);
    await sweepLapsed(store);
    const alone = await leaseOne(store);
    assert.deepEqual([alone.task.id, alone.isAlone], [id, true]);
    await store.tasks.fail(alone.lease, FAILURE, 600_000);
    assert.deepEqual((await leaseOne(store)).task.id, other.id);
    await store.close();
  });

  test(`${name} leases: a renewed lease does not expire`, async () => {
    const store = await open();
    await createOne(store);
    const { lease } = await leaseOne(store, 1);
    assert.equal(await store.tasks.renew(lease, { done: 0, total: 1 }, LEASE_MS), 'held');
    await sleep(5);
    assert.deepEqual(await store.tasks.sweep(SWEEP), { requeued: 0, failed: 0 });
    await store.close();
  });

  test(`${name} leases: after a death a task runs alone; one that dies alone twice fails, and the queue continues`, async () => {
    const store = await open();
    const { id } = await createOne(store, { priority: 1 });
    const other = await createOne(store);
    const first = await leaseOne(store, 1);
    assert.equal(first.isAlone, false);
    await sweepLapsed(store);
    for (let strike = 1; strike <= 2; strike += 1) {
      const busy = { worker: 'busy', max: 5, leaseMs: LEASE_MS, isIdle: false };
      assert.deepEqual(await store.tasks.lease(busy), [], 'who is not idle gets nothing meanwhile');
      const leased = await store.tasks.lease({ worker: 'idle', max: 5, leaseMs: 1 });
      assert.deepEqual(
        leased.map(({ task, isAlone }) => [task.id, isAlone]),
        [[id, true]],
      );
      await sweepLapsed(store);
    }
    const task = await store.tasks.find(id);
    assert.deepEqual([task?.state, task?.deaths, task?.error], ['failed', 3, DEATH]);
    const left = await store.tasks.lease({ worker: 'w', max: 5, leaseMs: LEASE_MS, isIdle: false });
    assert.deepEqual(
      left.map(({ task: { id: found }, isAlone }) => [found, isAlone]),
      [[other.id, false]],
    );
    // Queued again by an operator, it is like new.
    await store.tasks.retry(id);
    assert.equal((await leaseOne(store)).isAlone, false);
    await store.close();
  });

  test(`${name} leases: a task that died next to others, however often, is not failed`, async () => {
    const store = await open();
    const ids = [(await createOne(store)).id, (await createOne(store)).id];
    assert.equal((await store.tasks.lease({ worker: 'w', max: 2, leaseMs: 1 })).length, 2);
    while ((await store.tasks.list({ state: 'queued', limit: 9 })).length < 2) await sweepLapsed(store);
    for (let i = 0; i < 2; i += 1) {
      const { lease, isAlone } = await leaseOne(store);
      assert.equal(isAlone, true);
      // A failure and a hand-over leave it as it is.
      if (i === 0) {
        await store.tasks.release(lease);
        const again = await leaseOne(store);
        assert.equal(again.isAlone, true);
        await store.tasks.fail(again.lease, FAILURE, 0);
        const last = await leaseOne(store);
        assert.equal(last.isAlone, true);
        await store.tasks.finish(last.lease, fileOf(1));
      } else await store.tasks.finish(lease, fileOf(1));
    }
    for (const id of ids) {
      const task = await store.tasks.find(id);
      assert.deepEqual([task?.state, task?.deaths], ['finished', 1]);
    }
    await store.close();
  });

  test(`${name} leases: tasks whose worker dies with them in turns are each tried more than twice before they fail`, async () => {
    const store = await open();
    const ids = [(await createOne(store)).id, (await createOne(store)).id];
    assert.equal((await store.tasks.lease({ worker: 'w', max: 2, leaseMs: 1 })).length, 2);
    while ((await store.tasks.list({ state: 'queued', limit: 9 })).length < 2) await sweepLapsed(store);
    const died: string[] = [];
    for (;;) {
      const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: 1 });
      if (leased === undefined) break;
      died.push(leased.task.id);
      await sleep(2);
      await sweepLapsed(store);
    }
    const tasks = await Promise.all(ids.map((id) => store.tasks.find(id)));
    assert.ok(tasks.every((task) => task?.state === 'failed'));
    assert.ok(
      died.length > 4,
      `${died.length} deaths alone; two tasks that die by turns are given more than two each`,
    );
    await store.close();
  });

  test(`${name} leases: a cancelled task has ended for its worker, and is never leased`, async () => {
    const store = await open();
    const [running, queued] = [await createOne(store, { priority: 1 }), await createOne(store)];
    const { lease } = await leaseOne(store);
    for (const { id } of [running, queued]) {
      assert.equal(await store.tasks.cancel(id), true);
      assert.equal(await store.tasks.cancel(id), false);
      assert.equal((await store.tasks.find(id))?.state, 'cancelled');
    }
    assert.equal(await store.tasks.renew(lease, { done: 1, total: 2 }, LEASE_MS), 'over');
    assert.equal(await store.tasks.finish(lease, fileOf(1)), false);
    assert.deepEqual(await store.tasks.lease({ worker: 'w', max: 5, leaseMs: LEASE_MS }), []);
    for (const id of ['no uuid', '\0', newTask().id]) assert.equal(await store.tasks.cancel(id), false);
    await store.close();
  });

  test(`${name} leases: a failed or cancelled task can be queued again, with all its attempts`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const first = await leaseOne(store);
    assert.equal(await store.tasks.retry(id), false);
    await store.tasks.fail(first.lease, FAILURE, null);
    assert.equal(await store.tasks.retry(id), true);
    const { task, lease } = await leaseOne(store);
    assert.deepEqual([task.attempts, task.deaths, task.error, task.endedAt], [0, 0, null, null]);
    assert.equal(await store.tasks.finish(first.lease, fileOf(666)), false, 'the first lease is not valid');
    await store.tasks.cancel(id);
    assert.equal(await store.tasks.finish(lease, fileOf(1)), false);
    assert.equal(await store.tasks.retry(id), true);
    assert.equal(await store.tasks.finish((await leaseOne(store)).lease, fileOf(1)), true);
    assert.equal(await store.tasks.retry(id), false);
    await store.close();
  });
}
