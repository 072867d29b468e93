import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { isSwathError } from '../../errors.ts';
import { tileGrid } from '../../geo/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { computePlan } from '../pixels/testing/compute-plan.ts';
import { DEFAULT_LIMITS, makePlanExpressions } from '../plan/plan-inputs.ts';
import { toEtag } from '../plan/render-plan.ts';
import { planSceneSample } from '../samples/plan-sample.ts';
import type { RenderOptions } from './plan-picture.ts';
import { planPicture } from './plan-picture.ts';
import { defaultOptions } from './testing/default-options.ts';

const sensor = sensorByAbbreviation('S2L2A');
assert.ok(sensor);
const fine = makeScene(21).assets.B04 as Asset;
const coarse: Asset = {
  ...fine,
  href: 'scenes/test/B11.tif',
  transform: [500000, 20, 0, 4700000, 0, -20],
  width: 512,
  height: 512,
  overviews: [],
};
const classes: Asset = { ...coarse, href: 'scenes/test/SCL.tif', type: 'uint8', scale: 1, offset: 0 };
const assets = { B02: fine, B03: fine, B04: fine, B08: fine, B11: coarse, SCL: classes };
const scene = toScene(makeScene(21, { assets, cloudPercent: 4 }));
/** Inside of the scene, at about its own resolution. */
const grid = tileGrid({ z: 14, x: 8331, y: 6055 });

const planOf = (bands: string, more: Partial<RenderOptions> = {}, of = scene) =>
  planPicture({ sensor, bands, grid, options: { ...defaultOptions, ...more } }, of);

test('the plan of an expression is plain JSON: its bands, its tree, and how it is stretched', () => {
  const plan = planOf('(NIR-RED)/(NIR+RED)');
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
  assert.deepEqual(
    plan.inputs.map(({ band, rule, parameters }) => ({ band, rule, parameters })),
    [
      { band: 'B08', rule: 'shifted', parameters: [-1000] },
      { band: 'B04', rule: 'shifted', parameters: [-1000] },
    ],
  );
  assert.deepEqual(plan.stretches, [
    {
      kind: 'measured',
      cut: {
        lowPercent: 2,
        highPercent: 98,
        cover: { kind: 'known', percent: 4, isCorrection: true },
      },
    },
  ]);
  assert.equal(plan.color, null);
});

test('CALIBRATE turns all bands into reflectance; an alias with constants does not need it', () => {
  const rulesOf = (bands: string, more = {}) => planOf(bands, more).inputs.map(({ rule }) => rule);
  assert.deepEqual(rulesOf('B04', { calibrated: true }), ['linear']);
  assert.deepEqual(rulesOf('NDVI', { calibrated: true }), ['linear', 'linear']);
  assert.deepEqual(rulesOf('EVI'), ['linear', 'linear', 'linear']);
  assert.deepEqual(rulesOf('EVI+B04').toSorted(), ['linear', 'linear', 'linear', 'shifted']);
  assert.deepEqual(rulesOf('SCL', { calibrated: true }), ['plain']);
});

test('every channel has its own contrast unless one is given', () => {
  const kindsOf = (bands: string, more = {}) => planOf(bands, more).stretches.map(({ kind }) => kind);
  assert.deepEqual(kindsOf('B04', { calibrated: true }), ['measured']);
  assert.deepEqual(kindsOf('NDVI,B04,SCL', { isComposite: true }), ['measured', 'measured', 'measured']);
  assert.deepEqual(kindsOf('NDVI', { range: { min: -1, max: 1 } }), ['fixed']);
});

test('classes are read by nearest neighbour, measurements bilinearly, unless the caller chooses', () => {
  const methodsOf = (more = {}) =>
    planOf('where(equal(SCL,6),NODATA,B04)', more).inputs.map(({ band, warp }) => [band, warp?.method]);
  assert.deepEqual(Object.fromEntries(methodsOf()), { SCL: 'near', B04: 'bilinear' });
  assert.deepEqual(Object.fromEntries(methodsOf({ method: 'mode' })), { SCL: 'mode', B04: 'mode' });
  assert.deepEqual(Object.fromEntries(methodsOf({ method: 'cubic' })), { SCL: 'near', B04: 'cubic' });
});

test('three expressions make a composite on request', () => {
  assert.equal(planOf('NDVI,NDWI,B04', { isComposite: true }).tree.outputs.length, 3);
  assert.equal(planOf('ISTACK').tree.outputs.length, 3);
  assert.equal(planOf(' istack ', { isComposite: true }).tree.outputs.length, 3);
  assert.equal(planOf('B04,B04,B04').inputs.length, 1, 'a band is read once');
  assert.throws(() => planOf('NDVI,NDWI,B04'), { code: 'not-a-composite' });
  assert.throws(() => planOf('NDVI', { isComposite: true }), { code: 'composite-of-one' });
  assert.throws(() => planOf('B04,B08'), { code: 'band-count' });
  assert.equal(planOf('B04,B08', { areValues: true }).tree.outputs.length, 2);
  assert.throws(() => planOf('1,2,3', { isComposite: true }), { code: 'no-band' });
});

