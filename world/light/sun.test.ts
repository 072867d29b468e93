import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earthSunDistanceAu, solarHourAt, sunAbove, sunAt } from './sun.ts';

const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test("the sun is where NREL's worked example has it", () => {
  // Reda & Andreas 2004, table A5.1: 39.742476° N, 105.1786° W; elevation before refraction 39.872046°.
  const sun = sunAbove(Date.UTC(2003, 9, 17, 19, 30, 30), 39.742476, -105.1786);
  near(sun.elevationDeg, 39.872, 0.01);
  near(sun.azimuthDeg, 194.3402, 0.01);
});

test('the sun is where the metadata of a southern Landsat 8 scene have it', () => {
  // Path 90, row 84, at the mean of its corners; the file says 55.486 and 74.007.
  const sun = sunAbove(Date.UTC(2016, 0, 21, 23, 50, 23), -34.61, 149.84);
  near(sun.elevationDeg, 55.49, 0.15);
  near(sun.azimuthDeg, 74.01, 0.2);
});

test('above the world the sun is highest at solar noon, near 65° in June and 18° in December', () => {
  const noon = (month: number): number => Date.UTC(2024, month, 21, 20, 9);
  near(sunAt(noon(5)).elevationDeg, 65.2, 0.2);
  near(sunAt(noon(11)).elevationDeg, 18.3, 0.2);
  near(sunAt(noon(5)).azimuthDeg, 180, 1.5);
  near(solarHourAt(noon(5)), 12, 0.01);
});

test('the distance to the sun follows the published formula', () => {
  for (const [dayOfYear, distanceAu] of [
    [1, 0.983302],
    [18, 0.983763],
    [100, 1.001346],
    [184, 1.016703],
    [288, 0.997122],
  ] as const) {
    near(earthSunDistanceAu(Date.UTC(2015, 0, dayOfYear, 18)), distanceAu, 1e-6);
  }
});
