import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Season } from './find-seasons.ts';
import { findSeasons } from './find-seasons.ts';

/** Straight lines through corners: [day, value]. */
const toCurve = (corners: readonly (readonly [day: number, value: number])[], firstDay = 0) => {
  const values: number[] = [corners[0]![1]];
  for (const [k, [day, value]] of corners.slice(1).entries()) {
    const [from, start] = corners[k]!;
    for (let i = from + 1; i <= day; i++) values.push(start + ((value - start) * (i - from)) / (day - from));
  }
  return { firstDay, values: Float64Array.from(values) };
};

const only = (seasons: readonly Season[]): Season => {
  assert.equal(seasons.length, 1);
  return seasons[0]!;
};

const near = (got: number | null, expected: number): void =>
  assert.ok(got !== null && Math.abs(got - expected) < 1e-9, `${got}, not ${expected}`);

test('a triangle has the start, end and integrals of a triangle', () => {
  const curve = toCurve(
    [
      [0, 0.2],
      [100, 0.7],
      [200, 0.3],
    ],
    1000,
  );
  const season = only(findSeasons(curve));
  // 0.2 + 0.2 × 0.5 = 0.3 after 20 days; 0.3 + 0.2 × 0.4 = 0.38 with 20 days left.
  near(season.startDay, 1020);
  near(season.startValue, 0.3);
  near(season.endDay, 1180);
  near(season.endValue, 0.38);
  assert.deepEqual([season.peakDay, season.peakValue, season.isPeakKnown], [1100, 0.7, true]);
  near(season.lengthDays, 160);
  near(season.base, 0.25);
  near(season.amplitude, 0.45);
  near(season.largeIntegral, 80 * 0.5 + 80 * 0.54);
  near(season.smallIntegral, 80 * 0.5 + 80 * 0.54 - 0.25 * 160);
});

test('thresholds move start and end, also to between two days', () => {
  const curve = toCurve([
    [0, 0.2],
    [99, 0.7],
    [200, 0.2],
  ]);
  const season = only(findSeasons(curve, { startFraction: 0.5, endFraction: 0.1 }));
  near(season.startDay, 49.5);
  near(season.endDay, 200 - 10.1);
});

test('two crops in a year are two seasons; a dip that is too small separates none', () => {
  const corners = [
    [0, 0.2],
    [60, 0.8],
    [120, 0.25],
    [200, 0.7],
    [300, 0.2],
  ] as const;
  const seasons = findSeasons(toCurve(corners));
  assert.deepEqual(
    seasons.map(({ peakDay }) => peakDay),
    [60, 200],
  );
  near(seasons[0]!.base, 0.225);
  const dip = toCurve([
    [0, 0.2],
    [60, 0.8],
    [90, 0.7],
    [120, 0.75],
    [200, 0.2],
  ]);
  assert.equal(only(findSeasons(dip)).peakDay, 60);
  assert.equal(findSeasons(dip, { minAmplitude: 0.05, minRangeFraction: 0 }).length, 2);
});

test('a flat curve has no season, and neither has flicker below the smallest amplitude', () => {
  assert.deepEqual(
    findSeasons(
      toCurve([
        [0, 0.3],
        [300, 0.3],
      ]),
    ),
    [],
  );
  assert.deepEqual(
    findSeasons(
      toCurve([
        [0, 0.3],
        [100, 0.38],
        [200, 0.3],
      ]),
    ),
    [],
  );
  assert.deepEqual(
    findSeasons(
      toCurve([
        [0, 0.3],
        [300, 0.3],
      ]),
      { minAmplitude: 0 },
    ),
    [],
  );
});

test('a season in progress has a start, and no end yet', () => {
  const rising = only(
    findSeasons(
      toCurve([
        [0, 0.2],
        [100, 0.7],
      ]),
    ),
  );
  near(rising.startDay, 20);
  assert.deepEqual(
    [rising.isPeakKnown, rising.endDay, rising.lengthDays, rising.largeIntegral],
    [false, null, null, null],
  );
  near(rising.base, 0.2);
  const falling = only(
    findSeasons(
      toCurve([
        [0, 0.2],
        [100, 0.7],
        [130, 0.55],
      ]),
    ),
  );
  assert.deepEqual([falling.isPeakKnown, falling.peakDay, falling.endDay], [true, 100, null]);
  near(falling.amplitude, 0.5);
});

test('a season that started before the curve has no start', () => {
  const season = only(
    findSeasons(
      toCurve([
        [0, 0.6],
        [30, 0.8],
        [130, 0.2],
        [150, 0.2],
      ]),
    ),
  );
  assert.deepEqual([season.startDay, season.peakDay], [null, 30]);
  near(season.endDay, 110);
  near(season.base, 0.2);
});

test('a gap ends one season and another starts after it', () => {
  const { values } = toCurve([
    [0, 0.2],
    [60, 0.8],
    [120, 0.2],
    [180, 0.8],
    [240, 0.2],
  ]);
  values.fill(Number.NaN, 80, 140);
  const seasons = findSeasons({ firstDay: 0, values });
  assert.deepEqual(
    seasons.map(({ startDay, peakDay, endDay }) => [startDay !== null, peakDay, endDay !== null]),
    [
      [true, 60, false],
      [false, 180, true],
    ],
  );
});
