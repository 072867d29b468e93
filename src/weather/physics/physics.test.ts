import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toReferenceEvapotranspiration, toSkyRadiation } from './evapotranspiration.ts';
import { toGrowingDegrees } from './growing-degrees.ts';
import { toRelativeHumidity, toVapourPressure } from './vapour-pressure.ts';
import { WIND_2M_OF_10M } from './wind-profile.ts';

const near = (actual: number, expected: number, by: number): void =>
  assert.ok(Math.abs(actual - expected) <= by, `${actual}, not ${expected}`);

test('vapour pressure and humidity', () => {
  near(toVapourPressure(10), 12.279626, 1e-6);
  assert.equal(toVapourPressure(0), 6.108);
  near(toVapourPressure(-5), 4.211765, 1e-6);
  near(toRelativeHumidity(20, 10), 52.5156, 1e-4);
  assert.equal(toRelativeHumidity(10, 11), 100);
});

test('wind at 2 m', () => near(5 * WIND_2M_OF_10M, 3.739755, 1e-6));

test('growing degrees count from the base', () => {
  assert.equal(toGrowingDegrees(8, 20, 10), 4);
  assert.equal(toGrowingDegrees(-2, 6, 5), 0);
});

test('radiation above the air, as in FAO-56, examples 8 and 18', () => {
  near(toSkyRadiation(246, -20), 32.2, 0.05);
  near(toSkyRadiation(187, 50.8), 41.09, 0.05);
  assert.equal(toSkyRadiation(355, 80), 0);
});

test('evapotranspiration of FAO-56, example 18: Brussels on 6 July', () => {
  const day = { min: 12.3, max: 21.5, vapourPressure: 14.09, wind: 2.078, dayOfYear: 187 };
  near(
    toReferenceEvapotranspiration({ ...day, radiation: 22.07, latitude: 50.8, elevation: 100 }),
    3.88,
    0.01,
  );
});

test('evapotranspiration of FAO-56, example 20: Lyon in July without measured radiation', () => {
  // Of the monthly example: temperatures 14.8 and 26.6, vapour of the dew point, wind 2 m/s. Printed as 4.56 mm; the
  // example rounds its steps.
  const day = { min: 14.8, max: 26.6, vapourPressure: 16.8, wind: 2, dayOfYear: 196, radiation: null };
  near(toReferenceEvapotranspiration({ ...day, latitude: 45.72, elevation: 200 }), 4.56, 0.06);
});

test('nothing evaporates in the polar night, and no day gives less than nothing', () => {
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
