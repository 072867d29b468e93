import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallBudget, toCallCount } from './call-budget.ts';

test('requests count as Open-Meteo counts them', () => {
  // The examples of https://open-meteo.com/en/pricing.
  assert.equal(toCallCount({ variables: 15, days: 14, locations: 1 }), 1.5);
  assert.equal(toCallCount({ variables: 15, days: 28, locations: 1 }), 3);
  assert.equal(toCallCount({ variables: 3, days: 1, locations: 1 }), 1, 'at least one');
  assert.equal(toCallCount({ variables: 3, days: 28, locations: 1 }), 1, 'few variables of more days');
  assert.equal(toCallCount({ variables: 15, days: 1, locations: 1 }), 1.5, 'few days are not cheaper');
  assert.equal(toCallCount({ variables: 9, days: 7, locations: 25 }), 25);
});

test('each limit of a server holds, and 0 is none', () => {
  let nowMs = 0;
  const budget = makeCallBudget({ perMinute: 10, perHour: 15, perDay: 20 }, () => nowMs);
  assert.equal(budget.take(10), null);
  assert.equal(budget.take(1), 6_000);
  nowMs += 60_000;
  assert.equal(budget.take(10), 1_140_000, 'the hour has 5.25 left');
  nowMs += 3_600_000;
  assert.equal(budget.take(10), null);
  nowMs += 3_600_000;
  assert.equal(budget.take(10), 35_940_000, 'the day has 1.68 left');
  assert.equal(makeCallBudget({ perMinute: 0, perHour: 0, perDay: 0 }, () => nowMs).take(1e9), null);
});