test('without an earlier scene a change shows nothing, but its band must exist', () => {
  const all = toScene(makeScene(21, { assets: Object.fromEntries(sensor.bands.map((b) => [b.name, fine])) }));
  assert.ok(planOf('PR_FD', {}, all).inputs.some(({ warp }) => warp === null));
  assert.ok(planOf('FIDET', {}, all).inputs.every(({ warp }) => warp !== null));
  assert.throws(() => planOf('PR_FD'), { code: 'no-such-band-file' });
});

test('ETags follow the meaning: spelling does not matter, numbers and calibration do', () => {
  const etag = (bands: string, more = {}) => toEtag(planOf(bands, more));
  assert.equal(etag('NDMI'), etag('(NIR - B11) / (B08 + swir1)'));
  const different = [
    etag('NDVI'),
    etag('NDVI', { calibrated: true }),
    etag('NDVI*1.5'),
    etag('NDVI*1.25'),
    // Constants that JSON cannot tell apart.
    etag('minimum(NDVI,1e39)'),
    etag('minimum(NDVI,-1e39)'),
    etag('NDVI,NDWI,B04', { isComposite: true }),
    etag('NDWI,NDVI,B04', { isComposite: true }),
  ];
  assert.equal(new Set(different).size, different.length);
});

test('the sample of an expression uses the finest band at a coarse resolution, with all bands on one grid', () => {
  const sample = planSceneSample(planOf('NDMI'), scene, DEFAULT_LIMITS.sample);
  assert.deepEqual(sample.grid, {
    epsg: 32631,
    transform: [500000, 20, 0, 4700000, 0, -20],
    width: 512,
    height: 512,
  });
  assert.deepEqual(
    sample.inputs.map(({ band, warp }) => [band, warp?.level, warp?.method, warp?.window.width]),
    [
      ['B08', 1, 'near', 512],
      ['B11', 0, 'near', 512],
    ],
  );
});

test('huge files without smaller copies are sampled in their middle, expensive expressions more coarsely', () => {
  const huge: Asset = { ...fine, width: 25_000, height: 2_000, overviews: [] };
  const wide = toScene(makeScene(21, { assets: { B04: huge, B08: huge } }));
  const plan = planPicture({ sensor, bands: 'NDVI', grid, options: defaultOptions }, wide);
  const { grid: coarseGrid, inputs } = planSceneSample(plan, wide, DEFAULT_LIMITS.sample);
  assert.equal(coarseGrid.width, 1024);
  assert.ok(coarseGrid.height < 1024 && coarseGrid.width * coarseGrid.height > 250_000);
  const [width = 0, height = 0] = [inputs[0]?.warp?.window.width, inputs[0]?.warp?.window.height];
  assert.ok(width * height <= 8 * 2 ** 20 && width > 2_500, `${width} × ${height}`);
  const expensive = planOf(`unwrap(${Array(40).fill('sin(B04)').join('*')}+tan(B08)+power(B04,B08))`);
  const { grid: expensiveGrid } = planSceneSample(expensive, scene, DEFAULT_LIMITS.sample);
  assert.ok(expensiveGrid.width <= 512 && expensiveGrid.width > 100, `${expensiveGrid.width}`);
});

test('a band without smaller copies next to one with them does not exceed the memory of a sample', () => {
  const sizes = [10_980, 5_490, 2_745, 1_373, 687].map((side) => ({ width: side, height: side }));
  const copied: Asset = { ...fine, ...sizes[0]!, overviews: sizes.slice(1) };
  const bare: Asset = { ...copied, overviews: [] };
  const odd = toScene(makeScene(21, { assets: { B08: copied, B04: bare } }));
  const plan = planPicture({ sensor, bands: 'NDVI', grid, options: defaultOptions }, odd);
  const { inputs } = planSceneSample(plan, odd, DEFAULT_LIMITS.sample);
  for (const { warp } of inputs) {
    assert.ok(warp);
    assert.ok(warp.window.width * warp.window.height * 5 < 192 * 2 ** 20, JSON.stringify(warp.window));
    assert.ok(warp.window.width > 300);
  }
});

test('every request is planned or refused on purpose', () => {
  const words =
    'B04 B08 B11 SCL NDVI EVI ISTACK PR_FD NODATA pi 1 2.5 1e39 0 + - * / ^ ( ) , where( less( sin( unwrap(';
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      (parts, calibrated, isComposite) => {
        try {
          const plan = planOf(parts.join(' '), { calibrated, isComposite });
          assert.ok(plan.stretches.length === 1 || plan.stretches.length === 3);
          assert.match(toEtag(plan), /^[0-9a-f]{32}$/);
          assert.ok(planSceneSample(plan, scene, DEFAULT_LIMITS.sample).grid.width > 0);
        } catch (error) {
          assert.ok(isSwathError(error) && error.tag !== 'internal', `${error}`);
        }
      },
    ),
    { numRuns: casesOf(2_000), seed: 7 },
  );
});

