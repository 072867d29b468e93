import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import type { JobTable, JobTicket, Pool } from './index.ts';
import type { Gate } from './testing/pool-kit.ts';
import { holdThread, isError, makeGate, openPool, toJob } from './testing/pool-kit.ts';

/** Queues jobs while the threads are blocked, and returns the order in which they ran. */
async function runInOrder(
  pool: Pool<JobTable>,
  gate: Gate,
  jobs: readonly (Partial<JobTicket> & { label: string })[],
) {
  const order: string[] = [];
  const runs = jobs.map(({ label, ...rest }) =>
    pool.run(...toJob('hold', { label, gate: gate.word }, { ...rest, onProgress: () => order.push(label) })),
  );
  gate.open();
  await Promise.all(runs);
  return order;
}

test('two greedy owners fill the queue, and a third one with few jobs still gets in', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 4, task: 1 }, ownerShare: 0.5 });
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  const greedy = ['a', 'b', 'a', 'b'].map((owner, i) => pool.run(...toJob('echo', i, { owner })));
  const dropped = assert.rejects(greedy[3] as Promise<unknown>, isError('too-busy', 'pool-full'));
  const modest = pool.run(...toJob('echo', 'm', { owner: 'c' }));
  await dropped;
  gate.open();
  assert.equal((await modest).output, 'm');
  await Promise.all([held.done, ...greedy.slice(0, 3)]);
});

test('an owner with a long queue leaves a thread to another owner', async (t) => {
  const pool = openPool(t, {
    threads: 2,
    maxWaiting: { tile: 8, task: 1 },
    ownerShare: 1,
    othersForMs: 60_000,
  });
  await pool.ready();
  const gates = [makeGate(), makeGate()] as const;
  const held = [
    await holdThread(pool, gates[0], { owner: 'greedy' }),
    await holdThread(pool, gates[1], { owner: 'greedy' }),
  ] as const;
  const last = makeGate();
  const queued = Array.from({ length: 6 }, (_, i) =>
    pool.run(...toJob('hold', { label: i, gate: last.word }, { owner: 'greedy' })),
  );
  const other = pool.run(...toJob('echo', 'other', { owner: 'modest' }));
  gates[0].open();
  await held[0].done;
  assert.equal((await other).output, 'other');
  const { busy, waiting } = pool.stats();
  assert.deepEqual([busy, waiting.tile], [1, 6], 'a thread is free for the next owner');
  gates[1].open();
  last.open();
  await Promise.all([held[1].done, ...queued]);
});

test('a full queue refuses at once and says when to retry', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 2, task: 1 }, ownerShare: 1 });
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  const admitted = [pool.run(...toJob('echo', 1)), pool.run(...toJob('echo', 2))];
  await assert.rejects(pool.run(...toJob('echo', 3)), (error: unknown) => {
    assert.ok(isSwathError(error));
    assert.deepEqual([error.tag, error.code], ['too-busy', 'pool-full']);
    const { retryAfterS } = error.details;
    return Number.isInteger(retryAfterS) && Number(retryAfterS) >= 1;
  });
  // A full lane of tiles does not take slots of the tasks.
  admitted.push(pool.run(...toJob('echo', 4, { lane: 'task' })));
  await assert.rejects(pool.run(...toJob('echo', 5, { lane: 'task' })), isError('too-busy', 'pool-full'));
  assert.equal(pool.stats().totals.refused, 2);
  gate.open();
  await held.done;
  assert.deepEqual(
    (await Promise.all(admitted)).map(({ output }) => output),
    [1, 2, 4],
  );
  assert.equal((await pool.run(...toJob('echo', 6))).output, 6);
});

test('one owner holds at most its share of the queue slots', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 8, task: 8 } });
  const gate = makeGate();
  const held = await holdThread(pool, gate, { owner: 'greedy' });
  const admitted = [1, 2].map((n) => pool.run(...toJob('echo', n, { owner: 'greedy' })));
  await assert.rejects(pool.run(...toJob('echo', 3, { owner: 'greedy' })), isError('too-busy', 'pool-full'));
  admitted.push(pool.run(...toJob('echo', 4, { owner: 'other' })));
  gate.open();
  await Promise.all([held.done, ...admitted]);
});

test('a job that can start at once needs no queue slot', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 0, task: 0 } });
  await pool.ready();
  assert.equal((await pool.run(...toJob('echo', 1))).output, 1);
});

