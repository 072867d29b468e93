import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneWords } from './testing/make-input.ts';
import { makeApply, planOf } from './testing/make-input.ts';

// Values computed once in float64 with Python from the formulas of the sources that the sensors name. All run through
// the compiled pass, in float32.

const apply = makeApply();

/** A sum whose two terms nearly cancel out cannot be nearer than the terms are: 1e-8 is a ten-thousandth of a stored unit. */
function near(found: number, expected: number, what: string): void {
  const error = Math.abs(found - expected);
  assert.ok(error <= Math.max(1e-6 * Math.abs(expected), 1e-8), `${what}: ${found} instead of ${expected}`);
}

const linear = (mult: number, add: number) => ({ mult, add });
const says = (band: string, words: object, earthSunDistanceAu: number | null = null): SceneWords => ({
  calibration: { earthSunDistanceAu, bands: { [band]: words } },
});

test('Landsat 8 reflectance matches the vectors', () => {
  const reflectance = linear(2e-5, -0.1);
  for (const [stored, sunElevationDeg, expected] of [
    [10_000, 63, 0.1122326237634361],
    [10_000, 11.10898916, 0.5190062163004177],
    [20_000, 30, 0.6],
    [5_000, 47.3, 0],
  ] as const) {
    const stated = planOf(['L8', 'B4'], { ...says('B4', { reflectance }), sunElevationDeg });
    near(apply(stated, stored), expected, `${stored} at ${sunElevationDeg}°`);
    assert.equal(stated.quantity, 'reflectance');
    assert.deepEqual(stated.notes, []);
    near(apply(planOf(['L8', 'B4'], { sunElevationDeg }), stored), expected, 'by constants');
  }
});

test('Landsat 8 brightness temperature matches the vectors', () => {
  const radiance = linear(3.342e-4, 0.1);
  for (const [band, stored, k1, k2, expected] of [
    ['B10', 25_000, 774.8853, 1321.0789, 291.70557490856805],
    ['B10', 30_000, 774.8853, 1321.0789, 303.6549920661739],
    ['B11', 25_000, 480.8883, 1201.1442, 295.9717945105837],
  ] as const) {
    const stated = planOf(['L8', band], says(band, { radiance, thermal: { k1, k2 } }));
    near(apply(stated, stored), expected, `${band} ${stored}`);
    assert.equal(stated.quantity, 'kelvin');
    near(apply(planOf(['L8', band]), stored), expected, 'by constants');
  }
});

/** Radiances of the same vectors, from which a product's own scale is made. */
const REFLECTIVE = [
  ['L5TM', 'B3', 60, [-1.17, 264], 0.1474549707564481],
  ['L5TM', 'B4', 90, [-1.51, 221], 0.2779651137243595],
  ['L5TM', 'B1', 80, [-1.52, 193], 0.11148621643157236],
  ['L7', 'B3', 70, [-5, 152.9], 0.09265442867601291],
  ['L7', 'B4', 70, [-5.1, 241.1], 0.2228829817939547],
  ['L7', 'B8', 80, [-4.7, 243.1], 0.19917195741329285],
  ['L4TM', 'B3', 60, [-1.2, 204.3], 0.11333679333490845],
  ['L4MSS', 'B1', 60, [4, 238], 0.11972127921049577],
  ['L5MSS', 'B1', 60, [3, 268], 0.13266081152767553],
  ['L5MSS', 'B2', 60, [3, 179], 0.10476650914643577],
  ['L5MSS', 'B3', 60, [5, 148], 0.11469003314811115],
  ['L5MSS', 'B4', 60, [3, 123], 0.13560549440708036],
] as const;

test('MSS, TM and ETM+ reflectance follows from radiance, the sun of the day and ESUN', () => {
  for (const [sensor, band, stored, [least, most], expected] of REFLECTIVE) {
    const byConstants = planOf([sensor, band]);
    near(apply(byConstants, stored), expected, `${sensor} ${band}`);
    assert.equal(byConstants.notes.length, 1);
    const mult = (most - least) / 254;
    const stated = planOf([sensor, band], says(band, { radiance: linear(mult, least - mult) }));
    near(apply(stated, stored), expected, `${sensor} ${band} by its own radiance`);
    assert.deepEqual(stated.notes, []);
  }
});

