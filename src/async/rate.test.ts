import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTokenBuckets, makeWindowCounter } from './rate.ts';

const MINUTE_MS = 60_000;

test('every limit holds, and its bucket refills over time', () => {
  let nowMs = 0;
  const limits = [
    { max: 600, spanMs: MINUTE_MS },
    { max: 5_000, spanMs: 60 * MINUTE_MS },
  ];
  const buckets = makeTokenBuckets(limits, () => nowMs);
  assert.equal(buckets.take(600), null);
  assert.equal(buckets.take(1), 100, 'one token refills in a tenth of a second');
  nowMs += 100;
  assert.equal(buckets.take(1), null);
  nowMs += MINUTE_MS;
  let [taken, waitMs]: [number, number | null] = [601, null];
  for (; waitMs === null; nowMs += MINUTE_MS) {
    waitMs = buckets.take(500);
    if (waitMs === null) taken += 500;
    assert.ok(
      taken <= 5_000 * (1 + nowMs / (60 * MINUTE_MS)),
      'the hourly limit and the tokens that refilled',
    );
  }
  assert.ok(taken > 4_500);
  assert.ok(waitMs > 1_000, 'longer than the limit per minute alone would require');
  nowMs += waitMs;
  assert.equal(buckets.take(500), null);
});

test('a refusal takes no tokens; a request larger than a bucket passes when it is full and leaves a debt', () => {
  let nowMs = 0;
  const buckets = makeTokenBuckets([{ max: 10, spanMs: MINUTE_MS }], () => nowMs);
  assert.equal(buckets.take(6), null);
  assert.notEqual(buckets.take(6), null);
  assert.equal(buckets.take(4), null);
  nowMs += MINUTE_MS;
  assert.equal(buckets.take(30), null);
  nowMs += MINUTE_MS;
  assert.notEqual(buckets.take(1), null);
  nowMs += 2 * MINUTE_MS;
  assert.equal(buckets.take(10), null);
});

test('without limits everything passes; a clock that is set back refills nothing', () => {
  let nowMs = 1_000_000;
  assert.equal(makeTokenBuckets([], () => nowMs).take(1e9), null);
  const buckets = makeTokenBuckets([{ max: 600, spanMs: MINUTE_MS }], () => nowMs);
  assert.equal(buckets.take(600), null);
  nowMs = 0;
  assert.notEqual(buckets.take(600), null);
});

test('a window begins with the first event of a name and ends after its length', () => {
  let nowMs = 5;
  const counter = makeWindowCounter({ windowMs: 10_000, nowMs: () => nowMs });
  assert.deepEqual(counter.add('a'), { count: 1, resetS: 10 });
  nowMs += 9_500;
  assert.deepEqual(counter.add('a'), { count: 2, resetS: 1 });
  assert.deepEqual([counter.count('a'), counter.count('b')], [2, 0]);
  nowMs += 500;
  assert.equal(counter.count('a'), 0);
  assert.deepEqual(counter.add('a'), { count: 1, resetS: 10 });
});

test('the window that began longest ago is forgotten when there are too many names', () => {
  const counter = makeWindowCounter({ windowMs: 10_000, nowMs: () => 0, maxNames: 2 });
  for (const name of ['a', 'b', 'c']) counter.add(name);
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => counter.count(name)),
    [0, 1, 1],
  );
});
