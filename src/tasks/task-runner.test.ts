import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badInput, sourceBroken, unavailable } from '../errors.ts';
import { waitFor } from '../testing/wait-for.ts';
import type { Task, TaskFile, TaskKind, TaskOutput, TaskWork } from './task.ts';
import type { RunEnd } from './task-runner.ts';
import { SWEEP_RULE, startTaskRunner } from './task-runner.ts';
import { newTask, openTasks, ROOM, until } from './testing/open-tasks.ts';

const DONE: TaskOutput = { kind: 'document', document: { answer: 42 } };
const FILE: TaskFile = {
  kind: 'file',
  blobKey: 'b.1',
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes: 1,
  etag: 'e',
};

/** Waits for the end that is asked of the work, as a kind does that reads files. */
const untilStopped = ({ signal }: TaskWork): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });

function makeKind(run: (task: Task, work: TaskWork) => Promise<TaskOutput>) {
  const discarded: TaskFile[] = [];
  const kind: TaskKind = {
    run,
    discard: async (result) => {
      discarded.push(result);
    },
  };
  return { kinds: { index: kind }, discarded };
}

const base = { worker: 'test', slots: 2, leaseMs: 60_000 };

test('tasks run as soon as they are queued, at most one per slot', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  let [now, most] = [0, 0];
  const { kinds } = makeKind(async () => {
    now += 1;
    most = Math.max(most, now);
    // On a busy machine the first would be over before the second is queued.
    await waitFor(() => most >= base.slots, undefined, 5);
    now -= 1;
    return DONE;
  });
  const ends: RunEnd[] = [];
  const runner = startTaskRunner({ ...base, store, kinds, events: { onEnd: (_, end) => ends.push(end) } });
  const tasks = Array.from({ length: 9 }, () => newTask());
  for (const task of tasks) await store.create(task, ROOM);
  const done = await Promise.all(tasks.map(({ id }) => until(store, id)));
  for (const { id, state, result } of done) {
    assert.deepEqual([state, result], ['finished', { kind: 'document', bytes: 13 }]);
    assert.equal(await store.findDocument(id), '{"answer":42}');
  }
  await runner.stop({ drainMs: 10_000 });
  assert.deepEqual([most, ends.length, new Set(ends)], [2, 9, new Set(['finished'])]);
});

test('an owner without a running task does not wait for long tasks of others', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { kinds } = makeKind(({ owner }, work) =>
    owner === 'greedy' ? untilStopped(work) : Promise.resolve(DONE),
  );
  for (let i = 0; i < 5; i += 1) await store.create(newTask({ owner: 'greedy' }), ROOM);
  const runner = startTaskRunner({ ...base, store, kinds });
  await waitFor(() => runner.running() === base.slots);
  const modest = newTask({ owner: 'modest' });
  await store.create(modest, ROOM);
  assert.equal((await until(store, modest.id)).state, 'finished');
  await waitFor(() => runner.running() === base.slots);
  const greedy = await store.list({ owner: 'greedy', state: 'running', limit: 9 });
  assert.equal(greedy.length, base.slots, 'and no more of the greedy one are begun');
  await runner.stop({ drainMs: 0 });
});

test('a temporary failure is retried, a permanent one is not, and each attempt stores its result under its own key', async (t) => {
  await using opened = await openTasks();
  const { store } = opened;
  const keys: string[] = [];
  const { kinds } = makeKind(async ({ reference }, { storeKey }) => {
    keys.push(`${reference} ${storeKey.split('.')[1]}`);
    if (reference === 'wrong') throw badInput('empty-area', 'The area is empty.');
    if (keys.length < 3) throw sourceBroken('broken-file', 'A file is broken.');
    return DONE;
  });
  // Delays of seconds are passed over.
  const eager = {
    ...store,
    fail: ((lease, error, retryInMs) =>
      store.fail(lease, error, retryInMs === null ? null : 0)) as typeof store.fail,
  };
  const runner = startTaskRunner({ ...base, store: eager, kinds });
  t.after(() => runner.stop({ drainMs: 0 }));
  const passing = newTask({ reference: 'passing' });
  await store.create(passing, ROOM);
  const finished = await until(store, passing.id);
  assert.deepEqual([finished.state, finished.attempts], ['finished', 2]);
  assert.deepEqual(keys, ['passing 1', 'passing 2', 'passing 3']);
  const wrong = newTask({ reference: 'wrong' });
  await store.create(wrong, ROOM);
  const failed = await until(store, wrong.id);
  assert.deepEqual(
    [failed.state, failed.error],
    ['failed', { code: 'empty-area', message: 'The area is empty.', refusal: 'bad-input' }],
  );
  assert.equal(keys.length, 4);
  await runner.stop({ drainMs: 0 });
});

