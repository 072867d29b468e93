import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallBudget, parsePauseMs, toCallCount } from './ask-server.ts';

const NOON_MS = Date.UTC(2026, 4, 20, 12, 30, 45);
const limited = (reason: string, retryAfter: string | null = null) =>
  parsePauseMs({ status: 429, retryAfter, reason }, NOON_MS);

test('a refusal says how long to wait: by its header, or until the limit that it names resets', () => {
  const words = 'API request limit exceeded. Please try again';
  assert.equal(limited(`Minutely ${words} in one minute.`), 15_000);
  assert.equal(limited(`Hourly ${words} in the next hour.`), (29 * 60 + 15) * 1_000);
  assert.equal(limited(`Daily ${words} tomorrow.`), Date.UTC(2026, 4, 21) - NOON_MS);
  assert.equal(limited('Too many concurrent requests'), 15_000);
  assert.equal(limited(`Daily ${words} tomorrow.`, '7'), 7_000);
  assert.equal(limited('', 'Wed, 20 May 2026 12:31:00 GMT'), 15_000);
  assert.equal(limited('', 'soon'), 15_000);
});

test('the pause after a server error comes from its header, or is unknown', () => {
  assert.equal(parsePauseMs({ status: 503, retryAfter: '30', reason: '' }, NOON_MS), 30_000);
  assert.equal(parsePauseMs({ status: 502, retryAfter: null, reason: '' }, NOON_MS), null);
});

test('requests count as Open-Meteo counts them', () => {
  // The examples of https://open-meteo.com/en/pricing.
  assert.equal(toCallCount({ variables: 15, days: 14, locations: 1 }), 1.5);
  assert.equal(toCallCount({ variables: 15, days: 28, locations: 1 }), 3);
  assert.equal(toCallCount({ variables: 3, days: 1, locations: 1 }), 1, 'at least one');
  assert.equal(toCallCount({ variables: 3, days: 28, locations: 1 }), 1, 'few variables of more days');
  assert.equal(toCallCount({ variables: 15, days: 1, locations: 1 }), 1.5, 'few days are not cheaper');
  assert.equal(toCallCount({ variables: 9, days: 7, locations: 25 }), 25);
});

test('each limit of a server applies, and 0 means no limit', () => {
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