test('owners take turns, and tiles run before tasks', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 20, task: 20 }, ownerShare: 1, patienceMs: 60_000 });
  const gate = makeGate();
  await holdThread(pool, gate);
  const order = await runInOrder(pool, gate, [
    { label: 'task', owner: 'bob', lane: 'task' },
    { label: 'greedy 1', owner: 'greedy' },
    { label: 'greedy 2', owner: 'greedy' },
    { label: 'greedy 3', owner: 'greedy' },
    { label: 'bob', owner: 'bob' },
  ]);
  assert.deepEqual(order, ['greedy 1', 'bob', 'greedy 2', 'greedy 3', 'task']);
});

test('a task behind a stream of tiles gets its turn', async (t) => {
  const pool = openPool(t, { patienceMs: 50, maxWaiting: { tile: 20, task: 20 }, ownerShare: 1 });
  const gate = makeGate();
  await holdThread(pool, gate);
  // Each finished tile queues the next two: without the rule the task would wait forever.
  let isOver = false;
  const keepAsking = async (): Promise<void> => {
    while (!isOver) await pool.run(...toJob('echo', 1));
  };
  const floods = [keepAsking(), keepAsking(), keepAsking()];
  const task = pool.run(...toJob('echo', 'task', { lane: 'task' }));
  gate.open();
  assert.equal((await task).output, 'task');
  isOver = true;
  await Promise.all(floods);
});

test('tasks leave a thread to the tiles', async (t) => {
  const pool = openPool(t, { threads: 3, budgetBytes: 2_000 });
  await pool.ready();
  const gate = makeGate();
  const tasks = [1, 2, 3].map(() =>
    pool.run(...toJob('hold', { label: 'task', gate: gate.word }, { lane: 'task' })),
  );
  assert.deepEqual(pool.stats().running, { tile: 0, task: 2 });
  assert.equal((await pool.run(...toJob('echo', 'tile'))).output, 'tile');
  gate.open();
  await Promise.all(tasks);
});

test('a job waits for its bytes, and one that can never fit is refused at once', async (t) => {
  const pool = openPool(t, { threads: 2, budgetBytes: 1_000, taskBytes: 400 });
  await pool.ready();
  const gate = makeGate();
  const held = await holdThread(pool, gate, { bytes: 500 });
  const tooMuchNow = pool.run(...toJob('echo', 'later', { bytes: 101 }));
  assert.equal(pool.stats().waiting.tile, 1);
  assert.equal((await pool.run(...toJob('echo', 'fits', { bytes: 100, owner: 'bob' }))).output, 'fits');
  assert.equal(pool.stats().waiting.tile, 1);
  for (const [lane, bytes] of [
    ['tile', 601],
    ['task', 401],
  ] as const) {
    await assert.rejects(
      pool.run(...toJob('echo', 1, { lane, bytes })),
      isError('too-large', 'over-memory-budget'),
    );
  }
  gate.open();
  await held.done;
  assert.equal((await tooMuchNow).output, 'later');
  assert.equal(pool.stats().ledger.usedBytes, 0);
});

test('when a large job that held up its lane gives up, the jobs behind it start at once', async (t) => {
  const pool = openPool(t, { threads: 2, budgetBytes: 2_000, patienceMs: 0 });
  await pool.ready();
  const gate = makeGate();
  const held = await holdThread(pool, gate, { bytes: 500 });
  const controller = new AbortController();
  const large = pool.run(...toJob('echo', 1, { bytes: 600, signal: controller.signal }));
  const small = pool.run(...toJob('echo', 'small', { bytes: 10, owner: 'bob' }));
  assert.equal(pool.stats().waiting.tile, 2);
  controller.abort();
  await assert.rejects(large, isError('cancelled', 'cancelled'));
  assert.equal((await small).output, 'small');
  gate.open();
  await held.done;
});

test('a job that waits too long is refused', async (t) => {
  const pool = openPool(t, { maxWaitMs: { tile: 20, task: 20 } });
  await pool.ready();
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  await assert.rejects(pool.run(...toJob('echo', 1)), isError('too-busy', 'waited-too-long'));
  assert.deepEqual(pool.stats().waiting, { tile: 0, task: 0 });
  gate.open();
  await held.done;
});

test('an abort takes a waiting job out of the queue at once and leaves no listener', async (t) => {
  const pool = openPool(t);
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  const controller = new AbortController();
  const waiting = pool.run(...toJob('echo', 1, { signal: controller.signal }));
  assert.equal(pool.stats().waiting.tile, 1);
  controller.abort();
  assert.equal(pool.stats().waiting.tile, 0);
  await assert.rejects(waiting, isError('cancelled', 'cancelled'));
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  await assert.rejects(
    pool.run(...toJob('echo', 1, { signal: controller.signal })),
    isError('cancelled', 'cancelled'),
  );
  gate.open();
  await held.done;
});