test('a bug fails the task after three attempts, and the error reveals nothing internal', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  let attempts = 0;
  const { kinds } = makeKind(async () => {
    attempts += 1;
    throw new Error('secret path /data');
  });
  const eager = {
    ...store,
    fail: ((lease, error, retryInMs) =>
      store.fail(lease, error, retryInMs === null ? null : 0)) as typeof store.fail,
  };
  const runner = startTaskRunner({ ...base, store: eager, kinds });
  const task = newTask();
  await store.create(task, ROOM);
  const { state, error } = await until(store, task.id);
  assert.deepEqual([state, attempts, error?.code], ['failed', 3, 'internal']);
  assert.doesNotMatch(error?.message ?? '', /secret/);
  await runner.stop({ drainMs: 0 });
});

test('a cancelled task is stopped at once, whichever process cancels it', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { kinds } = makeKind((_, work) => untilStopped(work));
  const { promise: ended, resolve } = Promise.withResolvers<RunEnd>();
  const runner = startTaskRunner({ ...base, store, kinds, events: { onEnd: (_, end) => resolve(end) } });
  const task = newTask();
  await store.create(task, ROOM);
  await until(store, task.id, ({ state }) => state === 'running');
  await store.cancel(task.id);
  assert.equal(await ended, 'cancelled');
  await runner.stop({ drainMs: 0 });
});

test('progress is stored while the task runs', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { kinds } = makeKind((_, work) => {
    work.reportProgress({ done: 3, total: 8 });
    return untilStopped(work);
  });
  const runner = startTaskRunner({ ...base, store, kinds });
  const task = newTask();
  await store.create(task, ROOM);
  const seen = await until(store, task.id, ({ progress }) => progress.done > 0);
  assert.deepEqual(seen.progress, { done: 3, total: 8 });
  await runner.stop({ drainMs: 0 });
});

test('a stopping runner waits for short tasks and returns long ones to the queue', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { promise: let1, resolve: finish } = Promise.withResolvers<void>();
  const { kinds } = makeKind(async ({ reference }, work) => {
    if (reference === 'long') return untilStopped(work);
    await let1;
    return DONE;
  });
  const runner = startTaskRunner({ ...base, store, kinds });
  const [short, long] = [newTask({ reference: 'short' }), newTask({ reference: 'long' })];
  for (const task of [short, long]) await store.create(task, ROOM);
  for (const { id } of [short, long]) await until(store, id, ({ state }) => state === 'running');
  // The short one is stored within this time, also on a slow machine; the long one takes all of it.
  const stopped = runner.stop({ drainMs: 1_000 });
  finish();
  await stopped;
  assert.equal((await store.find(short.id))?.state, 'finished');
  const back = await store.find(long.id);
  assert.deepEqual([back?.state, back?.attempts, back?.deaths], ['queued', 0, 0]);
  assert.equal(runner.running(), 0);
});

test('a result after the lease has expired is discarded, and the next worker runs the task', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { promise: stalled, resolve: wake } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<RunEnd>();
  const first = makeKind(async () => {
    await stalled;
    return FILE;
  });
  // A process that is stopped neither renews nor sweeps.
  const frozen = {
    ...store,
    renew: () => new Promise<never>(() => {}),
    sweep: () => new Promise<never>(() => {}),
    watch: () => () => {},
    lease: ((options) => store.lease({ ...options, leaseMs: 1 })) as typeof store.lease,
  };
  const zombie = startTaskRunner({
    ...base,
    store: frozen,
    kinds: first.kinds,
    events: { onEnd: (_, how) => end(how) },
  });
  const task = newTask();
  await store.create(task, ROOM);
  await waitFor(() => zombie.running() === 1);
  const stopping = zombie.stop({ drainMs: 60_000 });
  const second = makeKind(async () => ({ kind: 'document', document: 'second' }));
  // Short, so that it soon looks again if the first lease has not lapsed yet; long enough for a slow machine to renew its own.
  const runner = startTaskRunner({ ...base, leaseMs: 6_000, store, kinds: second.kinds });
  const done = await until(store, task.id);
  assert.equal(await store.findDocument(done.id), '"second"');
  assert.equal(done.deaths, 1);
  wake();
  assert.equal(await ended, 'lost');
  assert.deepEqual(first.discarded, [FILE]);
  assert.equal(await store.findDocument(task.id), '"second"');
  await stopping;
  await runner.stop({ drainMs: 0 });
});

