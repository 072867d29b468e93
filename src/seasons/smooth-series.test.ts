import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smoothDays } from './smooth-days.ts';
import type { Sample } from './smooth-series.ts';
import { smoothSeries, toSampleWeight, valueOn } from './smooth-series.ts';

const toSamples = (pairs: readonly (readonly [day: number, value: number])[]): readonly Sample[] =>
  pairs.map(([day, value]) => ({ day, value, weight: 1 }));

test('a curve extends from the first to the last measurement, in any order', () => {
  const curve = smoothSeries(
    toSamples([
      [20_010, 0.5],
      [20_000, 0.2],
    ]),
  );
  assert.equal(curve?.firstDay, 20_000);
  assert.equal(curve.values.length, 11);
  assert.ok(Math.abs(valueOn(curve, 20_005)! - 0.35) < 1e-9);
  assert.deepEqual([valueOn(curve, 19_999), valueOn(curve, 20_011)], [null, null]);
});

test('several measurements on one day count as their weighted mean', () => {
  const both = smoothSeries([
    { day: 0, value: 0.2, weight: 1 },
    { day: 7, value: 0.8, weight: 0.25 },
    { day: 7, value: 0.4, weight: 0.75 },
    { day: 20, value: 0.3, weight: 1 },
  ]);
  const one = smoothSeries([
    { day: 0, value: 0.2, weight: 1 },
    { day: 7, value: 0.5, weight: 1 },
    { day: 20, value: 0.3, weight: 1 },
  ]);
  for (const [i, value] of both!.values.entries()) assert.ok(Math.abs(value - one!.values[i]!) < 1e-12);
});

test('days between measurements that are too far apart have no value', () => {
  const samples = toSamples([
    [0, 0.2],
    [60, 0.3],
    [121, 0.4],
    [130, 0.4],
  ]);
  const curve = smoothSeries(samples);
  assert.deepEqual(
    [30, 60, 61, 120, 121].map((day) => valueOn(curve!, day) !== null),
    [true, true, false, false, true],
  );
  assert.notEqual(valueOn(smoothSeries(samples, { maxGapDays: 61 })!, 100), null);
});

test('measurements on fewer than two days make no curve', () => {
  assert.equal(smoothSeries([]), null);
  assert.equal(
    smoothSeries(
      toSamples([
        [5, 0.1],
        [5, 0.2],
      ]),
    ),
    null,
  );
});

test('the envelope is above the plain curve, and a dip caused by haze hardly lowers it', () => {
  const samples = Array.from({ length: 40 }, (_, i) => ({
    day: 5 * i,
    value: 0.6 - (i % 7 === 3 ? 0.3 : 0),
    weight: 1,
  }));
  const [plain, upper] = [smoothSeries(samples)!, smoothSeries(samples, { envelope: 0.95 })!];
  const mean = (values: Float64Array): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(mean(plain.values) - 0.557) < 0.01, `${mean(plain.values)}`);
  assert.ok(mean(upper.values) > 0.59, `${mean(upper.values)}`);
  const even = smoothSeries(samples, { envelope: 0.5, smoothness: 500 })!;
  const expected = smoothDays(
    Array.from({ length: 196 }, (_, i) => (i % 5 === 0 ? samples[i / 5]!.value : 0)),
    Array.from({ length: 196 }, (_, i) => (i % 5 === 0 ? 0.5 : 0)),
    500,
  );
  for (const [i, value] of even.values.entries()) assert.ok(Math.abs(value - expected[i]!) < 1e-12);
});

test('clouds lower the weight of a scene, but never to zero', () => {
  assert.deepEqual([null, 0, 40, 100].map(toSampleWeight), [1, 1, 0.6, 0.05]);
});
