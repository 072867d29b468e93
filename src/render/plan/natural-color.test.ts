import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { paintPlanes } from '../../color/index.ts';
import { isSwathError } from '../../errors.ts';
import { tileGrid } from '../../geo/index.ts';
import { loadKernels, makeComputeBands } from '../../raster/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import type { RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { toShownPlanes } from '../pixels/shown-planes.ts';
import type { StretchPlan } from './render-plan.ts';
import { toEtag } from './render-plan.ts';

const [file] = Object.values(makeScene(21).assets) as [Asset];
const grid = tileGrid({ z: 14, x: 8331, y: 6055 });

/** A scene of any sensor, with the same file for all bands. */
function sceneOf(abbreviation: string, more: Partial<Scene> = {}) {
  const sensor = sensorByAbbreviation(abbreviation);
  assert.ok(sensor);
  const stored = { ...file, scale: 1, offset: 0 };
  const assets = Object.fromEntries(sensor.bands.map(({ name, type }) => [name, { ...stored, type }]));
  const viewId = `${abbreviation}/${sensor.sceneName.example}`;
  return {
    sensor,
    scene: toScene({ ...makeScene(21, { assets }), viewId, dataset: sensor.dataset, ...more }),
  };
}

function plan(
  abbreviation: string,
  bands: string,
  options: Partial<RenderOptions> = {},
  more: Partial<Scene> = {},
) {
  const { sensor, scene } = sceneOf(abbreviation, more);
  const all = { ...defaultOptions, isNatural: true, ...options };
  return planPicture({ sensor, bands, grid, options: all }, scene);
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (isSwathError(error)) return error.code;
    throw error;
  }
  return 'none';
};

test('natural colour is reflectance in the ranges of the sensor, the same in every scene', () => {
  const one = plan('S2', 'B04,B03,B02');
  const other = plan('S2', 'B04,B03,B02', {}, { cloudPercent: 90, sunElevationDeg: 12 });
  assert.deepEqual(one.stretches, other.stretches);
  assert.deepEqual(
    one.stretches.map((stretch) => ({ ...stretch, min: 0, max: 1 })),
    one.stretches.map(() => ({ kind: 'fixed', min: 0, max: 1, gamma: 2 })),
  );
  assert.ok(one.inputs.every(({ rule }) => rule === 'linear'));
  const { sensor, scene } = sceneOf('S2');
  const auto = planPicture({ sensor, bands: 'B04,B03,B02', grid, options: defaultOptions }, scene);
  assert.notEqual(toEtag(one), toEtag(auto));
});

test('surface products have their own ranges', () => {
  const viewId = 'L8/LC08_L2SP_011031_20160128_20200907_02_T1';
  assert.notDeepEqual(plan('L8', 'B2').stretches, plan('L8', 'B2', {}, { viewId }).stretches);
});

test('next to infrared bands, visible bands have their gamma', () => {
  const gammas = (stretches: readonly StretchPlan[]) => stretches.map(({ gamma }) => gamma);
  assert.deepEqual(gammas(plan('L8', 'B5,B4,B3').stretches), [1.5, 1.5, 1.5]);
  assert.deepEqual(gammas(plan('L8', 'B4,B3,B2').stretches), [2, 2, 2]);
  assert.deepEqual(gammas(plan('L8', 'B4,B3,B2', { gamma: 1 }).stretches), [1, 1, 1]);
});

test('GAMMA bends the contrast of the scene, or a given range', () => {
  const gamma = { isNatural: false, gamma: 2.2 };
  const [measured] = plan('S2', 'B04', gamma).stretches;
  assert.deepEqual([measured?.kind, measured?.gamma], ['measured', 2.2]);
  const given = plan('S2', 'B04', { ...gamma, range: { min: 0, max: 3_000 } });
  assert.deepEqual(given.stretches, [{ kind: 'fixed', min: 0, max: 3_000, gamma: 2.2 }]);
});

test('photographs, temperature and radar have ranges of their kind', () => {
  assert.deepEqual(plan('NAIP', 'R,G,B').stretches[0], { kind: 'fixed', min: 0, max: 255 });
  assert.deepEqual(plan('L8', 'B10').stretches[0], { kind: 'fixed', min: 265, max: 325 });
  const sigmaNought = { lines: [0], pixels: [0], values: [500] };
  const calibration = { earthSunDistanceAu: null, bands: { VV: { sigmaNought } } };
  const radar = plan('S1', 'VV', {}, { calibration });
  assert.equal(radar.inputs[0]?.rule, 'squared-ratio');
  assert.deepEqual(radar.stretches, [{ kind: 'fixed', min: -22, max: 0, isDecibel: true }]);
});

