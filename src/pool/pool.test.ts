import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import type { JobReport } from './index.ts';
import { holdThread, isError, makeGate, openPool, toJob, until } from './testing/pool-kit.ts';

test('a job returns its output and its timings', async (t) => {
  const pool = openPool(t);
  const result = await pool.run(...toJob('add', [2, 3]));
  assert.equal(result.output, 5);
  assert.equal(result.shared, false);
  assert.ok(result.queuedMs >= 0 && result.ranMs > 0);
});

test('a result includes what its thread counted during the job, and the ticket gets it too', async (t) => {
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

test('a buffer is moved to the main thread as a whole', async (t) => {
  const pool = openPool(t);
  const { output } = await pool.run(...toJob('pixels', 100_000));
  assert.ok(output instanceof Uint8Array);
  assert.equal(output.length, 100_000);
  assert.ok(output.every((value) => value === 1));
});

test('the script gets its settings, and progress is reported back', async (t) => {
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

test('the first job starts the threads; a pool without jobs has none', async (t) => {
  for (const jobs of [0, 1]) {
    let exited = 0;
    const pool = openPool(t, { threads: 2, onThreadExit: () => exited++ });
    for (let job = 0; job < jobs; job++) await pool.run(...toJob('echo', 1));
    await pool.close();
    pool.start();
    assert.deepEqual([exited, pool.health().up], [2 * jobs, 0]);
  }
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

test('a shared run continues when one caller disconnects and is cancelled when all have', async (t) => {
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

test('a job with impossible numbers throws a bug error', async (t) => {
  const pool = openPool(t);
  for (const wrong of [{ bytes: -1 }, { bytes: Number.NaN }, { timeoutMs: 0 }, { timeoutMs: 2 ** 31 }]) {
    await assert.rejects(pool.run(...toJob('echo', 1, wrong)), isError('internal', 'bad-job'));
  }
});