test('the end of a task is stored when the store recovers', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { kinds } = makeKind(async () => DONE);
  let calls = 0;
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  const flaky = {
    ...store,
    finish: (async (lease, result) => {
      calls += 1;
      if (calls === 1) {
        resolve();
        throw unavailable('store-unavailable', 'The store is away.');
      }
      return store.finish(lease, result);
    }) as typeof store.finish,
  };
  const runner = startTaskRunner({ ...base, store: flaky, kinds });
  const task = newTask();
  await store.create(task, ROOM);
  await refused;
  assert.equal((await until(store, task.id)).state, 'finished');
  assert.equal(calls, 2);
  await runner.stop({ drainMs: 0 });
});

test('tasks of an unknown kind fail, and others continue', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const { kinds } = makeKind(async () => DONE);
  const eager = {
    ...store,
    fail: ((lease, error, retryInMs) =>
      store.fail(lease, error, retryInMs === null ? null : 0)) as typeof store.fail,
  };
  const runner = startTaskRunner({ ...base, store: eager, kinds });
  const [strange, known] = [newTask({ kind: 'dreams' }), newTask()];
  for (const task of [strange, known]) await store.create(task, ROOM);
  assert.equal((await until(store, strange.id)).state, 'failed');
  assert.equal((await until(store, known.id)).state, 'finished');
  await runner.stop({ drainMs: 0 });
});

test('tasks that crashed a worker run alone, before all others', async () => {
  await using opened = await openTasks();
  const { store } = opened;
  const suspects = [newTask(), newTask()];
  for (const task of suspects) await store.create(task, ROOM);
  await store.lease({ worker: 'dead', max: 2, leaseMs: 1 });
  await waitFor(async () => {
    await store.sweep(SWEEP_RULE);
    return (await store.list({ state: 'queued', limit: 9 })).length === 2;
  });
  const others = Array.from({ length: 4 }, () => newTask({ priority: 5 }));
  for (const task of others) await store.create(task, ROOM);
  const now = new Set<string>();
  const alone = new Set(suspects.map(({ id }) => id));
  const faults: string[] = [];
  const order: string[] = [];
  const { kinds } = makeKind(async ({ id }) => {
    if (now.size > 0 && (alone.has(id) || [...now].some((other) => alone.has(other)))) faults.push(id);
    now.add(id);
    order.push(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now.delete(id);
    return DONE;
  });
  const runner = startTaskRunner({ ...base, store, kinds });
  const done = await Promise.all([...suspects, ...others].map(({ id }) => until(store, id)));
  await runner.stop({ drainMs: 10_000 });
  assert.ok(done.every(({ state }) => state === 'finished'));
  assert.deepEqual(faults, []);
  assert.deepEqual(new Set(order.slice(0, 2)), alone);
});

test('a task that runs alone shares its process with no other task, even when other owners wait', async (t) => {
  await using opened = await openTasks();
  const suspect = newTask({ owner: 'one' });
  await opened.store.create(suspect, ROOM);
  await opened.store.lease({ worker: 'dead', max: 1, leaseMs: 1 });
  await waitFor(async () => (await opened.store.sweep(SWEEP_RULE)).requeued === 1);
  await opened.store.create(newTask({ owner: 'two' }), ROOM);
  const forOthers: unknown[] = [];
  const store: typeof opened.store = {
    ...opened.store,
    lease(options) {
      if (options.exceptOwners !== undefined) forOthers.push(options);
      return opened.store.lease(options);
    },
  };
  const [started, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { kinds } = makeKind(async ({ id }) => {
    if (id === suspect.id) {
      started.resolve();
      await go.promise;
    }
    return DONE;
  });
  t.mock.timers.enable({ apis: ['setInterval'] });
  const runner = startTaskRunner({ ...base, slots: 1, store, kinds });
  await started.promise;
  t.mock.timers.tick(2_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(forOthers, []);
  t.mock.timers.reset();
  go.resolve();
  await until(store, suspect.id);
  await runner.stop({ drainMs: 10_000 });
});
