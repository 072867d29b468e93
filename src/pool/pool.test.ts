import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import type { JobReport, JobTable, JobTicket, Pool } from './index.ts';
import type { Gate } from './testing/pool-kit.ts';
import { holdThread, isError, makeGate, openPool, toJob, until } from './testing/pool-kit.ts';

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

test('a job returns its output and its timings', async (t) => {
  const pool = openPool(t);
  const result = await pool.run(...toJob('add', [2, 3]));
  assert.equal(result.output, 5);
  assert.equal(result.shared, false);
  assert.ok(result.queuedMs >= 0 && result.ranMs > 0);
});

test('a result has what its thread counted during the job, and the ticket learns of it', async (t) => {
  const pool = openPool(t);
  await pool.run(...toJob('add', [2, 3]));
  const { figures } = await pool.run(...toJob('add', [2, 3]));
  assert.deepEqual(figures, { sums: 1 });
  const reports: JobReport[] = [];
  const [kind, input, ticket] = toJob('echo', 'a');
  await pool.run(kind, input, { ...ticket, onJob: (report) => reports.push(report) });
  assert.deepEqual(
    reports.map((report) => [report.kind, report.figures, report.shared, 'output' in report]),
    [['echo', { sums: 0 }, false, false]],
  );
  assert.ok(reports.every(({ queuedMs, ranMs }) => queuedMs >= 0 && ranMs >= 0));
});

test('a buffer is moved to the main thread whole', async (t) => {
  const pool = openPool(t);
  const { output } = await pool.run(...toJob('pixels', 100_000));
  assert.ok(output instanceof Uint8Array);
  assert.equal(output.length, 100_000);
  assert.ok(output.every((value) => value === 1));
});

test('the script gets its settings, and progress comes back', async (t) => {
  const pool = openPool(t, { settings: { bucket: 'b' } });
  assert.deepEqual((await pool.run(...toJob('settings'))).output, { bucket: 'b' });
  const gate = makeGate();
  gate.open();
  const heard: unknown[] = [];
  await pool.run(
    ...toJob('hold', { label: 'half', gate: gate.word }, { onProgress: (progress) => heard.push(progress) }),
  );
  assert.deepEqual(heard, ['half']);
});

test('ready() means that every thread has started', async (t) => {
  const pool = openPool(t, { threads: 2 });
  assert.equal(pool.health().up, 0);
  await pool.ready();
  assert.deepEqual(pool.health(), { ok: true, threads: 2, up: 2 });
  await pool.ready();
});

test('stats show what runs, waits and is reserved, and everything is released', async (t) => {
  const pool = openPool(t, { threads: 2, budgetBytes: 2_000 });
  await pool.ready();
  const gate = makeGate();
  const held = await holdThread(pool, gate, { bytes: 300, lane: 'task' });
  const tile = await holdThread(pool, gate, { bytes: 100 });
  const waiting = pool.run(...toJob('echo', 1));
  assert.deepEqual(pool.stats(), {
    threads: 2,
    busy: 2,
    waiting: { tile: 1, task: 0 },
    running: { tile: 1, task: 1 },
    ledger: { usedBytes: 400, budgetBytes: 2_000 },
    totals: { done: 0, failed: 0, refused: 0, timedOut: 0, cancelled: 0, crashed: 0, replaced: 0, joined: 0 },
  });
  gate.open();
  await Promise.all([held.done, tile.done, waiting]);
  const { busy, running, ledger, totals } = pool.stats();
  assert.deepEqual([busy, running.tile, running.task, ledger.usedBytes, totals.done], [0, 0, 0, 0, 3]);
});

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

