import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { toDate, toDayNumber, toYearDay, YEAR_DAYS } from './day-of-year.ts';
import { splitYears, toAnomaly, toNormals } from './normals.ts';

const makeYears = (values: Readonly<Record<number, number>>): ReadonlyMap<number, Float64Array> =>
  new Map(
    Object.entries(values).map(([year, value]) => [Number(year), new Float64Array(YEAR_DAYS).fill(value)]),
  );

test('every day of a year has an index, and 29 February has none', () => {
  assert.deepEqual(toYearDay(toDayNumber('2026-01-01')), { year: 2026, at: 0 });
  assert.deepEqual(toYearDay(toDayNumber('2026-12-31')), { year: 2026, at: 364 });
  assert.deepEqual(toYearDay(toDayNumber('2024-02-28')), { year: 2024, at: 58 });
  assert.deepEqual(toYearDay(toDayNumber('2024-02-29')), { year: 2024, at: null });
  assert.deepEqual(toYearDay(toDayNumber('2024-03-01')), { year: 2024, at: 59 });
  assert.deepEqual(toYearDay(toDayNumber('2023-03-01')), { year: 2023, at: 59 });
  assert.deepEqual(toYearDay(toDayNumber('2024-12-31')), { year: 2024, at: 364 });
  assert.equal(toDate(toDayNumber('2026-06-21') + 0.4), '2026-06-21');
});

test('a curve is divided by years', () => {
  const firstDay = toDayNumber('2024-12-30');
  const years = splitYears({ firstDay, values: Float64Array.of(1, 2, 3, Number.NaN, 5) });
  assert.deepEqual([...years.keys()], [2024, 2025]);
  assert.deepEqual([...years.get(2024)!.slice(363)], [1, 2]);
  assert.deepEqual([...years.get(2025)!.slice(0, 4)], [3, Number.NaN, 5, Number.NaN]);
});

test('the normals of a day are statistics over its years', () => {
  const normals = toNormals(makeYears({ 2020: 0.2, 2021: 0.4, 2022: 0.6, 2023: 0.9 }));
  assert.deepEqual(normals.years, [2020, 2021, 2022, 2023]);
  const on = (numbers: Float64Array): number => Math.round(numbers[100]! * 1e6) / 1e6;
  assert.deepEqual(
    [normals.mean, normals.median, normals.p10, normals.p90, normals.min, normals.max, normals.std].map(on),
    [0.525, 0.5, 0.26, 0.81, 0.2, 0.9, 0.298608],
  );
  assert.equal(normals.counts[100], 4);
});

test('single days do not stand out: each number is the mean of the days around it, across the turn of the year', () => {
  const [a, b] = [new Float64Array(YEAR_DAYS), new Float64Array(YEAR_DAYS)];
  a[0] = 3;
  b[0] = 3;
  const { mean } = toNormals(
    new Map([
      [2020, a],
      [2021, b],
    ]),
    { windowDays: 3 },
  );
  assert.deepEqual([mean[364], mean[0], mean[1], mean[2]], [1, 1, 1, 0]);
});

test('days with too few years have no normal, and no anomaly', () => {
  const short = new Float64Array(YEAR_DAYS).fill(Number.NaN);
  short[10] = 0.5;
  const normals = toNormals(
    new Map([
      [2020, short],
      [2021, new Float64Array(YEAR_DAYS).fill(0.3)],
    ]),
  );
  assert.deepEqual([normals.counts[10], normals.counts[11]], [2, 1]);
  assert.equal(normals.mean[10], 0.4);
  assert.ok(Number.isNaN(normals.mean[11]));
  assert.equal(toAnomaly(0.3, toDayNumber('2026-01-12'), normals), null);
  assert.equal(toAnomaly(0.3, toDayNumber('2026-01-11'), normals)?.z, null, 'two years have no deviation');
});

test('an anomaly has a difference, a share, deviations and a percentile', () => {
  const normals = toNormals(makeYears({ 2020: 0.4, 2021: 0.5, 2022: 0.6 }));
  const anomaly = toAnomaly(0.3, toDayNumber('2024-02-29'), normals);
  assert.ok(anomaly !== null);
  for (const [got, expected] of [
    [anomaly.difference, -0.2],
    [anomaly.relative, -0.4],
    [anomaly.z, -2],
    [anomaly.percentile, 0],
  ] as const)
    assert.ok(got !== null && Math.abs(got - expected) < 1e-9, `${got}, not ${expected}`);
  assert.equal(toAnomaly(0.5, 0, normals)?.percentile, 50);
  assert.equal(toAnomaly(0.9, 0, normals)?.percentile, 100);
  assert.equal(toAnomaly(0.5, 0, toNormals(makeYears({ 1: 0, 2: 0, 3: 0 })))?.z, null);
});

test('normals of any years keep their order: min ≤ p10 ≤ median ≤ p90 ≤ max', () => {
  const value = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NaN));
  const year = fc
    .array(value, { minLength: 7, maxLength: 7 })
    .map((week) => new Float64Array(YEAR_DAYS).map((_, i) => week[i % 7]!));
  fc.assert(
    fc.property(fc.array(year, { minLength: 1, maxLength: 5 }), (years) => {
      const normals = toNormals(new Map(years.map((one, i) => [2000 + i, one])));
      for (let at = 0; at < YEAR_DAYS; at += 13) {
        if (Number.isNaN(normals.mean[at])) continue;
        const { min, p10, median, p90, max, mean } = normals;
        const numbers = [min, p10, median, p90, max].map((list) => list[at]!);
        for (const [i, number] of numbers.entries())
          assert.ok(i === 0 || number >= numbers[i - 1]! - 1e-12, `${numbers}`);
        assert.ok(mean[at]! >= min[at]! - 1e-12 && mean[at]! <= max[at]! + 1e-12);
      }
    }),
    { numRuns: casesOf(100) },
  );
});
