import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  harden,
  toCrownTemperature,
  toGrowingDegrees,
  toReferenceEvapotranspiration,
  toRelativeHumidity,
  toSeasonStart,
  toSkyRadiation,
  toVapourPressure,
  WIND_2M_OF_10M,
} from './physics.ts';

const near = (actual: number, expected: number, by: number): void =>
  assert.ok(Math.abs(actual - expected) <= by, `${actual}, not ${expected}`);

test('vapour pressure and humidity', () => {
  near(toVapourPressure(10), 12.279626, 1e-6);
  assert.equal(toVapourPressure(0), 6.108);
  near(toVapourPressure(-5), 4.211765, 1e-6);
  near(toRelativeHumidity(20, 10), 52.5156, 1e-4);
  assert.equal(toRelativeHumidity(10, 11), 100);
});

test('wind at 2 m is computed from wind at 10 m', () => near(5 * WIND_2M_OF_10M, 3.739755, 1e-6));

test('growing degrees count from the base', () => {
  assert.equal(toGrowingDegrees(8, 20, 10), 4);
  assert.equal(toGrowingDegrees(-2, 6, 5), 0);
});

test('extraterrestrial radiation matches FAO-56, examples 8 and 18', () => {
  near(toSkyRadiation(246, -20), 32.2, 0.05);
  near(toSkyRadiation(187, 50.8), 41.09, 0.05);
  assert.equal(toSkyRadiation(355, 80), 0);
});

test('evapotranspiration matches FAO-56, example 18: Brussels on 6 July', () => {
  const day = { min: 12.3, max: 21.5, vapourPressure: 14.09, wind: 2.078, dayOfYear: 187 };
  near(
    toReferenceEvapotranspiration({ ...day, radiation: 22.07, latitude: 50.8, elevation: 100 }),
    3.88,
    0.01,
  );
});

test('evapotranspiration matches FAO-56, example 20: Lyon in July without measured radiation', () => {
  // Of the monthly example: temperatures 14.8 and 26.6, vapour of the dew point, wind 2 m/s. Printed as 4.56 mm; the
  // example rounds its steps.
  const day = { min: 14.8, max: 26.6, vapourPressure: 16.8, wind: 2, dayOfYear: 196, radiation: null };
  near(toReferenceEvapotranspiration({ ...day, latitude: 45.72, elevation: 200 }), 4.56, 0.06);
});

test('nothing evaporates in the polar night, and no day is negative', () => {
  const evaporated = toReferenceEvapotranspiration({
    min: -30,
    max: -25,
    vapourPressure: 0.4,
    wind: 1,
    radiation: null,
    dayOfYear: 355,
    latitude: 80,
    elevation: 0,
  });
  near(evaporated, 0, 0.2);
});

/** Minimum, maximum, snow depth; index and critical temperature after the day. */
const WINTER = [
  [2, 8, 0, 0.095553, -6.5733],
  [1, 6, 0, 0.195553, -7.1733],
  [0, 7, 0, 0.295553, -7.7733],
  [-1, 5, 0, 0.395233, -8.3714],
  [-3, 3, 0, 0.485603, -8.9136],
  [-2, 4, 0, 0.582237, -9.4934],
  [1, 5, 0, 0.681743, -10.0905],
  [0, 6, 0, 0.781249, -10.6875],
  [-1, 4, 0, 0.879639, -11.2778],
  [0, 5, 0, 0.977663, -11.866],
  [-2, 6, 0, 1.077479, -12.4649],
  [-5, -1, 0, 1.160812, -12.9649],
  [-9, -4, 2, 1.244146, -13.4649],
  [-12, -6, 6, 1.327479, -13.9649],
  [-18, -8, 12, 1.410812, -14.4649],
  [-20, -10, 20, 1.494146, -14.9649],
  [-8, 1, 15, 1.577479, -15.4649],
  [0, 12, 4, 1.497479, -14.9849],
  [3, 15, 0, 1.297479, -13.7849],
] as const;

test('a winter hardens wheat day by day, and a thaw undoes some of it', () => {
  let index = 0;
  for (const [i, [min, max, snowDepth, expected, critical]] of WINTER.entries()) {
    const after = harden(index, { min, max, snowDepth });
    assert.ok(Math.abs(after.index - expected) < 1e-6, `day ${i + 1}: ${after.index}`);
    assert.ok(
      Math.abs(after.criticalTemperature - critical) < 1e-4,
      `day ${i + 1}: ${after.criticalTemperature}`,
    );
    index = after.index;
  }
});

test('snow protects the crown up to a depth', () => {
  assert.ok(Math.abs(toCrownTemperature(-18, 12) - -5.4916) < 1e-9);
  assert.ok(Math.abs(toCrownTemperature(-20, 20) - -6) < 1e-9);
  assert.ok(Math.abs(toCrownTemperature(-5, 0) - -2.025) < 1e-9);
  assert.equal(toCrownTemperature(-5, null), toCrownTemperature(-5, 0));
  assert.equal(toCrownTemperature(7, 10), 7);
});

test('the index stays between 0 and 2', () => {
  assert.equal(harden(0, { min: 20, max: 35, snowDepth: 0 }).index, 0);
  assert.equal(harden(1.98, { min: -20, max: -10, snowDepth: 0 }).index, 2);
});

test('a season starts before the day, by hemisphere', () => {
  assert.equal(toSeasonStart('2026-08-01', 50), '2026-08-01');
  assert.equal(toSeasonStart('2026-07-31', 50), '2025-08-01');
  assert.equal(toSeasonStart('2026-05-02', -30), '2026-02-01');
  assert.equal(toSeasonStart('2026-01-31', -30), '2025-02-01');
});
