import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toForecastAge, toHistoryAge } from './answer-weather.ts';

test('histories are cached for as long as the setting says once their last day is settled', () => {
  const from = '2026-01-01';
  const options = { nowMs: Date.parse('2026-06-20T12:00:00Z'), maxAgeS: 3_600 };
  assert.equal(toHistoryAge({ from, to: '2026-06-09' }, options), 3_600);
  assert.equal(toHistoryAge({ from, to: '2026-06-11' }, options), 600);
  assert.equal(toHistoryAge({ from, to: '2026-07-01' }, options), 600);
});

test('forecasts are cached for ten minutes, or less if the setting says so', () => {
  assert.equal(toForecastAge(3_600), 600);
  assert.equal(toForecastAge(60), 60);
});
