import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputRules } from '../../bandmath/index.ts';
import { SwathError } from '../../errors.ts';
import { sensors } from '../../sensors/index.ts';
import type { SceneWords } from './testing/make-input.ts';
import { makeApply, planOf } from './testing/make-input.ts';

const apply = makeApply();
const says = (band: string, words: object, earthSunDistanceAu: number | null = null): SceneWords => ({
  calibration: { earthSunDistanceAu, bands: { [band]: words } },
});
const refused =
  (tag: string, code: string, pattern: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SwathError);
    assert.deepEqual([error.tag, error.code], [tag, code]);
    assert.match(error.message, pattern);
    return true;
  };
const close = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) <= 1e-6 * Math.abs(expected), `${found} instead of ${expected}`);

test('every band of every sensor has a plan that is plain JSON, with as many float32 parameters as its rule has', () => {
  const sigmaNought = { lines: [0], pixels: [0], values: [500] };
  for (const { abbreviation, bands } of sensors) {
    for (const { name, kind } of bands) {
      for (const calibrated of [false, true]) {
        const plan = planOf([abbreviation, name], says(name, { sigmaNought }), calibrated);
        assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
        const { parameters, hasPlane } = inputRules[plan.rule];
        assert.equal(plan.parameters.length, parameters.length, `${abbreviation} ${name}`);
        assert.equal(plan.table !== null, hasPlane);
        assert.deepEqual(plan.parameters.map(Math.fround), plan.parameters);
        assert.ok(plan.parameters.every(Number.isFinite));
        if (!calibrated) assert.deepEqual([plan.rule, plan.quantity, plan.notes], ['plain', 'stored', []]);
        else if (kind === 'thermal') assert.equal(plan.quantity, 'kelvin');
        else if (kind === 'quality' || abbreviation === 'NAIP') {
          assert.deepEqual([plan.rule, plan.quantity, plan.notes.length], ['plain', 'stored', 1]);
        }
      }
    }
  }
});

test('a sensor without a physical scale is scaled as its file says, and only if calibrated', () => {
  const scaled = planOf(['NAIP', 'R'], { scale: 0.5, offset: -3 }, true);
  assert.deepEqual(
    [10, 200].map((stored) => apply(scaled, stored)),
    [2, 97],
  );
  assert.deepEqual([scaled.quantity, scaled.notes.length], ['stored', 1]);
  assert.match(scaled.notes[0]!, /as its file says/);
  assert.equal(planOf(['NAIP', 'R'], { scale: 0.5, offset: -3 }, false).rule, 'plain');
  // Bits are bits, whatever a file says of them.
  assert.equal(planOf(['L8', 'BQA'], { scale: 0.5 }, true).rule, 'plain');
});

test('uncalibrated Sentinel-2 loses the offset that its product states, and no other sensor does', () => {
  const shifted = planOf(['S2', 'B04'], { scale: 0.0001, offset: -0.1 }, false);
  assert.deepEqual([shifted.rule, shifted.parameters, shifted.quantity], ['shifted', [-1000], 'stored']);
  assert.deepEqual(
    [0, 1, 900, 1000, 1001, 3500].map((stored) => apply(shifted, stored)),
    [1, 1, 1, 1, 1, 2500],
  );
  // An offset that was applied to the pixels already is stored as none; the same holds for old baselines.
  const productId = 'S2B_MSIL2A_20230101T105321_N0509_R051_T31TDH_20230101T125900';
  assert.equal(planOf(['S2L2A', 'B04'], { scale: 0.0001, productId }, false).rule, 'plain');
  assert.deepEqual(planOf(['S2L2A', 'B04'], { productId }, false).parameters, [-1000]);
  assert.equal(planOf(['S2L2A', 'SCL'], { productId }, false).rule, 'plain');
  assert.equal(planOf(['L8', 'B4'], { scale: 0.0000275, offset: -0.2 }, false).rule, 'plain');
});

test('metadata take precedence over constants', () => {
  const sine = Math.sin(Math.PI / 3);
  const reflectance = { mult: 3e-5, add: -0.2 };
  const l8 = planOf(['L8', 'B4'], says('B4', { reflectance, radiance: { mult: 1, add: 1 } }));
  close(apply(l8, 10_000), 0.1 / sine);
  const thermal = { k1: 799.0284, k2: 1329.2405 };
  const tirs = planOf(['L8', 'B10'], says('B10', { radiance: { mult: 3.8e-4, add: 0.2 }, thermal }));
  close(apply(tirs, 25_000), 1329.2405 / Math.log(799.0284 / 9.7 + 1));
  const half = planOf(['L8', 'B10'], says('B10', { thermal }));
  close(apply(half, 25_000), 1329.2405 / Math.log(799.0284 / 8.455 + 1));
  assert.equal(half.notes.length, 1, 'its radiance is by constants');
  const mux = planOf(['CBERS4MUX', 'BAND7'], says('BAND7', { radiance: { mult: 1.69, add: 0 } }, 1));
  close(apply(mux, 100), (Math.PI * 169) / (1536.38 * sine));
  const s2 = planOf(['S2', 'B04'], { scale: 1 / 5000, offset: -0.02 });
  close(apply(s2, 1600), 0.3);
});

test('the distance of the sun is the one that the product states', () => {
  const words = { sunElevationDeg: 30, acquiredAt: '2005-01-18T10:00:00.000Z' };
  const plan = planOf(['L5TM', 'B3'], { ...says('B3', {}, 0.9838797), ...words });
  close(apply(plan, 60), 0.23926902624864452);
});

