import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { NewTask, TaskError, TaskLimits } from '../../src/tasks/index.ts';
import type { TaskArea, TaskFile } from '../../src/tasks/task.ts';
import type { StoreUnderTest } from './store-contract.ts';

/** More than a test stores. */
export const ROOM: TaskLimits = {
  openPerOwner: 1_000,
  open: 1_000,
  bytesPerOwner: 1e12,
  areaBytesPerOwner: 1e12,
};

/** Longer than a test takes. */
export const LEASE_MS = 60_000;

export const DEATH: TaskError = { code: 'worker-died', message: 'Its worker died.' };
export const TIMEOUT: TaskError = { code: 'task-timeout', message: 'It took too long.' };
export const SWEEP = { maxStrikes: 2, maxDeaths: 6, death: DEATH, timeout: TIMEOUT };

const ORDER = { viewId: 'S2/1', bands: ['B04'] };

/** What the order of `newTask` takes. */
export const ORDER_BYTES = JSON.stringify(ORDER).length;

/** An area of so many bytes as JSON. */
export function areaOf(text: string, bytes: number): TaskArea {
  const json = JSON.stringify(text.padEnd(bytes - 2, '.'));
  return { digest: `digest of ${text}`, json };
}

/** A task like no other. */
export const newTask = (more: Partial<NewTask> = {}): NewTask => ({
  id: randomUUID(),
  owner: 'key 1',
  kind: 'index',
  reference: randomUUID(),
  digest: 'digest',
  order: ORDER,
  viewId: null,
  area: null,
  priority: 0,
  estimatedBytes: 100,
  timeoutS: 3_600,
  ...more,
});

/** A result of so many bytes. */
export const fileOf = (bytes: number): TaskFile => ({
  kind: 'file',
  blobKey: 'blob.1',
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes,
  etag: '"e"',
});

/** Tasks as they were stored when their order had its area inside, and documents were part of the result. */
const tasksOfBefore = (columns: string, values: string, now: string): string => `
  INSERT INTO tasks (id, owner, kind, reference, digest, priority, turn, attempts, deaths, timeout_s, estimated_bytes, token,
    done, total, state, result_bytes, created_at, ended_at, body, result${columns})
  VALUES
    ('00000000-0000-4000-8000-000000000001', 'key 1', 'index', 'a', 'd', 0, 1, 0, 0, 60000000, 10, 0, 0, 0,
      'queued', 0, ${now}, NULL, '{"viewId":"S2/1","area":{"kind":"outline","outline":[1,2]}}', NULL${values}),
    ('00000000-0000-4000-8000-000000000002', 'key 1', 'statistics', 'b', 'd', 0, 1, 0, 0, 60, 10, 1, 1, 1,
      'finished', 0, ${now}, ${now}, '{"kind":"scenes"}', '{"kind":"document","document":{"text":"é","n":[1,{"a":2}]}}'${values}),
    ('00000000-0000-4000-8000-000000000003', 'key 1', 'index', 'c', 'd', 0, 1, 0, 0, 60, 10, 1, 1, 1,
      'finished', 7, ${now}, ${now}, '{"viewId":"S2/2"}', '${JSON.stringify(fileOf(7))}'${values})`;

/** The same as both databases had them. */
export const TASKS_OF_BEFORE = {
  sqlite: tasksOfBefore(', ready_at', ', 0', `'2026-11-01T00:00:00.000Z'`),
  postgres: tasksOfBefore('', '', 'now()'),
};

/** Checks that tasks of before are as they were, and counted with all that they take. */
export async function assertTasksOfBefore({ tasks }: Pick<StoreUnderTest, 'tasks'>): Promise<void> {
  const listed = await tasks.list({ limit: 9 });
  assert.deepEqual(
    listed.map(({ viewId }) => viewId),
    ['S2/2', null, 'S2/1'],
  );
  const document = { text: 'é', n: [1, { a: 2 }] };
  const bytes = Buffer.byteLength(JSON.stringify(document));
  assert.deepEqual(
    listed.map(({ result }) => result),
    [fileOf(7), { kind: 'document', bytes }, null],
  );
  const found = await tasks.findDocument(listed[1]?.id ?? '');
  assert.deepEqual(found === null ? null : JSON.parse(found), document);
  assert.equal(await tasks.findDocument(listed[0]?.id ?? ''), null);
  const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
  const order = { viewId: 'S2/1', area: { kind: 'outline', outline: [1, 2] } };
  assert.deepEqual([leased?.task.order, leased?.task.area], [order, null]);
  const orders = JSON.stringify(order).length + '{"kind":"scenes"}'.length + '{"viewId":"S2/2"}'.length;
  assert.equal((await tasks.usage()).get('key 1')?.bytes, orders + 10 + bytes + 7);
}

/**
 * Checks that lists, polls, counts and clean-up do not read orders, areas and documents: `spoil` turns all of them into what
 * cannot be parsed.
 */
export async function assertReadsNoOrders(
  { tasks }: Pick<StoreUnderTest, 'tasks'>,
  spoil: () => void | Promise<void>,
): Promise<void> {
  const large = areaOf('a field', 400_000);
  const finished = newTask({ area: large, order: { text: 'o'.repeat(400_000) } });
  const [failed, queued] = [newTask({ area: large }), newTask({ area: large })];
  for (const task of [finished, failed, queued]) await tasks.create(task, ROOM);
  const leased = await tasks.lease({ worker: 'w', max: 2, leaseMs: LEASE_MS });
  // Tasks that are leased together come in any order.
  const leaseOf = (id: string) => leased.find(({ task }) => task.id === id)?.lease ?? assert.fail();
  const document = { text: 'd'.repeat(400_000) };
  await tasks.finish(leaseOf(finished.id), { kind: 'document', document });
  await tasks.fail(leaseOf(failed.id), DEATH, null);
  await spoil();
  const listed = await tasks.list({ limit: 9 });
  assert.deepEqual(
    listed.map(({ state }) => state),
    ['queued', 'failed', 'finished'],
  );
  assert.ok(JSON.stringify(listed).length < 3_000);
  assert.equal((await tasks.find(finished.id))?.state, 'finished');
  assert.equal((await tasks.count()).length, 3);
  assert.deepEqual(await tasks.sweep(SWEEP), { requeued: 0, failed: 0 });
  assert.equal(await tasks.cancel(queued.id), true);
  assert.equal((await tasks.remove(failed.id))?.id, failed.id);
  const endedBefore = new Date(Date.now() + 60_000).toISOString();
  assert.equal((await tasks.prune({ endedBefore, max: 1 })).length, 1);
  await assert.rejects(async () => tasks.findOrder(queued.id), SyntaxError, 'the order is spoiled');
  assert.equal((await tasks.trim({ owner: queued.owner, keep: 0, max: 9 })).length, 1);
}
