import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewTask } from '../../src/tasks/index.ts';
import type { LeasedTask } from '../../src/tasks/task-store.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';
import { areaOf, fileOf, LEASE_MS, newTask, ORDER_BYTES, ROOM } from './tasks.ts';

/** What an order with its estimate takes. */
const EACH = 100 + ORDER_BYTES;

const bytesOf = async ({ tasks }: StoreUnderTest, owner = 'key 1'): Promise<number> =>
  (await tasks.usage()).get(owner)?.bytes ?? 0;

async function createAll({ tasks }: StoreUnderTest, created: readonly NewTask[]): Promise<void> {
  for (const task of created) assert.equal((await tasks.create(task, ROOM)).kind, 'created');
}

async function leaseOne({ tasks }: StoreUnderTest): Promise<LeasedTask> {
  const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
  return leased ?? assert.fail('nothing is queued');
}

/** What every TaskStore promises about the room that orders and results take. */
export function taskRoomContract(name: string, open: OpenStore): void {
  test(`${name} task room: an owner's equal areas are stored and counted once, and reach every runner`, async () => {
    const store = await open();
    const [here, there] = [areaOf('here', 5_000), areaOf('there', 3_000)];
    await createAll(store, [newTask({ area: here }), newTask({ area: here }), newTask({ area: there })]);
    await createAll(store, [newTask({ area: here, owner: 'key 2' })]);
    assert.equal(await bytesOf(store), 8_000 + 3 * EACH);
    assert.equal(await bytesOf(store, 'key 2'), 5_000 + EACH);
    const again = await store.reopen();
    const leased = await again.tasks.lease({ worker: 'w', max: 9, leaseMs: LEASE_MS });
    assert.deepEqual(
      leased.map(({ task: { area } }) => JSON.stringify(area)).sort(),
      [here.json, here.json, here.json, there.json].sort(),
    );
    await again.close();
  });

  test(`${name} task room: data that a running task stores count for its owner until the task ends`, async () => {
    const store = await open();
    const { tasks } = store;
    await createAll(store, [newTask({ owner: 'key 1' })]);
    const { lease } = await leaseOne(store);
    const renew = (storedBytes?: number) =>
      tasks.renew(
        lease,
        { done: 1, total: 9, ...(storedBytes === undefined ? {} : { storedBytes }) },
        LEASE_MS,
      );
    await renew(50);
    assert.equal(await bytesOf(store), EACH, 'the estimate covers it');
    await renew(5_000_000_000);
    assert.equal(await bytesOf(store), 5_000_000_000 + ORDER_BYTES);
    // Parts stay when a worker reports nothing, or hands the task back.
    await renew();
    await tasks.release(lease);
    assert.equal(await bytesOf(store), 5_000_000_000 + ORDER_BYTES);
    const limit = { ...ROOM, bytesPerOwner: 5_000_000_000 };
    const refused = await tasks.create(newTask({ owner: 'key 1' }), limit);
    assert.equal(refused.kind, 'full');
    await tasks.finish((await leaseOne(store)).lease, fileOf(10));
    assert.equal(await bytesOf(store), ORDER_BYTES + 10);
    await store.close();
  });

  test(`${name} task room: an area stays while a task may run with it, and no longer`, async () => {
    const store = await open();
    const { tasks } = store;
    const area = areaOf('field', 5_000);
    const [first, second] = [newTask({ area, priority: 1 }), newTask({ area })];
    await createAll(store, [first, second]);
    await tasks.finish((await leaseOne(store)).lease, fileOf(10));
    assert.equal(await bytesOf(store), 5_000 + EACH + ORDER_BYTES + 10, 'the second one needs it');
    const { task, lease } = await leaseOne(store);
    assert.equal(JSON.stringify(task.area), area.json);
    await tasks.fail(lease, { code: 'x', message: 'X.' }, null);
    assert.equal(await bytesOf(store), 5_000 + 2 * ORDER_BYTES + 10, 'an operator may queue it again');
    assert.equal(await tasks.retry(second.id), true);
    const again = await leaseOne(store);
    assert.equal(JSON.stringify(again.task.area), area.json);
    await tasks.finish(again.lease, fileOf(20));
    assert.equal(await bytesOf(store), 2 * ORDER_BYTES + 30);
    for (const { id } of [first, second]) await tasks.remove(id);
    // One that was cancelled, and is removed by the clean-up.
    const third = newTask({ area });
    await createAll(store, [third]);
    await tasks.cancel(third.id);
    assert.equal(await bytesOf(store), 5_000 + ORDER_BYTES);
    await tasks.prune({ endedBefore: new Date(Date.now() + 60_000).toISOString(), max: 9 });
    assert.equal(await bytesOf(store), 0);
    await store.close();
  });

  test(`${name} task room: a new area counts towards both limits, a known one towards neither`, async () => {
    const store = await open();
    const { tasks } = store;
    await createAll(store, [newTask({ area: areaOf('here', 5_000) })]);
    const full = { ...ROOM, areaBytesPerOwner: 7_999 };
    assert.deepEqual(await tasks.create(newTask({ area: areaOf('there', 3_000) }), full), {
      kind: 'full',
      limit: 'areaBytesPerOwner',
      used: 5_000,
    });
    const tight = { ...ROOM, bytesPerOwner: 5_000 + 2 * EACH, areaBytesPerOwner: 1 };
    assert.deepEqual(await tasks.create(newTask({ area: areaOf('x', 100) }), tight), {
      kind: 'full',
      limit: 'bytesPerOwner',
      used: 5_000 + EACH,
    });
    assert.equal((await tasks.create(newTask({ area: areaOf('here', 5_000) }), tight)).kind, 'created');
    // Two at once of one new area: one pays for it.
    const once = { ...ROOM, bytesPerOwner: 5_000 + 4 * EACH + 2_000 };
    const made = await Promise.all(
      [1, 2].map(() => tasks.create(newTask({ area: areaOf('new', 2_000) }), once)),
    );
    assert.deepEqual(
      made.map(({ kind }) => kind),
      ['created', 'created'],
    );
    await store.close();
  });

  test(`${name} task room: a document is stored separately, counts with its bytes, and is removed with its task`, async () => {
    const store = await open();
    const { tasks } = store;
    const task = newTask({ kind: 'statistics' });
    await createAll(store, [task]);
    const document = { text: 'Föld '.repeat(1_000), none: null };
    const bytes = Buffer.byteLength(JSON.stringify(document));
    await tasks.finish((await leaseOne(store)).lease, { kind: 'document', document });
    assert.deepEqual((await tasks.find(task.id))?.result, { kind: 'document', bytes });
    assert.deepEqual((await tasks.list({ limit: 1 }))[0]?.result, { kind: 'document', bytes });
    assert.equal(await tasks.findDocument(task.id), JSON.stringify(document));
    assert.equal(await bytesOf(store), bytes + ORDER_BYTES);
    assert.deepEqual((await tasks.remove(task.id))?.result, { kind: 'document', bytes });
    assert.equal(await tasks.findDocument(task.id), null);
    assert.equal(await bytesOf(store), 0);
    await store.close();
  });

  test(`${name} task room: a new task reports how many of its owner have ended, and the oldest of them can be removed`, async () => {
    const store = await open();
    const { tasks } = store;
    const ended = Array.from({ length: 5 }, () => newTask());
    await createAll(store, ended);
    for (const { id } of ended) await tasks.cancel(id);
    assert.deepEqual(await tasks.create(newTask({ owner: 'key 2' }), ROOM), { kind: 'created', ended: 0 });
    const last = newTask();
    assert.deepEqual(await tasks.create(last, ROOM), { kind: 'created', ended: 5 });
    const trim = async (keep: number, max: number): Promise<readonly string[]> =>
      (await tasks.trim({ owner: 'key 1', keep, max })).map(({ id }) => id);
    const ids = ended.map(({ id }) => id);
    assert.deepEqual(await trim(5, 10), []);
    assert.deepEqual(await trim(2, 1), ids.slice(0, 1));
    assert.deepEqual(new Set(await trim(2, 10)), new Set(ids.slice(1, 3)));
    assert.deepEqual(await trim(2, 10), []);
    const left = (await tasks.list({ owner: 'key 1', limit: 9 })).map(({ id }) => id);
    assert.deepEqual(left, [last.id, ids[4], ids[3]]);
    await store.close();
  });
}