test('owners take turns, and tiles go before tasks', async (t) => {
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

test('when a large job that held up its lane gives up, those behind it start at once', async (t) => {
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

test('one signal can serve many jobs one after the other', async (t) => {
  const pool = openPool(t);
  const { signal } = new AbortController();
  for (let i = 0; i < 30; i++) await pool.run(...toJob('echo', i, { signal }));
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('500 equal jobs are one run, take one queue slot and share one buffer', async (t) => {
  const pool = openPool(t, { maxWaiting: { tile: 1, task: 1 } });
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  const runs = Array.from({ length: 500 }, () =>
    pool.run(...toJob('pixels', 1_000, { singleFlightKey: 'same' })),
  );
  assert.equal(pool.stats().waiting.tile, 1);
  gate.open();
  await held.done;
  const results = await Promise.all(runs);
  assert.equal(new Set(results.map(({ output }) => output)).size, 1);
  assert.ok(results.every(({ shared }) => shared));
  const { done, joined } = pool.stats().totals;
  assert.deepEqual([done, joined], [2, 499]);
});

test('a failed shared run is not cached', async (t) => {
  const pool = openPool(t);
  const first = pool.run(...toJob('throwKnown', 0, { singleFlightKey: 'same' }));
  const second = pool.run(...toJob('throwKnown', 0, { singleFlightKey: 'same' }));
  await assert.rejects(first, isError('bad-input', 'bad-zoom'));
  await assert.rejects(second, isError('bad-input', 'bad-zoom'));
  const result = await pool.run(...toJob('echo', 'good', { singleFlightKey: 'same' }));
  assert.deepEqual([result.output, result.shared], ['good', false]);
});

test('a tile does not join an equal task, which may be far back in the queue', async (t) => {
  const pool = openPool(t, { threads: 2, taskThreads: 1 });
  await pool.ready();
  const gate = makeGate();
  const held = await holdThread(pool, gate, { lane: 'task' });
  const task = pool.run(...toJob('echo', 1, { lane: 'task', singleFlightKey: 'same' }));
  assert.equal((await pool.run(...toJob('echo', 1, { singleFlightKey: 'same' }))).shared, false);
  gate.open();
  await Promise.all([held.done, task]);
});

test('a shared run goes on when one caller leaves and is cancelled when all have left', async (t) => {
  const pool = openPool(t);
  const [gate, seen] = [makeGate(), makeGate()];
  const leaver = new AbortController();
  const shared = { singleFlightKey: 'same', signal: leaver.signal };
  const { done: left } = await holdThread(pool, gate, shared);
  const stays = pool.run(...toJob('hold', 'joins the run above', { singleFlightKey: 'same' }));
  leaver.abort();
  await assert.rejects(left, isError('cancelled', 'cancelled'));
  gate.open();
  assert.equal((await stays).output, 'held');

  const leavers = [new AbortController(), new AbortController()];
  const calls = leavers.map(({ signal }) =>
    pool.run(...toJob('untilAborted', { seen: seen.word }, { singleFlightKey: 'other', signal })),
  );
  await until(() => pool.stats().running.tile === 1);
  for (const one of leavers) one.abort();
  for (const call of calls) await assert.rejects(call, isError('cancelled', 'cancelled'));
  await seen.opened();
  await until(() => pool.stats().running.tile === 0);
  assert.equal(pool.stats().totals.replaced, 0);
});

test('closing finishes admitted work, refuses new work and is harmless twice', async (t) => {
  const pool = openPool(t);
  const gate = makeGate();
  const held = await holdThread(pool, gate);
  const waiting = pool.run(...toJob('echo', 'waited'));
  const closed = pool.close({ drainMs: 60_000 });
  await assert.rejects(pool.run(...toJob('echo', 1)), isError('too-busy', 'shutting-down'));
  gate.open();
  assert.equal((await held.done).output, 'held');
  assert.equal((await waiting).output, 'waited');
  await closed;
  await pool.close();
  assert.equal(pool.health().up, 0);
});

test('closing gives up on work that does not finish within the drain time', async (t) => {
  const pool = openPool(t);
  const held = await holdThread(pool, makeGate());
  const waiting = pool.run(...toJob('echo', 1));
  const closed = pool.close({ drainMs: 10 });
  await assert.rejects(held.done, isError('too-busy', 'shutting-down'));
  await assert.rejects(waiting, isError('too-busy', 'shutting-down'));
  await closed;
  assert.equal(pool.stats().ledger.usedBytes, 0);
});

test('closing while threads start rejects ready()', async (t) => {
  const pool = openPool(t);
  const ready = pool.ready();
  await Promise.all([assert.rejects(ready, isError('too-busy', 'shutting-down')), pool.close()]);
});

test('a job with impossible numbers is a bug and says so', async (t) => {
  const pool = openPool(t);
  for (const wrong of [{ bytes: -1 }, { bytes: Number.NaN }, { timeoutMs: 0 }, { timeoutMs: 2 ** 31 }]) {
    await assert.rejects(pool.run(...toJob('echo', 1, wrong)), isError('internal', 'bad-job'));
  }
});
