import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewTask, TaskEvent } from '../../src/tasks/index.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';
import { fileOf, LEASE_MS, newTask, ORDER_BYTES, ROOM, SWEEP, TIMEOUT } from './tasks.ts';

/** Creates tasks one after the other. */
async function createAll({ tasks }: StoreUnderTest, created: readonly NewTask[]): Promise<void> {
  for (const task of created) assert.equal((await tasks.create(task, ROOM)).kind, 'created');
}

/** Leases everything there is, one by one, and gives the references in the order they came. */
async function drain({ tasks }: StoreUnderTest): Promise<readonly string[]> {
  const found: string[] = [];
  for (;;) {
    const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    if (leased === undefined) return found;
    found.push(leased.task.reference);
  }
}

/** What every TaskStore promises about storing and ordering tasks. */
export function taskStoreContract(name: string, open: OpenStore): void {
  test(`${name} tasks: a created task is found complete, also after a restart, others are absent`, async () => {
    const store = await open();
    const order = { text: "Föld '; -- \u{1f33e}", deep: { list: [1, null, 0.1, 1e21] } };
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const viewId = 'S2/31/T/DH/2026/6/21/0';
    const task = newTask({ order, priority: 2, estimatedBytes: 5e9, viewId, traceparent });
    await createAll(store, [task]);
    const again = await store.reopen();
    const { createdAt, ...found } = (await again.tasks.find(task.id)) ?? assert.fail('absent');
    const { order: _order, area: _area, ...rest } = task;
    assert.deepEqual(found, {
      ...rest,
      state: 'queued',
      progress: { done: 0, total: 0 },
      attempts: 0,
      deaths: 0,
      worker: null,
      error: null,
      result: null,
      startedAt: null,
      endedAt: null,
    });
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000, createdAt);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(await again.tasks.findOrder(task.id), order);
    assert.equal(await again.tasks.findDocument(task.id), null);
    for (const id of ['', 'no uuid', '\0', newTask().id]) {
      assert.equal(await again.tasks.find(id), null, JSON.stringify(id));
      assert.equal(await again.tasks.findOrder(id), null, JSON.stringify(id));
      assert.equal(await again.tasks.findDocument(id), null, JSON.stringify(id));
    }
    const [leased] = await again.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    assert.deepEqual([leased?.task.order, leased?.task.area], [order, null]);
    await again.close();
  });

  test(`${name} tasks: the same order is the same task until it has failed or was cancelled`, async () => {
    const store = await open();
    const first = newTask({ reference: 'r' });
    await createAll(store, [first]);
    const again = { ...first, id: newTask().id };
    const known = { kind: 'known', id: first.id };
    assert.deepEqual(await store.tasks.create(again, ROOM), known);
    const [leased] = await store.tasks.lease({ worker: 'w', max: 5, leaseMs: LEASE_MS });
    assert.ok(leased);
    assert.deepEqual(await store.tasks.create(again, ROOM), known);
    // Another body, another owner: other tasks.
    await createAll(store, [
      { ...newTask(), reference: 'r', digest: 'other' },
      { ...newTask(), reference: 'r', owner: 'key 2' },
    ]);
    await store.tasks.finish(leased.lease, fileOf(1));
    assert.deepEqual(await store.tasks.create(again, ROOM), known);

    const cancelled = newTask({ reference: 's' });
    await createAll(store, [cancelled]);
    await store.tasks.cancel(cancelled.id);
    const next = { ...cancelled, id: newTask().id };
    await createAll(store, [next]);
    assert.deepEqual(await store.tasks.create({ ...cancelled, id: newTask().id }, ROOM), {
      kind: 'known',
      id: next.id,
    });
    await store.close();
  });

  test(`${name} tasks: concurrent callers with one order create one task`, async () => {
    const store = await open();
    const order = newTask({ reference: 'once' });
    const made = await Promise.all(
      Array.from({ length: 12 }, () => store.tasks.create({ ...order, id: newTask().id }, ROOM)),
    );
    assert.equal(made.filter(({ kind }) => kind === 'created').length, 1);
    assert.equal((await store.tasks.list({ limit: 50 })).length, 1);
    await store.close();
  });

  test(`${name} tasks: open tasks and stored bytes cannot exceed the limits`, async () => {
    const store = await open();
    await createAll(store, [newTask(), newTask(), newTask({ owner: 'key 2' })]);
    const { tasks } = store;
    assert.deepEqual(await tasks.create(newTask(), { ...ROOM, openPerOwner: 2 }), {
      kind: 'full',
      limit: 'openPerOwner',
      used: 2,
    });
    assert.deepEqual(await tasks.create(newTask({ owner: 'key 3' }), { ...ROOM, open: 3 }), {
      kind: 'full',
      limit: 'open',
      used: 3,
    });
    // The estimate of 100 bytes, and the order.
    const each = 100 + ORDER_BYTES;
    assert.deepEqual(await tasks.create(newTask(), { ...ROOM, bytesPerOwner: 3 * each - 1 }), {
      kind: 'full',
      limit: 'bytesPerOwner',
      used: 2 * each,
    });
    // A finished task counts with what it really takes, a cancelled one with its order.
    const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    assert.ok(leased);
    await tasks.finish(leased.lease, fileOf(7_000));
    const [other] = (await tasks.list({ owner: 'key 1', state: 'queued', limit: 1 })).map(({ id }) => id);
    assert.equal(await tasks.cancel(other as string), true);
    const used = 7_000 + 2 * ORDER_BYTES;
    assert.deepEqual(
      await tasks.create(newTask(), { ...ROOM, openPerOwner: 1, bytesPerOwner: used + each - 1 }),
      { kind: 'full', limit: 'bytesPerOwner', used },
    );
    assert.deepEqual(
      await tasks.usage(),
      new Map([
        ['key 1', { open: 0, finished: 1, bytes: used }],
        ['key 2', { open: 1, finished: 0, bytes: each }],
      ]),
    );
    await store.close();
  });

  test(`${name} tasks: concurrent orders cannot exceed the limits, and owners take turns`, async () => {
    const store = await open();
    const orders = Array.from({ length: 30 }, (_, i) =>
      newTask({ owner: `key ${i % 3}`, reference: `${i}` }),
    );
    const made = await Promise.all(
      orders.map((task) => store.tasks.create(task, { ...ROOM, openPerOwner: 8 })),
    );
    const stored = orders.filter((_, i) => made[i]?.kind === 'created').map(({ owner }) => owner);
    for (const owner of ['key 0', 'key 1', 'key 2']) {
      assert.equal(stored.filter((other) => other === owner).length, 8);
    }
    const owners = (await drain(store)).map((reference) => Number(reference) % 3);
    assert.equal(owners.length, 24);
    for (let turn = 0; turn < 8; turn += 1) {
      assert.equal(new Set(owners.slice(3 * turn, 3 * turn + 3)).size, 3, `${owners}`);
    }
    await store.close();
  });

  test(`${name} tasks: of many concurrent ends, those whose lease is held are stored`, async () => {
    const store = await open();
    const { tasks } = store;
    await createAll(
      store,
      Array.from({ length: 5 }, () => newTask()),
    );
    const leased = await tasks.lease({ worker: 'w', max: 5, leaseMs: LEASE_MS });
    assert.equal(leased.length, 5);
    await tasks.cancel(leased[3]?.task.id ?? '');
    const ends = await Promise.all(leased.map(({ lease }, i) => tasks.finish(lease, fileOf(i))));
    assert.deepEqual(ends, [true, true, true, false, true]);
    const found = await Promise.all(leased.map(({ task }) => tasks.find(task.id)));
    assert.deepEqual(
      found.map((task) => task?.state),
      ['finished', 'finished', 'finished', 'cancelled', 'finished'],
    );
    assert.deepEqual(
      found.map((task) => task?.result),
      [fileOf(0), fileOf(1), fileOf(2), null, fileOf(4)],
    );
    assert.deepEqual(await drain(store), []);
    await store.close();
  });

  test(`${name} tasks: owners take turns, the oldest task of each first; priorities precede turns`, async () => {
    const store = await open();
    const of = (owner: string, reference: string, priority = 0) => newTask({ owner, reference, priority });
    await createAll(store, [of('a', 'a1'), of('a', 'a2'), of('a', 'a3'), of('a', 'a4'), of('b', 'b1')]);
    await createAll(store, [of('c', 'c1'), of('b', 'b2'), of('a', 'urgent', 1), of('c', 'idle', -1)]);
    assert.deepEqual(await drain(store), ['urgent', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'idle']);
    await store.close();
  });

  test(`${name} tasks: an owner that arrives late waits for one turn, not for everything others have queued`, async () => {
    const store = await open();
    await createAll(
      store,
      Array.from({ length: 20 }, (_, i) => newTask({ reference: `a${i}` })),
    );
    for (let i = 0; i < 10; i += 1) {
      const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
      await store.tasks.finish(leased?.lease ?? assert.fail(), fileOf(1));
    }
    await createAll(store, [newTask({ owner: 'late', reference: 'late' })]);
    const next = await drain(store);
    assert.ok(next.indexOf('late') <= 1, `${next}`);
    await store.close();
  });

  test(`${name} tasks: lists are newest first, by owner, state and kind, and continue where they ended`, async () => {
    const store = await open();
    const created = Array.from({ length: 5 }, (_, i) =>
      newTask({ reference: `${i}`, owner: i % 2 === 0 ? 'even' : 'odd', kind: i < 3 ? 'index' : 'picture' }),
    );
    await createAll(store, created);
    await store.tasks.cancel(created[4]?.id ?? '');
    const { tasks } = store;
    const listed = async (query: object): Promise<string> =>
      (await tasks.list({ limit: 10, ...query })).map(({ reference }) => reference).join('');
    assert.equal(await listed({}), '43210');
    assert.equal(await listed({ owner: 'even' }), '420');
    assert.equal(await listed({ owner: 'even', state: 'queued' }), '20');
    assert.equal(await listed({ kinds: ['picture'] }), '43');
    assert.equal(await listed({ limit: 2 }), '43');
    assert.equal(await listed({ limit: 2, after: created[3]?.id }), '21');
    const counts = await tasks.count();
    const [third, first] = await Promise.all([4, 0].map((i) => tasks.find(created[i]?.id ?? '')));
    assert.deepEqual([counts[0]?.oldestAt, counts[1]?.oldestAt], [third?.createdAt, first?.createdAt]);
    assert.deepEqual(
      counts.map(({ oldestAt: _, ...count }) => count),
      [
        { state: 'cancelled', kind: 'picture', tasks: 1 },
        { state: 'queued', kind: 'index', tasks: 3 },
        { state: 'queued', kind: 'picture', tasks: 1 },
      ],
    );
    await store.close();
  });

  test(`${name} tasks: those that ended long ago are removed, oldest first, and nothing else`, async () => {
    const store = await open();
    const [open1, ended1, ended2, foreign] = [
      newTask(),
      newTask(),
      newTask(),
      newTask({ owner: 'key 2' }),
    ] as const;
    await createAll(store, [open1, ended1, ended2, foreign]);
    for (const { id } of [ended1, ended2, foreign]) await store.tasks.cancel(id);
    const { tasks } = store;
    const before = (ms: number): string => new Date(Date.now() + ms).toISOString();
    assert.deepEqual(await tasks.prune({ endedBefore: before(-60_000), max: 10 }), []);
    const first = await tasks.prune({ endedBefore: before(60_000), owner: 'key 1', max: 1 });
    assert.deepEqual(
      first.map(({ id }) => id),
      [ended1.id],
    );
    const rest = await tasks.prune({ endedBefore: before(60_000), max: 10 });
    assert.deepEqual(new Set(rest.map(({ id }) => id)), new Set([ended2.id, foreign.id]));
    assert.deepEqual(
      (await tasks.list({ limit: 10 })).map(({ id }) => id),
      [open1.id],
    );
    await store.close();
  });

  test(`${name} tasks: an ended one can be removed, an open one cannot`, async () => {
    const store = await open();
    const task = newTask();
    await createAll(store, [task]);
    assert.equal(await store.tasks.remove(task.id), null);
    await store.tasks.cancel(task.id);
    assert.equal((await store.tasks.remove(task.id))?.id, task.id);
    assert.equal(await store.tasks.find(task.id), null);
    for (const id of [task.id, '\0', 'x']) assert.equal(await store.tasks.remove(id), null);
    await store.close();
  });

  test(`${name} tasks: one that exceeds its time limit fails, queued or running`, async () => {
    const store = await open();
    const [queued, running] = [newTask({ timeoutS: 0 }), newTask({ timeoutS: 0, priority: 1 })];
    const long = newTask();
    await createAll(store, [queued, running, long]);
    const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    assert.equal(leased?.task.id, running.id);
    assert.deepEqual(await store.tasks.sweep(SWEEP), { requeued: 0, failed: 2 });
    for (const { id } of [queued, running]) {
      const task = await store.tasks.find(id);
      assert.equal(task?.state, 'failed');
      assert.deepEqual(task?.error, TIMEOUT);
      assert.notEqual(task?.endedAt, null);
    }
    assert.equal(await store.tasks.renew(leased.lease, { done: 1, total: 2 }, LEASE_MS), 'over');
    assert.deepEqual(await drain(store), [long.reference]);
    await store.close();
  });

  test(`${name} tasks: listeners are notified of new work and of ended tasks`, async () => {
    const store = await open();
    const heard: TaskEvent[] = [];
    let isHeard: (() => void) | undefined;
    const stop = store.tasks.watch((event) => {
      heard.push(event);
      isHeard?.();
    });
    const hear = async (kind: TaskEvent['kind'], id: string): Promise<void> => {
      while (!heard.some((event) => event.kind === kind && (event.id ?? id) === id)) {
        await new Promise<void>((resolve) => {
          isHeard = resolve;
        });
      }
    };
    const task = newTask();
    await createAll(store, [task]);
    await hear('queued', task.id);
    heard.length = 0;
    const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
    await store.tasks.finish(leased?.lease ?? assert.fail(), fileOf(1));
    await hear('over', task.id);
    stop();
    await store.close();
  });
}