test('a picture whose math would take too long is refused, a tile of it is not', () => {
  const sines = Array.from({ length: 40 }, (_, i) => `sin(B04*${i + 1}.5)`).join('+');
  assert.doesNotThrow(() => planOf(sines));
  const large = { ...grid, width: 2048, height: 2048 };
  assert.throws(() => planPicture({ sensor, bands: sines, grid: large, options: defaultOptions }, scene), {
    code: 'too-expensive',
  });
});

test('a band that measured nothing shows nothing, whatever its file contains', async () => {
  const landsat = sensorByAbbreviation('L8');
  assert.ok(landsat);
  const off = toScene(
    makeScene(21, {
      viewId: `L8/${landsat.sceneName.example}`,
      assets: { B4: fine, B10: fine },
      calibration: {
        earthSunDistanceAu: null,
        bands: { B10: { radiance: { mult: 0, add: 0 }, thermal: { k1: 0, k2: 0 } } },
      },
    }),
  );
  const options = { ...defaultOptions, calibrated: true };
  const plan = planPicture({ sensor: landsat, bands: 'B10', grid, options }, off);
  assert.deepEqual(
    plan.inputs.map(({ warp }) => warp),
    [null],
  );
  assert.equal(await computePlan(plan, {}), null);
});

test('expressions are parsed once for all tiles; refusals are not remembered as answers', () => {
  const read = makePlanExpressions();
  const request = { bands: 'NDVI', sensor, isComposite: false };
  assert.equal(read(request), read({ ...request }));
  assert.throws(() => read({ ...request, isComposite: true }), { code: 'composite-of-one' });
  assert.throws(() => read({ ...request, isComposite: true }), { code: 'composite-of-one' });
  const landsat = sensorByAbbreviation('L8');
  assert.ok(landsat);
  assert.notEqual(read({ ...request, sensor: landsat }).key, read(request).key);
});

test('plain NDVI has range colours, which need no contrast; a contrast or other colours take precedence', () => {
  const bare = planOf('ndvi');
  assert.equal(bare.color?.kind, 'steps');
  assert.deepEqual(bare.stretches, [{ kind: 'fixed', min: 0, max: 1 }]);
  assert.equal(planOf('NDVI', { range: { min: 0, max: 1 } }).color, null);
  const viridis = { kind: 'named', name: 'viridis', isReversed: false } as const;
  const mapped = planOf('NDVI', { color: { colormap: viridis } });
  assert.equal(mapped.color?.kind, 'ramp');
  assert.equal(mapped.stretches[0]?.kind, 'measured', 'its ends are the contrast of the picture');
  assert.notEqual(toEtag(mapped), toEtag(bare));
});

test('classes have their own colours and are never mixed; colours of a composite are refused', () => {
  const classes = planOf('SCL');
  assert.equal(classes.color?.kind, 'values');
  assert.equal(classes.inputs[0]?.warp?.method, 'near');
  assert.throws(() => planOf('B04,B03,B02', { color: { colors: 'ff0000,00ff00', thresholds: '0' } }), {
    code: 'colored-composite',
  });
});

test('the contrast of a scene is measured on the scene, also for a tile elsewhere', () => {
  const away = planPicture(
    { sensor, bands: '(B08-B04)/(B08+B04)', grid: tileGrid({ z: 13, x: 0, y: 0 }), options: defaultOptions },
    scene,
  );
  assert.ok(away.inputs.every(({ warp }) => warp === null));
  assert.ok(planSceneSample(away, scene, DEFAULT_LIMITS.sample).inputs.every(({ warp }) => warp !== null));
});

test('the given limits decide what is refused, and how large a sample is', () => {
  const request = { sensor, bands: 'NDVI', grid, options: defaultOptions };
  const refused = (limits: Partial<typeof DEFAULT_LIMITS>) => () =>
    planPicture(request, scene, { limits: { ...DEFAULT_LIMITS, ...limits } });
  assert.throws(refused({ work: 1_000 }), { code: 'too-expensive', message: /1000 is the limit/ });
  assert.throws(refused({ bytes: 2 ** 20 }), { code: 'too-expensive', message: /1 MiB is the limit/ });
  const plan = planPicture(request, scene);
  const { grid: small } = planSceneSample(plan, scene, { ...DEFAULT_LIMITS.sample, sidePx: 100 });
  assert.equal(Math.max(small.width, small.height), 100);
});

test('each channel is stretched between its given values', () => {
  const ranges = [
    { min: 0, max: 1 },
    { min: 2, max: 3 },
    { min: 4, max: 5 },
  ];
  const plan = planOf('B04,B03,B02', { range: { min: 0, max: 1 }, ranges });
  assert.deepEqual(
    plan.stretches,
    ranges.map((range) => ({ kind: 'fixed', ...range })),
  );
  const one = planOf('B04,B03,B02', { range: { min: 0, max: 1 } });
  assert.notEqual(toEtag(plan), toEtag(one));
  const wrong = { tag: 'unsupported', code: 'min-max-count' };
  assert.throws(() => planOf('B04', { range: { min: 0, max: 1 }, ranges }), wrong);
});
