import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartData } from '../panels/area/series/chart-data.ts';
import { toFieldNumbers } from './field-numbers.ts';

const DAY_MS = 86_400_000;

/** A year with a clear scene every fifth day and a crop that is highest on day 190. */
const makeChart = (valueOn: (day: number) => number): ChartData => {
  const days = Array.from({ length: 365 }, (_, i) =>
    new Date(Date.parse('2026-01-01') + i * DAY_MS).toISOString().slice(0, 10),
  );
  const points = days.map((_, day) => (day % 5 === 0 ? valueOn(day) : null));
  return {
    days,
    seconds: days.map((day) => Date.parse(day) / 1000),
    scenes: days.map(() => null),
    indices: [{ name: 'NDVI', points, line: points }],
    weather: days.map((day, i) =>
      i < 100
        ? {
            day,
            minC: 4,
            maxC: 10,
            rainMm: i === 0 ? null : 1,
            growingDegrees: null,
            evaporationMm: null,
            balanceMm: null,
            isForecast: i === 99,
          }
        : null,
    ),
    soil: days.map(() => null),
    growth: [],
    balance: [],
    sumsFrom: null,
    spread: null,
    normal: null,
    isOfYears: false,
  };
};

test('a report has the last clear value, the change since the one before, and the season', () => {
  const { last, before, season, meanC, rainMm } = toFieldNumbers(
    makeChart((day) => 0.2 + 0.6 * Math.exp(-(((day - 190) / 40) ** 2))),
  );
  assert.deepEqual([last?.day, before?.day], ['2026-12-27', '2026-12-22']);
  assert.ok(season !== null);
  assert.match(season.peak.day, /^2026-07-(0[5-9]|1[0-5])$/);
  assert.ok(Math.abs(season.peak.value - 0.8) < 0.05, String(season.peak.value));
  assert.ok(season.start !== null && season.start > '2026-03' && season.start < '2026-07');
  assert.ok(season.end !== null && season.end > '2026-07' && season.end < '2026-11');
  assert.deepEqual([meanC, rainMm], [7, 98], 'a forecast does not count');
});

test('bare ground has no season, and a field without a clear scene has no value', () => {
  assert.equal(toFieldNumbers(makeChart(() => 0.15)).season, null);
  const empty = makeChart(() => 0);
  const none = toFieldNumbers({ ...empty, indices: [], weather: empty.days.map(() => null) });
  assert.deepEqual(none, { last: null, before: null, season: null, meanC: null, rainMm: null });
});
