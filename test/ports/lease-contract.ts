import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '../../src/tasks/index.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';
import { fileOf, LEASE_MS, newTask, ROOM, SWEEP } from './tasks.ts';

/** What is leased, and what becomes of a lease. Ids are those of tasks. */
interface Leased {
  readonly what: string;
  /** Stores one that may be leased. */
  add(store: StoreUnderTest, owner: string): Promise<string>;
  /** Leases one. */
  take(store: StoreUnderTest, leaseMs: number, exceptOwners: readonly string[]): Promise<Lease | null>;
  end(store: StoreUnderTest, lease: Lease): Promise<boolean>;
  fail(store: StoreUnderTest, lease: Lease, retryInMs: number | null): Promise<boolean>;
  release(store: StoreUnderTest, lease: Lease): Promise<boolean>;
  /** Attempts that were begun and not handed back. */
  attempts(store: StoreUnderTest, id: string): Promise<number | undefined>;
}

const TASKS: Leased = {
  what: 'tasks',
  async add({ tasks }, owner) {
    const task = newTask({ owner });
    await tasks.create(task, ROOM);
    return task.id;
  },
  async take({ tasks }, leaseMs, exceptOwners) {
    await tasks.sweep(SWEEP);
    const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs, exceptOwners });
    return leased?.lease ?? null;
  },
  end: ({ tasks }, lease) => tasks.finish(lease, fileOf(1)),
  fail: ({ tasks }, lease, retryInMs) => tasks.fail(lease, { code: 'x', message: 'X.' }, retryInMs),
  release: ({ tasks }, lease) => tasks.release(lease),
  async attempts({ tasks }, id) {
    const task = await tasks.find(id);
    return task === null ? undefined : task.attempts + task.deaths + (task.state === 'running' ? 1 : 0);
  },
};

const CALLBACKS: Leased = {
  what: 'callbacks',
  async add(store, owner) {
    const task = newTask({ owner });
    const callback = { url: 'https://hooks.example/', form: 'download', publicUrl: 'https://swath.example' };
    await store.tasks.create(task, ROOM, callback);
    const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    assert.equal(
      await store.tasks.finish(leased?.lease ?? assert.fail('nothing is queued'), fileOf(1)),
      true,
    );
    return task.id;
  },
  async take({ callbacks }, leaseMs, exceptOwners) {
    const lost = { status: null, error: 'interrupted' };
    return (await callbacks.lease({ leaseMs, maxAttempts: 5, lost, exceptOwners }))?.lease ?? null;
  },
  end: ({ callbacks }, lease) => callbacks.deliver(lease, 200),
  fail: ({ callbacks }, lease, retryInMs) => callbacks.fail(lease, { status: 500, error: null }, retryInMs),
  release: ({ callbacks }, lease) => callbacks.release(lease),
  attempts: async ({ callbacks }, id) => (await callbacks.find(id))?.attempts,
};

/** What both queues promise: tasks to workers, and callbacks to senders. */
export function leaseContract(name: string, open: OpenStore): void {
  for (const leased of [TASKS, CALLBACKS]) promisesOf(`${name} leases of ${leased.what}`, open, leased);
}