test('OLI has no ESUN: without reflectance in its metadata it uses the scale of all its products', () => {
  const plan = planOf(['L9', 'B4'], {
    ...says('B4', { radiance: { mult: 0.01, add: -50 } }),
    sunElevationDeg: 30,
  });
  close(apply(plan, 20_000), 0.6);
  assert.match(plan.notes.join(), /constants/);
});

test('Landsat 5 had another gain before 1992', () => {
  const early = { acquiredAt: '1991-07-15T10:00:00.000Z' };
  close(apply(planOf(['L5TM', 'B1'], early), 80), 0.09737648634985144);
  close(apply(planOf(['L5TM', 'B1'], { acquiredAt: '1992-07-14T10:00:00.000Z' }), 80), 0.11148621643157236);
});

test('AWFI ignores its metadata, and PAN has nothing else', () => {
  const stated = { radiance: { mult: 1.43, add: 0 } };
  const awfi = planOf(['CBERS4AWFI', 'BAND15'], says('BAND15', stated));
  close(apply(awfi, 250), 0.21957387587005933);
  const pan = planOf(['CBERS4PAN5M', 'BAND1'], says('BAND1', stated, 1));
  close(apply(pan, 100), (Math.PI * 143) / (1259.85 * Math.sin(Math.PI / 3)));
  const silent = planOf(['CBERS4PAN10M', 'BAND3'], { sunElevationDeg: null });
  assert.deepEqual([silent.rule, silent.quantity, silent.notes.length], ['plain', 'stored', 1]);
});

test('Landsat Level 2 is scaled to surface values, whatever the sun', () => {
  const viewId = 'L8/LC08_L2SP_017051_20151205_20200908_02_T1';
  const night = { viewId, sunElevationDeg: null };
  const red = planOf(['L8', 'B4'], { ...night, scale: 0.0000275, offset: -0.2 });
  assert.equal(red.quantity, 'reflectance');
  close(apply(red, 20_000), 0.35);
  close(apply(planOf(['L8', 'B4'], night), 20_000), 0.35);
  const ground = planOf(['L8', 'B10'], night);
  assert.deepEqual([ground.rule, ground.quantity], ['linear', 'kelvin']);
  close(apply(ground, 44_000), 299.39288);
  assert.equal(planOf(['L8', 'BQA'], night).rule, 'plain');
});

test('a band that was off is absent, not a number', () => {
  const off = { radiance: { mult: 0, add: 0 }, thermal: { k1: 774.8853, k2: 1321.0789 } };
  const plan = planOf(['L8', 'B10'], says('B10', off));
  assert.deepEqual(
    [plan.isAbsent, plan.rule, plan.quantity, plan.notes.length],
    [true, 'plain', 'kelvin', 1],
  );
  assert.equal(
    planOf(['L8', 'B10'], says('B10', off), false).isAbsent,
    false,
    'its stored numbers are there',
  );
  assert.ok(planOf(['L8', 'B4'], says('B4', { reflectance: { mult: 0, add: 0 } })).isAbsent);
});

test('reflectance needs the sun above the horizon; temperature does not', () => {
  for (const [sensor, band] of [
    ['L8', 'B4'],
    ['L7', 'B3'],
    ['CBERS4MUX', 'BAND7'],
  ] as const) {
    const unknown = { sunElevationDeg: null };
    assert.throws(() => planOf([sensor, band], unknown), refused('unsupported', 'sun-unknown', /how high/));
    for (const sunElevationDeg of [0, -12.5]) {
      assert.throws(
        () => planOf([sensor, band], { sunElevationDeg }),
        refused('unsupported', 'sun-below-horizon', new RegExp(`${band} .* ${sunElevationDeg} degrees`)),
      );
    }
  }
  for (const sunElevationDeg of [null, -30]) {
    assert.equal(planOf(['L8', 'B10'], { sunElevationDeg }).quantity, 'kelvin');
    assert.equal(planOf(['S2', 'B04'], { sunElevationDeg, scale: 0.0001 }).quantity, 'reflectance');
    assert.equal(planOf(['L8', 'B4'], { sunElevationDeg }, false).rule, 'plain');
  }
});

test('Sentinel-1 without its table, or with a damaged one, is refused', () => {
  assert.throws(() => planOf(['S1', 'VV']), refused('unsupported', 'no-calibration-table', /VV/));
  assert.equal(planOf(['S1', 'VV'], {}, false).rule, 'plain');
  const sound = { lines: [0, 10], pixels: [0, 40], values: [1, 2, 3, 4] };
  assert.equal(planOf(['S1', 'VV'], says('VV', { sigmaNought: sound })).rule, 'squared-ratio');
  for (const torn of [
    { ...sound, values: [1, 2, 3] },
    { ...sound, values: [1, 2, 3, 0] },
    { ...sound, lines: [10, 10] },
    { ...sound, pixels: [40, 0] },
    { lines: [], pixels: [], values: [] },
  ]) {
    assert.throws(
      () => planOf(['S1', 'VV'], says('VV', { sigmaNought: torn })),
      refused('source-broken', 'bad-calibration-table', /VV/),
    );
  }
});

test('a band that the scene lacks is not supported', () => {
  for (const band of ['B12', 'constructor', 'RED']) {
    assert.throws(() => planOf(['L8', band]), refused('unsupported', 'no-such-band-file', /no file/));
  }
});
