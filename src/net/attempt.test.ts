import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../async/index.ts';
import { sourceBroken } from '../errors.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { PassingFailure, parseRetryAfterMs } from './attempt.ts';
import { makeUpstream } from './upstream.ts';

/** A clock whose sleepers the test wakes. */
function makeClock() {
  const sleepers: { durationMs: number; wake: () => void }[] = [];
  let now = 0;
  const clock: Clock = {
    nowMs: () => now,
    random: () => 0,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ durationMs, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };
  return {
    clock,
    sleepers,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** An origin with latencies of 100 ms, and calls whose tries the test answers. */
async function makeKit({ hedgeShare = 1, concurrency = 4, reads = 40 } = {}) {
  const { clock, sleepers, pass } = makeClock();
  const counts = { hedged: 0, won: 0 };
  const upstream = makeUpstream({ hedgeShare, concurrency, retries: 0 }, clock, {
    onHedge: () => {
      counts.hedged += 1;
    },
    onHedgeWon: () => {
      counts.won += 1;
    },
  });
  for (let read = 0; read < reads; read += 1) {
    await upstream.call('a', async () => {
      pass(100);
      return 'bytes';
    });
  }
  sleepers.length = 0;
  const tries: {
    signal: AbortSignal;
    answer: (result: string | PassingFailure) => void;
    fail: (error: Error) => void;
  }[] = [];
  const call = () =>
    upstream.call(
      'a',
      (signal) =>
        new Promise<string | PassingFailure>((resolve, reject) => {
          tries.push({ signal, answer: resolve, fail: reject });
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    );
  return { call, tries, sleepers, counts };
}

test('a late call is hedged, the first answer wins, and the other attempt is aborted', async () => {
  const { call, tries, sleepers, counts } = await makeKit();
  const result = call();
  await letTurnsPass();
  assert.deepEqual([tries.length, sleepers[0]?.durationMs], [1, 100]);
  sleepers[0]?.wake();
  await letTurnsPass();
  assert.equal(tries.length, 2);
  tries[1]?.answer('second');
  assert.equal(await result, 'second');
  assert.equal(tries[0]?.signal.aborted, true);
  assert.deepEqual(counts, { hedged: 1, won: 1 });

  const again = call();
  await letTurnsPass();
  sleepers[1]?.wake();
  await letTurnsPass();
  tries[2]?.answer('first');
  assert.equal(await again, 'first');
  assert.equal(tries[3]?.signal.aborted, true);
  assert.deepEqual(counts, { hedged: 2, won: 1 });
});

test('a failed attempt waits for the other; if both fail, the first failure is thrown', async () => {
  const { call, tries, sleepers } = await makeKit();
  const saved = call();
  await letTurnsPass();
  sleepers[0]?.wake();
  await letTurnsPass();
  tries[0]?.fail(sourceBroken('source-cut-off', 'It broke.'));
  tries[1]?.answer('second');
  assert.equal(await saved, 'second');
  const lost = call();
  await letTurnsPass();
  sleepers[1]?.wake();
  await letTurnsPass();
  tries[3]?.answer(new PassingFailure(sourceBroken('source-failing', 'The second fails.')));
  tries[2]?.answer(new PassingFailure(sourceBroken('source-failing', 'The first fails.')));
  await assert.rejects(lost, { message: 'The first fails.' });
});

test('there is no second attempt without budget, without a free slot, or for an origin with too few latencies', async () => {
  for (const [kit, isWatched] of [
    [{ hedgeShare: 0 }, false],
    [{ reads: 5 }, false],
    [{ concurrency: 1 }, true],
  ] as const) {
    const { call, tries, sleepers, counts } = await makeKit(kit);
    const result = call();
    await letTurnsPass();
    assert.equal(sleepers.length > 0, isWatched);
    sleepers[0]?.wake();
    await letTurnsPass();
    assert.deepEqual([tries.length, counts.hedged], [1, 0]);
    tries[0]?.answer('bytes');
    assert.equal(await result, 'bytes');
  }
});

test('second attempts stay within their share of the traffic', async () => {
  const { call, tries, sleepers, counts } = await makeKit({ hedgeShare: 0.03 });
  for (let read = 0; read < 300; read += 1) {
    const result = call();
    await letTurnsPass();
    sleepers.at(-1)?.wake();
    await letTurnsPass();
    for (const { answer } of tries) answer('bytes');
    await result;
  }
  assert.ok(counts.hedged >= 9 && counts.hedged <= 11, `${counts.hedged} of 340`);
});

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

test('Retry-After takes seconds or an HTTP date, and nothing else', () => {
  assert.equal(parseRetryAfterMs('0', NOW), 0);
  assert.equal(parseRetryAfterMs('120', NOW), 120_000);
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2026 12:00:30 GMT', NOW), 30_000);
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2026 11:00:00 GMT', NOW), 0);
  for (const text of [
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    '99999999999',
    'soon',
    '2026-01-01',
    'Thu, 99 Foo 2026 12:00:00 GMT',
  ]) {
    assert.equal(parseRetryAfterMs(text, NOW), null, String(text));
  }
});