function promisesOf(name: string, open: OpenStore, leased: Leased): void {
  const take = (store: StoreUnderTest, leaseMs = LEASE_MS, exceptOwners: readonly string[] = []) =>
    leased.take(store, leaseMs, exceptOwners);
  const takeOne = async (...args: Parameters<typeof take>): Promise<Lease> =>
    (await take(...args)) ?? assert.fail('nothing may be leased');
  /** Takes one as soon as a lease or a delay of milliseconds is over. */
  const takeSoon = async (store: StoreUnderTest): Promise<Lease> => {
    for (;;) {
      const lease = await take(store);
      if (lease !== null) return lease;
      await sleep(2);
    }
  };
  /** What the holder of a lease that is not the last one may do: nothing. */
  const assertRefused = async (store: StoreUnderTest, lease: Lease): Promise<void> => {
    assert.equal(await leased.end(store, lease), false, 'end');
    assert.equal(await leased.fail(store, lease, null), false, 'fail');
    assert.equal(await leased.fail(store, lease, 0), false, 'try again');
    assert.equal(await leased.release(store, lease), false, 'release');
  };

  test(`${name}: one is leased to one process, which ends it once`, async () => {
    const store = await open();
    const id = await leased.add(store, 'key 1');
    const lease = await takeOne(store);
    assert.equal(lease.id, id);
    assert.equal(await take(store), null);
    assert.equal(await leased.end(store, lease), true);
    assert.equal(await take(store), null);
    const again = await store.reopen();
    assert.equal(await take(again), null);
    await again.close();
  });

  test(`${name}: concurrent processes never lease the same one`, async () => {
    const store = await open();
    const ids: string[] = [];
    for (let i = 0; i < 16; i += 1) ids.push(await leased.add(store, `key ${i % 4}`));
    const together = await Promise.all(Array.from({ length: 12 }, () => take(store)));
    const taken = together.flatMap((lease) => lease?.id ?? []);
    for (let lease = await take(store); lease !== null; lease = await take(store)) taken.push(lease.id);
    assert.deepEqual(taken.toSorted(), ids.toSorted());
    await store.close();
  });

  test(`${name}: those of excepted owners wait, also when they come first and when they are retried`, async () => {
    const store = await open();
    const first = await leased.add(store, 'key 1');
    const other = await leased.add(store, "key '2");
    assert.equal(await take(store, LEASE_MS, ['key 1', "key '2"]), null);
    const lease = await takeOne(store, LEASE_MS, ['key 1', 'key 3']);
    assert.equal(lease.id, other);
    assert.equal(await take(store, LEASE_MS, ['key 1']), null);
    assert.equal((await takeOne(store)).id, first);
    assert.equal(await leased.fail(store, lease, 0), true);
    assert.equal(await take(store, LEASE_MS, ["key '2"]), null);
    assert.equal((await takeSoon(store)).id, other);
    await store.close();
  });

  test(`${name}: a failed one is leased again after its delay, but not after a final failure`, async () => {
    const store = await open();
    const id = await leased.add(store, 'key 1');
    const first = await takeOne(store);
    assert.equal(await leased.fail(store, first, 5), true);
    const second = await takeSoon(store);
    assert.deepEqual([second.id, second.token > first.token], [id, true]);
    await assertRefused(store, first);
    assert.equal(await leased.fail(store, second, 600_000), true);
    assert.equal(await take(store), null, 'its time has not come');
    await leased.add(store, 'key 1');
    assert.equal(await leased.fail(store, await takeOne(store), null), true);
    assert.equal(await take(store), null);
    await store.close();
  });

  test(`${name}: a returned one is like one that was never leased`, async () => {
    const store = await open();
    const id = await leased.add(store, 'key 1');
    const first = await takeOne(store);
    assert.equal(await leased.attempts(store, id), 1);
    assert.equal(await leased.release(store, first), true);
    assert.equal(await leased.attempts(store, id), 0);
    await assertRefused(store, first);
    const second = await takeOne(store);
    await assertRefused(store, first);
    assert.equal(await leased.end(store, second), true);
    await store.close();
  });

  test(`${name}: one whose process is gone is leased to another, which the first cannot disturb`, async () => {
    const store = await open();
    const id = await leased.add(store, 'key 1');
    const zombie = await takeOne(store, 1);
    const next = await takeSoon(store);
    assert.deepEqual([next.id, next.token > zombie.token], [id, true]);
    assert.equal(await leased.attempts(store, id), 2);
    await assertRefused(store, zombie);
    assert.equal(await leased.end(store, next), true);
    await assertRefused(store, next);
    await store.close();
  });
}
