/** Workers that throw, hang, die or take too much memory: each costs its own request and nothing else. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSwathError } from '../errors.ts';
import { HANG_MS } from '../testing/wait-for.ts';
import type { JobTable, Pool } from './index.ts';
import type { StartFailure } from './testing/failing-worker.ts';
import { holdThread, isError, makeGate, openPool, toJob, toScript, until } from './testing/pool-kit.ts';

const MiB = 2 ** 20;

/** The pool has its thread back, nothing is reserved, and the next job runs. */
async function checkRecovered(pool: Pool<JobTable>): Promise<void> {
  assert.equal((await pool.run(...toJob('echo', 'alive'))).output, 'alive');
  await until(() => pool.stats().running.tile === 0);
  assert.equal(pool.stats().ledger.usedBytes, 0);
}

test('an error thrown on purpose arrives with its tag, code, message and details', async (t) => {
  const pool = openPool(t);
  await assert.rejects(pool.run(...toJob('throwKnown')), (error: unknown) => {
    assert.ok(isSwathError(error));
    assert.deepEqual(
      [error.tag, error.code, error.message, error.details],
      ['bad-input', 'bad-zoom', 'The zoom must be from 0 to 24.', { limit: 24 }],
    );
    return true;
  });
  await checkRecovered(pool);
  assert.deepEqual([pool.stats().totals.failed, pool.stats().totals.replaced], [1, 0]);
});

test('any other error becomes internal and hides its text', async (t) => {
  const pool = openPool(t);
  await assert.rejects(pool.run(...toJob('throwUnknown')), (error: unknown) => {
    assert.ok(isSwathError(error));
    assert.equal(error.tag, 'internal');
    assert.doesNotMatch(error.message, /secret|shadow/);
    assert.match(String(error.cause), /secret path/, 'the log may have it');
    return true;
  });
  await checkRecovered(pool);
  assert.equal(pool.stats().totals.replaced, 0);
});

test('an unknown kind, an output and an input that cannot be cloned fail only their own job', async (t) => {
  const pool = openPool(t);
  await assert.rejects(pool.run(...toJob('noSuchKind')), isError('internal', 'unknown-job'));
  await assert.rejects(pool.run(...toJob('toString')), isError('internal', 'unknown-job'));
  await assert.rejects(pool.run(...toJob('unsendable')), isError('internal', 'internal'));
  await assert.rejects(pool.run(...toJob('echo', () => 1)), isError('internal', 'bad-job'));
  await checkRecovered(pool);
  assert.equal(pool.stats().totals.replaced, 0);
});

test('the id of a thread is reported once it has exited, whatever ended it', async (t) => {
  const exits: number[] = [];
  const pool = openPool(t, { threads: 2, graceMs: 50, onThreadExit: (id) => exits.push(id) });
  await pool.ready();
  await assert.rejects(
    pool.run(...toJob('spin', 0, { timeoutMs: 50 })),
    isError('timed-out', 'render-timeout'),
  );
  await until(() => exits.length === 1);
  await pool.close();
  // The killed one, its successor and the other; close() gives them no longer than the grace period.
  await until(() => exits.length === 3);
  assert.equal(new Set(exits).size, 3);
  assert.ok(exits.every((id) => id > 0));
});

test('a worker that spins forever is killed at its time limit and replaced', async (t) => {
  const pool = openPool(t, { graceMs: 50 });
  await pool.ready();
  await assert.rejects(pool.run(...toJob('spin', 0, { timeoutMs: 100 })), (error: unknown) => {
    assert.ok(isSwathError(error));
    assert.deepEqual([error.tag, error.code], ['timed-out', 'render-timeout']);
    assert.equal(error.message, 'The render did not finish within 0.1 s.');
    return true;
  });
  await checkRecovered(pool);
  const { timedOut, replaced, crashed } = pool.stats().totals;
  assert.deepEqual([timedOut, replaced, crashed], [1, 1, 0]);
});