test('stored ranges follow the scale that a file states for its own numbers', () => {
  const { sensor, scene } = sceneOf('NAIP');
  const assets = Object.fromEntries(
    Object.entries(scene.assets).map(([name, asset]) => [name, { ...asset, scale: 0.5, offset: 10 }]),
  );
  const scaled = planPicture(
    { sensor, bands: 'R,G,B', grid, options: { ...defaultOptions, isNatural: true } },
    { ...scene, assets },
  );
  assert.equal(scaled.inputs[0]?.rule, 'linear');
  assert.deepEqual(scaled.stretches[0], { kind: 'fixed', min: 10, max: 137.5 });
});

test('without a calibration table radar has fixed ranges of amplitudes', () => {
  const radar = plan('S1', 'VV');
  assert.equal(radar.inputs[0]?.rule, 'plain');
  assert.deepEqual(radar.stretches, [{ kind: 'fixed', min: 16, max: 28, isDecibel: true }]);
});

test('an unknown sun and one below the horizon count as a fixed one', () => {
  const rules = [null, -10, 45].map((sunElevationDeg) => plan('L8', 'B4', {}, { sunElevationDeg }).inputs[0]);
  assert.deepEqual(rules[0]?.parameters, rules[2]?.parameters);
  assert.deepEqual(rules[1]?.parameters, rules[2]?.parameters);
});

test('an index has its own range, and band math is refused unless its colours say their values', () => {
  const colormap = { kind: 'named', name: 'viridis', isReversed: false } as const;
  const [ndvi] = plan('S2', 'NDVI', { color: { colormap } }).stretches;
  assert.deepEqual(ndvi, { kind: 'fixed', min: -1, max: 1 });
  assert.equal(plan('S2', 'ISTACK').stretches.length, 3);
  assert.equal(
    codeOf(() => plan('S2', 'B08-B04')),
    'no-natural-range',
  );
  assert.equal(
    codeOf(() => plan('S2', 'sqrt(B04),B03,B02', { isComposite: true })),
    'no-natural-range',
  );
  const colored = plan('S2', 'B08-B04', { color: { colors: 'ff0000,00ff00', thresholds: '0.1' } });
  assert.ok(colored.inputs.every(({ rule }) => rule === 'linear'));
});

test('classes and bits keep their colours', () => {
  for (const [sensor, band] of [
    ['S2L2A', 'SCL'],
    ['L8', 'BQA'],
  ] as const) {
    const { sensor: of, scene } = sceneOf(sensor);
    const auto = planPicture({ sensor: of, bands: band, grid, options: defaultOptions }, scene);
    assert.deepEqual(plan(sensor, band), auto);
  }
});

test('a natural picture is painted from stored numbers without a pass, with the levels of the formula', () => {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const painted = plan('S2', 'B04,B03,B02', {}, { assets: makeScene(21).assets });
  const allocate = kernels.begin();
  const count = 256 * 256;
  const warped = painted.inputs.map((_, input) => {
    const [valuesAt, maskAt] = [allocate(4 * count), allocate(count)];
    new Float32Array(kernels.buffer(), valuesAt, count).forEach((_value, i, all) => {
      all[i] = 900 + (i % 5_000) + input;
    });
    new Uint8Array(kernels.buffer(), maskAt, count).fill(1);
    return { valuesAt, maskAt, secondAt: 0 };
  });
  const contrast = painted.stretches.map((stretch) => {
    assert.equal(stretch.kind, 'fixed');
    return stretch as Extract<StretchPlan, { kind: 'fixed' }>;
  });
  const refuse: typeof compute = () => assert.fail('computed');
  const shown = toShownPlanes(painted, { warped, contrast }, { kernels, compute: refuse, allocate });
  const { rgbaAt } = paintPlanes(kernels, allocate, shown);
  const pixels = new Uint8Array(kernels.buffer(), rgbaAt, 4 * count);
  for (let i = 0; i < 5_000; i += 1)
    for (const [channel, { min, max, gamma = 1 }] of contrast.entries()) {
      const reflectance = (900 + i + channel) * 0.0001 - 0.1;
      const part = Math.min(1, Math.max(0, (reflectance - min) / (max - min)));
      const level = 255 * part ** (1 / gamma);
      assert.ok(Math.abs(pixels[4 * i + channel]! - level) < 0.5 + 1e-3, `pixel ${i}`);
    }
});
