import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeasedTask, NewTask } from '../../src/tasks/index.ts';
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
  test(`${name} leases: a task goes to one worker, which may finish it once`, async () => {
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

  test(`${name} leases: many workers at once never get the same task`, async () => {
    const store = await open();
    for (let i = 0; i < 30; i += 1) await createOne(store, { owner: `key ${i % 4}` });
    const leased = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        store.tasks.lease({ worker: `worker ${i}`, max: 5, leaseMs: LEASE_MS }),
      ),
    );
    const ids = leased.flat().map(({ task }) => task.id);
    assert.equal(new Set(ids).size, ids.length);
    const left = await store.tasks.lease({ worker: 'last', max: 30, leaseMs: LEASE_MS });
    assert.equal(ids.length + left.length, 30);
    await store.close();
  });

  test(`${name} leases: tasks of owners that are excepted stay in the queue, also when they come first`, async () => {
    const store = await open();
    const first = await createOne(store, { owner: 'key 1', priority: 5 });
    await createOne(store, { owner: 'key 1' });
    const other = await createOne(store, { owner: "key '2" });
    const lease = (exceptOwners: readonly string[]) =>
      store.tasks.lease({ worker: 'worker 1', max: 1, leaseMs: LEASE_MS, exceptOwners });
    assert.deepEqual(await lease(['key 1', "key '2"]), []);
    const [leased] = await lease(['key 1', 'key 3']);
    assert.equal(leased?.task.id, other.id);
    assert.deepEqual(await lease(['key 1']), []);
    assert.equal((await lease([]))[0]?.task.id, first.id);
    // One that is queued again is still that owner's.
    assert.equal(await store.tasks.fail(leased.lease, FAILURE, 0), true);
    assert.deepEqual(await lease(["key '2", 'key 1']), []);
    assert.equal((await lease(['key 1']))[0]?.task.id, other.id);
    await store.close();
  });

  test(`${name} leases: a failure for a passing reason is tried again after its delay, another one is final`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const first = await leaseOne(store);
    assert.equal(await store.tasks.fail(first.lease, FAILURE, 0), true);
    const waiting = await store.tasks.find(id);
    assert.deepEqual([waiting?.state, waiting?.attempts, waiting?.error], ['queued', 1, FAILURE]);
    const second = await leaseOne(store);
    assert.ok(second.lease.token > first.lease.token);
    assert.equal(await store.tasks.finish(first.lease, fileOf(1)), false);
    assert.equal(await store.tasks.fail(second.lease, FAILURE, 600_000), true);
    assert.deepEqual(await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS }), []);

    const other = await createOne(store);
    assert.equal(await store.tasks.fail((await leaseOne(store)).lease, FAILURE, null), true);
    const failed = await store.tasks.find(other.id);
    assert.deepEqual([failed?.state, failed?.attempts, failed?.error], ['failed', 0, FAILURE]);
    assert.notEqual(failed?.endedAt, null);
    await store.close();
  });

  test(`${name} leases: a task that is handed back goes to the next worker as if nothing had been`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const { lease } = await leaseOne(store);
    assert.equal(await store.tasks.release(lease), true);
    assert.equal(await store.tasks.release(lease), false);
    const { task, lease: next } = await leaseOne(store);
    assert.deepEqual([task.id, task.attempts, task.deaths, task.error], [id, 0, 0, null]);
    assert.equal(await store.tasks.renew(lease, { done: 1, total: 1 }, LEASE_MS), 'lost');
    assert.equal(await store.tasks.finish(next, fileOf(1)), true);
    await store.close();
  });

  test(`${name} leases: a worker that goes silent loses its task, and cannot publish any more`, async () => {
    const store = await open();
    const { id } = await createOne(store);
    const zombie = await leaseOne(store, 1);
    await sweepLapsed(store);
    assert.equal((await store.tasks.find(id))?.deaths, 1);
    assert.equal(await store.tasks.renew(zombie.lease, { done: 1, total: 1 }, LEASE_MS), 'lost');
    const { lease } = await leaseOne(store);
    assert.equal(await store.tasks.finish(zombie.lease, fileOf(666)), false);
    assert.equal(await store.tasks.fail(zombie.lease, FAILURE, null), false);
    assert.equal(await store.tasks.release(zombie.lease), false);
    assert.equal(await store.tasks.finish(lease, fileOf(1)), true);
    assert.equal((await store.tasks.find(id))?.result?.kind, 'file');
    assert.deepEqual(await store.tasks.sweep(SWEEP), { requeued: 0, failed: 0 });
    await store.close();
  });

  test(`${name} leases: a renewed lease does not lapse`, async () => {
    const store = await open();
    await createOne(store);
    const { lease } = await leaseOne(store, 1);
    assert.equal(await store.tasks.renew(lease, { done: 0, total: 1 }, LEASE_MS), 'held');
    await sleep(5);
    assert.deepEqual(await store.tasks.sweep(SWEEP), { requeued: 0, failed: 0 });
    await store.close();
  });

  test(`${name} leases: after a death a task runs alone; one that dies alone twice fails, and the queue goes on`, async () => {
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

  test(`${name} leases: a task that died in company, however often, is not given up`, async () => {
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

  test(`${name} leases: where tasks die alone by turns, something else is to blame, up to a limit`, async () => {
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

  test(`${name} leases: a cancelled task is over for its worker, and is never leased`, async () => {
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