test('the caller gets a timeout before the grace period is over, and the bytes stay reserved', async (t) => {
  const pool = openPool(t, { graceMs: 60_000 });
  await pool.ready();
  const gate = makeGate();
  await assert.rejects(
    pool.run(...toJob('hold', { label: 'slow', gate: gate.word }, { timeoutMs: 50, bytes: 700 })),
    isError('timed-out', 'render-timeout'),
  );
  assert.deepEqual([pool.stats().ledger.usedBytes, pool.stats().running.tile], [700, 1]);
  gate.open();
  await checkRecovered(pool);
  assert.equal(pool.stats().totals.replaced, 0, 'it stopped by itself');
});

test('a cancel reaches a handler that awaits and one that loops, and their thread survives', async (t) => {
  const pool = openPool(t, { graceMs: 60_000 });
  for (const kind of ['untilAborted', 'untilCancelled']) {
    const seen = makeGate();
    const controller = new AbortController();
    await assert.rejects(
      pool.run(
        ...toJob(
          kind,
          { seen: seen.word },
          { signal: controller.signal, onProgress: () => controller.abort() },
        ),
      ),
      isError('cancelled', 'cancelled'),
    );
    await seen.opened();
    await checkRecovered(pool);
  }
  assert.deepEqual([pool.stats().totals.cancelled, pool.stats().totals.replaced], [2, 0]);
});

test('a job that is not counted changes no total, however it ends', async (t) => {
  const pool = openPool(t, { graceMs: 60_000 });
  const before = pool.stats().totals;
  const isUncounted = true;
  assert.equal((await pool.run(...toJob('echo', 'alive', { isUncounted }))).output, 'alive');
  await assert.rejects(pool.run(...toJob('throwKnown', null, { isUncounted })), { code: 'bad-zoom' });
  const controller = new AbortController();
  const { signal } = controller;
  const ticket = { signal, isUncounted, onProgress: () => controller.abort() };
  const cancelled = pool.run(...toJob('untilAborted', { seen: makeGate().word }, ticket));
  await assert.rejects(cancelled, isError('cancelled', 'cancelled'));
  assert.deepEqual(pool.stats().totals, before);
});

test('a cancelled worker that does not listen is killed after the grace period', async (t) => {
  const pool = openPool(t, { graceMs: 20 });
  const controller = new AbortController();
  await assert.rejects(
    pool.run(...toJob('spin', 0, { signal: controller.signal, onProgress: () => controller.abort() })),
    isError('cancelled', 'cancelled'),
  );
  await checkRecovered(pool);
  const { cancelled, replaced } = pool.stats().totals;
  assert.deepEqual([cancelled, replaced], [1, 1]);
});

for (const kind of ['exit', 'throwLater', 'rejectLater']) {
  test(`a worker that dies (${kind}) fails its own job, not its neighbour's`, async (t) => {
    const pool = openPool(t, { threads: 2 });
    await pool.ready();
    const gate = makeGate();
    const neighbour = await holdThread(pool, gate);
    await assert.rejects(pool.run(...toJob(kind)), isError('internal', 'worker-crashed'));
    assert.equal((await pool.run(...toJob('echo', 'alive'))).output, 'alive');
    await until(() => pool.stats().ledger.usedBytes === 1);
    gate.open();
    assert.equal((await neighbour.done).output, 'held');
    const { crashed, replaced, failed } = pool.stats().totals;
    assert.deepEqual([crashed, replaced, failed], [1, 1, 1]);
  });
}

test('a worker that fills its JavaScript heap dies alone', async (t) => {
  const pool = openPool(t, { heapLimitMb: 24 });
  await assert.rejects(pool.run(...toJob('heapHog')), isError('too-large', 'worker-out-of-memory'));
  await checkRecovered(pool);
});

test('a worker that allocates typed arrays without end is killed while it runs', async (t) => {
  const pool = openPool(t, { runawayBytes: 100 * MiB, memoryWatchMs: 10 });
  await assert.rejects(pool.run(...toJob('runaway')), isError('too-large', 'worker-out-of-memory'));
  await checkRecovered(pool);
  assert.equal(pool.stats().totals.replaced, 1);
});

