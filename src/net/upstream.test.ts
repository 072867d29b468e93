import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../async/index.ts';
import { sourceBroken, timedOut } from '../errors.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { PassingFailure } from './attempt.ts';
import { makeFakeClock } from './testing/fake-clock.ts';
import { makeRetryBudget, makeUpstream } from './upstream.ts';

const failing = () => new PassingFailure(sourceBroken('source-failing', 'It fails.'));

test('a temporary failure is retried twice, after a random part of a doubling wait', async () => {
  const clock = makeFakeClock(0.5);
  let tries = 0;
  const result = await makeUpstream({ backoffMs: 100 }, clock).call('a', async () => {
    tries += 1;
    return tries < 3 ? failing() : 'bytes';
  });
  assert.deepEqual([result, tries], ['bytes', 3]);
  assert.deepEqual(clock.sleeps, [50, 100]);
});

test('the error of the last retry is thrown', async () => {
  let tries = 0;
  const upstream = makeUpstream({}, makeFakeClock());
  const attempt = async () => {
    tries += 1;
    return failing();
  };
  await assert.rejects(upstream.call('a', attempt), { code: 'source-failing' });
  assert.equal(tries, 3);
});

test('a retry waits as long as the store asks, unless the read would exceed its time limit', async () => {
  const error = sourceBroken('source-failing', 'It fails.');
  const clock = makeFakeClock();
  let tries = 0;
  const attempt = (afterMs: number) => async () => {
    tries += 1;
    return tries === 1 ? new PassingFailure(error, afterMs) : 'bytes';
  };
  assert.equal(await makeUpstream({ totalMs: 5_000 }, clock).call('a', attempt(4_000)), 'bytes');
  assert.deepEqual(clock.sleeps, [4_000]);
  tries = 0;
  await assert.rejects(makeUpstream({ totalMs: 5_000 }, makeFakeClock()).call('a', attempt(5_000)), error);
  assert.equal(tries, 1);
});

test('a thrown error is final: neither a timeout nor a wrong range is retried', async () => {
  for (const error of [timedOut('source-timed-out', 'Late.'), sourceBroken('source-wrong-range', 'A lie.')]) {
    let tries = 0;
    const attempt = async (): Promise<never> => {
      tries += 1;
      throw error;
    };
    await assert.rejects(makeUpstream({}, makeFakeClock()).call('a', attempt), error);
    assert.equal(tries, 1);
  }
});

test('retries stay within a tenth of the traffic', async () => {
  let random = 1;
  const next = () => {
    random = (random * 16807) % 2147483647;
    return random / 2147483647;
  };
  let calls = 0;
  const upstream = makeUpstream({}, makeFakeClock());
  const reads = 2_000;
  for (let read = 0; read < reads; read += 1) {
    await upstream
      .call('a', async () => {
        calls += 1;
        return next() < 0.3 ? failing() : 'bytes';
      })
      .catch(() => null);
  }
  assert.ok(calls <= 1.1 * reads + 2, `${calls} calls for ${reads} reads`);
  assert.ok(calls >= 1.09 * reads, `${calls} calls use up the budget`);
});

test('after 20 failures in a row calls to a store are paused, then one probe decides', async () => {
  const clock = makeFakeClock();
  const upstream = makeUpstream({ breakerFailures: 20, breakerRestMs: 5_000, retries: 0 }, clock);
  let isWell = false;
  let calls = 0;
  const read = () =>
    upstream.call('a', async () => {
      calls += 1;
      return isWell ? 'bytes' : failing();
    });
  for (let n = 0; n < 20; n += 1) await assert.rejects(read(), { code: 'source-failing' });
  await assert.rejects(read(), { tag: 'source-broken', code: 'source-resting' });
  assert.equal(calls, 20);
  assert.equal(await upstream.call('b', async () => 'bytes'), 'bytes', 'calls to another origin continue');

  clock.advance(5_000);
  await assert.rejects(read(), { code: 'source-failing' });
  await assert.rejects(read(), { code: 'source-resting' }, 'the probe failed: calls are paused again');
  clock.advance(5_000);
  isWell = true;
  const [first, second] = await Promise.allSettled([read(), read()]);
  assert.equal(first.status, 'fulfilled');
  assert.equal(second.status, 'rejected', 'only one probe at a time');
  assert.equal(await read(), 'bytes');
});

test('timeouts count as failures of the store, wrong ranges do not', async () => {
  for (const [error, rests] of [
    [timedOut('source-timed-out', 'Late.'), true],
    [sourceBroken('source-wrong-range', 'A lie.'), false],
  ] as const) {
    const upstream = makeUpstream({ breakerFailures: 20 }, makeFakeClock());
    for (let n = 0; n < 20; n += 1)
      await assert.rejects(
        upstream.call('a', () => Promise.reject(error)),
        error,
      );
    const next = await upstream.call('a', async () => 'bytes').catch(({ code }) => code);
    assert.equal(next, rests ? 'source-resting' : 'bytes');
  }
});

test('concurrent calls are limited, and the others run in the order of their calls', async () => {
  const upstream = makeUpstream({ concurrency: 3 });
  let running = 0;
  let max = 0;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      upstream.call('a', async () => {
        running += 1;
        max = Math.max(max, running);
        order.push(n);
        await letTurnsPass();
        running -= 1;
      }),
    ),
  );
  assert.equal(max, 3);
  assert.deepEqual(
    order,
    Array.from({ length: 12 }, (_, n) => n),
  );
});

test('a call ends at its time limit, without its wait for a slot, and when its caller disconnects', async () => {
  const upstream = makeUpstream({ concurrency: 1, totalMs: 30 });
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const both = await Promise.allSettled([upstream.call('a', hang), upstream.call('a', hang)]);
  for (const { status, ...rest } of both) {
    assert.equal(status, 'rejected');
    assert.equal((rest as { reason: { tag: string } }).reason.tag, 'timed-out');
  }
  // Twenty calls of 10 ms one after the other: each one is within its limit.
  const turns = makeUpstream({ concurrency: 1, totalMs: 150 });
  const slow = (signal: AbortSignal) => systemClock.sleep(10, signal);
  await Promise.all(Array.from({ length: 20 }, () => turns.call('a', slow)));
  const waiter = new AbortController();
  const running = upstream.call('b', hang).catch(() => {});
  const waiting = upstream.call('b', hang, waiter.signal);
  await letTurnsPass();
  waiter.abort();
  await assert.rejects(waiting, { tag: 'cancelled' });
  await running;
  const leaver = new AbortController();
  const sleeping = makeUpstream(
    { backoffMs: 60_000, maxBackoffMs: 60_000, totalMs: 600_000 },
    { ...systemClock, random: () => 0.9 },
  ).call('a', async () => failing(), leaver.signal);
  await letTurnsPass();
  leaver.abort();
  await assert.rejects(sleeping, { tag: 'cancelled' });
});

test('a budget saves up to its limit', () => {
  const budget = makeRetryBudget({ share: 0.1, initial: 0, max: 2 });
  assert.equal(budget.spend(), false);
  for (let n = 0; n < 10; n += 1) budget.earn();
  assert.equal(budget.spend(), true);
  assert.equal(budget.spend(), false);
  for (let n = 0; n < 1_000; n += 1) budget.earn();
  assert.deepEqual([budget.spend(), budget.spend(), budget.spend()], [true, true, false]);
});