test('TM and ETM+ brightness temperature matches the vectors', () => {
  for (const [sensor, band, stored, expected] of [
    ['L5TM', 'B6', 130, 293.324640799999],
    ['L4TM', 'B6', 130, 292.1454814622327],
    ['L7', 'B6', 140, 299.51495714497906],
    ['L7', 'B6_VCID_2', 140, 292.2498710916107],
  ] as const) {
    near(apply(planOf([sensor, band]), stored), expected, `${sensor} ${band}`);
  }
});

test('the distance of the sun follows the day of the year in UTC', () => {
  // Nothing else in a factor changes with the day.
  const { parameters: inJuly } = planOf(['CBERS4MUX', 'BAND7']);
  for (const [acquiredAt, expected] of [
    ['2005-01-01T00:00:00.000Z', 0.9833022591474462],
    ['2005-01-18T23:59:59.999Z', 0.9837625234724705],
    ['2005-04-10T00:00:00.000Z', 1.0013460454230012],
    ['2004-04-09T12:00:00.000Z', 1.0013460454230012],
    ['2005-07-03T12:00:00.000Z', 1.016702893666359],
    ['2005-07-15T12:00:00.000Z', 1.0165032729329209],
    ['2005-10-15T12:00:00.000Z', 0.9971223557645472],
    ['2005-12-31T23:59:59.999Z', 0.983324867751627],
  ] as const) {
    const { parameters } = planOf(['CBERS4MUX', 'BAND7'], { acquiredAt });
    const ratio = (parameters[1] as number) / (inJuly[1] as number);
    near(Math.sqrt(ratio) * 1.0165032729329209, expected, acquiredAt);
  }
});

test('Sentinel-2 is scaled by scale and offset of the product, or by its baseline', () => {
  for (const [sensor, baseline, stored, offset, expected] of [
    ['S2', 'N0301', 2500, 0, 0.25],
    ['S2', 'N0400', 3500, -0.1, 0.25],
    ['S2', 'N0509', 1000, -0.1, 0],
    ['S2L2A', 'N0400', 900, -0.1, -0.01],
  ] as const) {
    const stated = planOf([sensor, 'B04'], { scale: 0.0001, offset });
    near(apply(stated, stored), expected, `${sensor} ${baseline}`);
    assert.deepEqual(stated.notes, []);
    const productId = `S2A_MSIL1C_20220125T105321_${baseline}_R051_T31TDH_20220125T125900`;
    const named = planOf([sensor, 'B04'], { productId });
    near(apply(named, stored), expected, `${sensor} ${baseline} by its name`);
    assert.equal(named.notes.length, 1);
  }
});

test('Sentinel-1 sigma nought follows the table of the product', () => {
  const sigmaNought = { lines: [0, 100], pixels: [0, 100], values: [600, 580, 604, 584] };
  const plan = planOf(['S1', 'VV'], says('VV', { sigmaNought }));
  assert.equal(plan.quantity, 'sigma-nought');
  assert.deepEqual(plan.table, sigmaNought);
  near(apply(plan, 300, 600), 0.25, '300 / 600');
  near(apply(plan, 120, 580.5), 0.04273247467767028, '120 / 580.5');
});

test('MODIS and CBERS-4 match the vectors', () => {
  near(apply(planOf(['MODIS', 'B01'], { scale: 0.0001 }), 4523), 0.4523, 'MODIS');
  near(apply(planOf(['MODIS', 'B01']), 4523), 0.4523, 'MODIS by constants');
  for (const [sensor, band, stored, expected] of [
    ['CBERS4MUX', 'BAND7', 60, 0.23274830842226288],
    ['CBERS4MUX', 'BAND8', 80, 0.43365409520548803],
    ['CBERS4AWFI', 'BAND15', 250, 0.21957387587005933],
    ['CBERS4AWFI', 'BAND16', 300, 0.40196986113677713],
  ] as const) {
    near(apply(planOf([sensor, band]), stored), expected, `${sensor} ${band}`);
  }
});

test('a vegetation index means the same in all baselines, and is correct with reflectance', () => {
  const index = ([nir, red]: readonly [number, number]): number => (nir - red) / (nir + red);
  const s2 = planOf(['S2', 'B08'], { scale: 0.0001, offset: -0.1 }, false);
  near(index([apply(s2, 4000), apply(s2, 1800)]), 2200 / 3800, 'without its offset');
  const l8 = planOf(['L8', 'B5']);
  near(index([apply(l8, 20_000), apply(l8, 8000)]), 2 / 3, 'by reflectance');
  const stored = planOf(['L8', 'B5'], {}, false);
  near(index([apply(stored, 20_000), apply(stored, 8000)]), 3 / 7, 'by stored numbers');
});
