import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDays, planTicks } from './draw-chart.ts';
import { planScaleBar, toRoundNumber } from './map-marks.ts';

const DAY_S = 86_400;
const daysFrom = (first: string, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Date.parse(first) / 1000 + i * DAY_S);

test('ticks are round numbers around all values', () => {
  for (const [min, max] of [
    [0.13, 0.87],
    [-7.2, 31.4],
    [0, 0],
    [5, 5],
    [0, 1e-4],
    [-0.02, 1234],
  ] as const) {
    const ticks = planTicks(min, max, 5);
    const [low = 0, high = 0] = [ticks[0], ticks.at(-1)];
    assert.ok(low <= min + 1e-9 && high >= max - 1e-9 && high > low, `${ticks} around ${min} to ${max}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 8, `${ticks.length} ticks`);
  }
});

test('months are marked on their first day, as many as fit', () => {
  const year = planDays(daysFrom('2025-11-18', 366), 8);
  assert.deepEqual(
    year.map((second) => new Date(second * 1000).toISOString().slice(0, 10)),
    ['2026-01-01', '2026-03-01', '2026-05-01', '2026-07-01', '2026-09-01', '2026-11-01'],
  );
  assert.ok(planDays(daysFrom('2020-01-01', 3650), 8).length <= 8);
  assert.equal(planDays(daysFrom('2026-06-01', 10), 5)[0], Date.parse('2026-06-01') / 1000);
});

test('a scale bar is a round length that fits', () => {
  assert.deepEqual([999, 1000, 47, 0.29].map(toRoundNumber), [500, 1000, 30, 0.2]);
  assert.equal(planScaleBar(10, 140, 'metric'), 1000);
  assert.equal(Math.round(planScaleBar(100, 140, 'imperial') / 1609.344), 5);
  assert.equal(Math.round(planScaleBar(1, 140, 'imperial') / 0.3048), 300);
});