test('a worker that keeps too many typed arrays after a job is replaced between jobs', async (t) => {
  const pool = openPool(t, { maxWorkerBytes: 60 * MiB, runawayBytes: 1_000 * MiB });
  assert.equal((await pool.run(...toJob('hoard', 20 * MiB))).output, 1);
  assert.equal((await pool.run(...toJob('hoard', 20 * MiB))).output, 2);
  assert.equal(pool.stats().totals.replaced, 0);
  assert.equal((await pool.run(...toJob('hoard', 40 * MiB))).output, 3, 'the job itself succeeds');
  assert.equal((await pool.run(...toJob('hoard', 1))).output, 1, 'and the next one runs on a new thread');
  assert.deepEqual([pool.stats().totals.replaced, pool.stats().totals.failed], [1, 0]);
});

test('garbage and moved results do not get a worker killed', async (t) => {
  const pool = openPool(t, { maxWorkerBytes: 60 * MiB, runawayBytes: 1_000 * MiB });
  for (let i = 0; i < 4; i++) await pool.run(...toJob('litter', 40 * MiB));
  const { output } = await pool.run(...toJob('pixels', 80 * MiB));
  assert.equal((output as Uint8Array).length, 80 * MiB);
  assert.equal(pool.stats().totals.replaced, 0);
});

test('a missing script makes the pool unhealthy instead of silent', async (t) => {
  const pool = openPool(t, { script: toScript('no-such-worker'), maxFailedStarts: 2, startBackoffMs: 1 });
  const early = pool.run(...toJob('echo', 1));
  await Promise.all([
    assert.rejects(pool.ready(), isError('internal', 'workers-down')),
    assert.rejects(early, isError('internal', 'workers-down')),
  ]);
  const health = pool.health();
  assert.deepEqual([health.ok, health.up], [false, 0]);
  assert.match(health.problem ?? '', /no-such-worker/);
  await assert.rejects(pool.run(...toJob('echo', 1)), isError('internal', 'workers-down'));
  await assert.rejects(pool.ready(), isError('internal', 'workers-down'));
});

const FAILURES: readonly StartFailure[] = ['not-starting', 'short-lived', 'silent'];
for (const failure of FAILURES) {
  test(`a crash loop at the start (${failure}) is bounded and reported`, async (t) => {
    const pool = openPool(t, {
      script: toScript('failing-worker'),
      settings: failure,
      threads: 2,
      maxFailedStarts: 3,
      startBackoffMs: 1,
      startTimeoutMs: failure === 'silent' ? 50 : 60_000,
    });
    pool.start();
    await until(() => !pool.health().ok);
    await assert.rejects(pool.run(...toJob('echo', 1)), isError('internal', 'workers-down'));
    assert.ok(pool.stats().totals.crashed >= 6);
  });
}

test('threads that cannot be created, here because of their settings, count as failed starts', async (t) => {
  const pool = openPool(t, { threads: 2, settings: () => 'not cloneable', maxFailedStarts: 1 });
  await assert.rejects(pool.ready(), isError('internal', 'workers-down'));
  assert.match(pool.health().problem ?? '', /could not be cloned/);
  await assert.rejects(pool.run(...toJob('echo', 1)), isError('internal', 'workers-down'));
});

test('a pool that was down works again once its threads start', async (t) => {
  const gate = makeGate();
  const pool = openPool(t, {
    script: toScript('failing-worker'),
    settings: gate.word,
    maxFailedStarts: 1,
    startBackoffMs: 1,
  });
  await assert.rejects(pool.ready(), isError('internal', 'workers-down'));
  gate.open();
  await until(() => pool.health().ok);
  await checkRecovered(pool);
});

test('a job that kills every thread it runs on does not make the pool unhealthy', async (t) => {
  const pool = openPool(t, { maxFailedStarts: 2 });
  for (let i = 0; i < 4; i++) {
    await assert.rejects(pool.run(...toJob('exit')), isError('internal', 'worker-crashed'));
  }
  assert.equal(pool.health().ok, true);
  await checkRecovered(pool);
});

test('nothing keeps the process alive after close', () => {
  const program = fileURLToPath(toScript('close-program'));
  const run = spawnSync(process.execPath, [program], { timeout: HANG_MS, encoding: 'utf8' });
  assert.equal(run.stdout.trim(), 'rejected rejected', run.stderr);
  assert.equal(run.status, 0);
});
