import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallBudget, toCallCount } from './call-budget.ts';

const limits = { perMinute: 600, perHour: 5_000, perDay: 10_000 };

test('requests count as Open-Meteo counts them', () => {
  // The examples of https://open-meteo.com/en/pricing.
  assert.equal(toCallCount({ variables: 15, days: 14, locations: 1 }), 1.5);
  assert.equal(toCallCount({ variables: 15, days: 28, locations: 1 }), 3);
  assert.equal(toCallCount({ variables: 3, days: 1, locations: 1 }), 1, 'at least one');
  assert.equal(toCallCount({ variables: 3, days: 28, locations: 1 }), 1, 'few variables of more days');
  assert.equal(toCallCount({ variables: 15, days: 1, locations: 1 }), 1.5, 'few days are not cheaper');
  assert.equal(toCallCount({ variables: 9, days: 7, locations: 25 }), 25);
});

test('each limit holds, and fills again with time', () => {
  let nowMs = 0;
  const budget = makeCallBudget(limits, () => nowMs);
  assert.equal(budget.take(600), null);
  assert.equal(budget.take(1), 100, 'the tenth of a second in which one call comes back');
  nowMs += 100;
  assert.equal(budget.take(1), null);
  nowMs += 60_000;
  let [taken, waitMs]: [number, number | null] = [601, null];
  for (; waitMs === null; nowMs += 60_000) {
    waitMs = budget.take(500);
    if (waitMs === null) taken += 500;
    assert.ok(taken <= 5_000 * (1 + nowMs / 3_600_000), 'an hour, and what has come back');
  }
  assert.ok(taken > 4_500);
  assert.ok(waitMs > 1_000, 'longer than a minute would make it wait');
  nowMs += waitMs;
  assert.equal(budget.take(500), null);
});

test('the day holds too', () => {
  let nowMs = 0;
  const budget = makeCallBudget({ perMinute: 0, perHour: 0, perDay: 10 }, () => nowMs);
  assert.equal(budget.take(10), null);
  assert.equal(budget.take(1), 8_640_000);
  nowMs += 8_640_000;
  assert.equal(budget.take(1), null);
  assert.notEqual(budget.take(1), null);
});

test('a refused request takes nothing out', () => {
  const budget = makeCallBudget({ perMinute: 10, perHour: 0, perDay: 0 }, () => 0);
  assert.equal(budget.take(6), null);
  assert.notEqual(budget.take(6), null);
  assert.equal(budget.take(4), null);
});

test('a request larger than a limit passes when nothing else was asked, and is paid for later', () => {
  let nowMs = 0;
  const budget = makeCallBudget({ perMinute: 10, perHour: 0, perDay: 0 }, () => nowMs);
  assert.equal(budget.take(30), null);
  nowMs += 60_000;
  assert.notEqual(budget.take(1), null);
  nowMs += 120_000;
  assert.equal(budget.take(10), null);
});

test('without limits everything passes, also when the clock goes back', () => {
  let nowMs = 1_000_000;
  const free = makeCallBudget({ perMinute: 0, perHour: 0, perDay: 0 }, () => nowMs);
  const budget = makeCallBudget(limits, () => nowMs);
  assert.equal(free.take(1e9), null);
  assert.equal(budget.take(600), null);
  nowMs = 0;
  assert.equal(free.take(1e9), null);
  assert.notEqual(budget.take(600), null);
});
