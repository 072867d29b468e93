import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Asset, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import type { QualityLayout } from '../sensors/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import { planChannelSample } from './intensity/find-contrast.ts';
import { makeMeasureIntensity } from './intensity/measure-intensity.ts';
import type { Picture } from './pictures/draw.ts';
import { makeDraw } from './pictures/draw.ts';
import type { RenderOptions } from './pictures/plan-picture.ts';
import { defaultOptions } from './pictures/testing/default-options.ts';
import { planTile } from './pictures/testing/plan-tile.ts';
import { computePlan, makeTestTools, readFrom } from './pixels/testing/compute-plan.ts';
import { DEFAULT_LIMITS } from './plan/plan-inputs.ts';
import { toEtag } from './plan/render-plan.ts';

const sensor = sensorByAbbreviation('L8');
assert.ok(sensor);

/** Stored values and what they are in the layout of the interface. */
const vectors = {
  'pre-collection': [20_480, 53_248, 61_440, 28_672, 36_864].map((value) => [value, value]),
  'collection-1': [
    ...[2_720, 21_568, 2_800, 54_336, 6_816, 29_760],
    // Shadow and snow of high confidence, worked out by hand from the table of bits.
    ...[2_976, 21_696, 3_744, 23_616],
  ],
  'collection-2': [
    ...[21_824, 21_584, 21_952, 21_616, 22_280, 54_352, 23_888, 21_712],
    ...[30_048, 23_632, 54_596, 29_776, 55_052, 62_544],
  ],
} as const;

const pairsOf = (layout: QualityLayout): readonly (readonly [stored: number, shown: number])[] => {
  const flat = vectors[layout].flat();
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);
};

const SIDE = 1024;
const ONE_PX = 1;

/** Stripes of 16 px of all vectors and of fill, one after the other. */
function makeImages(layout: QualityLayout) {
  const stored = [...pairsOf(layout).map(([value]) => value), ONE_PX];
  const pixels = new Uint16Array(SIDE * SIDE).map(
    (_, i) => stored[Math.floor((i % SIDE) / 16) % stored.length]!,
  );
  return { BQA: { pixels, width: SIDE, height: SIDE } };
}

function makeLandsat(layout: QualityLayout): Scene {
  const [asset] = Object.values(makeScene(21).assets) as [Asset];
  const file: Asset = { ...asset, nodata: 1, scale: 1, offset: 0, overviews: [] };
  return toScene(
    makeScene(21, {
      viewId: `L8/${sensor!.sceneName.example}`,
      dataset: 'landsat8',
      assets: { BQA: file },
      cloudMask: { kind: 'quality', band: 'BQA', layout },
    }),
  );
}

const tile = { z: 14, x: 8331, y: 6055 };
const planOf = (bands: string, layout: QualityLayout, more: Partial<RenderOptions> = {}) =>
  planTile({ sensor, bands, tile, options: { ...defaultOptions, ...more } }, makeLandsat(layout));
const layouts = Object.keys(vectors) as QualityLayout[];

for (const layout of layouts) {
  test(`${layout}: bits match the interface, in the band and in expressions`, async () => {
    const images = makeImages(layout);
    // What is stored, by a scene that says it needs no moving.
    const stored = (await computePlan(planOf('BQA', 'pre-collection'), images))![0]!;
    const shown = (await computePlan(planOf('BQA', layout), images))![0]!;
    const clouds = (await computePlan(
      planOf('where(greater_equal(BQA,49152),BQA*2,NODATA)', layout),
      images,
    ))!;
    const meaning = new Map(pairsOf(layout));
    const seen = new Set<number>();
    for (let i = 0; i < 256 * 256; i += 1) {
      const expected = meaning.get(stored.values[i]!);
      assert.equal(shown.mask[i], expected === undefined ? 0 : 1, 'fill is empty in every layout');
      if (expected === undefined) continue;
      seen.add(expected);
      assert.equal(shown.values[i], expected);
      const isCloud = expected >> 14 === 3;
      assert.equal(clouds[0]!.mask[i], isCloud ? 1 : 0);
      if (isCloud) assert.equal(clouds[0]!.values[i], 2 * expected);
    }
    assert.equal(seen.size, meaning.size, 'all vectors lie in the tile');
  });
}

/** The colour of each pixel of a drawn picture, by what is stored there; fill under its own number. */
async function drawColors(layout: QualityLayout, more: Partial<RenderOptions> = {}) {
  const images = makeImages(layout);
  const kernels = loadKernels();
  const draw = makeDraw({ readWindow: readFrom(images), kernels, compute: makeComputeBands(kernels) });
  const plan = planOf('BQA', layout, { format: 'png', ...more });
  const { signal } = new AbortController();
  const contrast = plan.stretches.map(() => ({ min: 0, max: 1 }));
  const drawn = await draw(
    { plan, contrast, outline: null },
    { signal, cancelled: () => false, report: () => {} },
  );
  const { bytes } = drawn.output as Picture;
  const rgba = await sharp(bytes).ensureAlpha().raw().toBuffer();
  const stored = (await computePlan(planOf('BQA', 'pre-collection'), images))![0]!;
  const colors = new Map<number, Set<string>>();
  for (let i = 0; i < 256 * 256; i += 1) {
    const value = stored.mask[i] === 1 ? stored.values[i]! : ONE_PX;
    const color = rgba.subarray(4 * i, 4 * i + 4).toString('hex');
    colors.set(value, (colors.get(value) ?? new Set()).add(color));
  }
  return Object.fromEntries([...colors].map(([value, set]) => [value, [...set].join()]));
}

test('the default palette shows clouds, cirrus, snow and water of every collection', async () => {
  const NOTHING = '00000000';
  assert.deepEqual(await drawColors('collection-2'), {
    1: NOTHING,
    21824: NOTHING,
    23888: NOTHING,
    21952: '0000ffff',
    22280: 'ffffffff',
    30048: 'add8e6ff',
    54596: 'e0ffffff',
    55052: 'ffffffff',
  });
  assert.deepEqual(await drawColors('collection-1'), {
    1: NOTHING,
    2720: NOTHING,
    2976: NOTHING,
    2800: 'ffffffff',
    6816: 'e0ffffff',
    3744: 'add8e6ff',
  });
});

test('a palette names bits by the first layout, and no resampling method mixes them', async () => {
  const palette = '{"(13,12)":"#00ff00","(15,14)":"#ff0000","14":"#0000ff"}';
  const expected = {
    1: '00000000',
    21824: '0000ffff',
    21952: '0000ffff',
    22280: 'ff0000ff',
    23888: '0000ffff',
    30048: '0000ffff',
    54596: '00ff00ff',
    55052: '00ff00ff',
  };
  for (const method of [null, 'near', 'bilinear', 'lanczos', 'average'] as const) {
    assert.deepEqual(await drawColors('collection-2', { method, color: { palette } }), expected);
  }
  assert.deepEqual(await drawColors('collection-2', { calibrated: true, color: { palette } }), expected);
});

test('moved bits are in the plan, and a contrast is measured on the shown values', async () => {
  const grey = { color: { colors: 'ff0000,00ff00', thresholds: '0' }, format: 'png' } as const;
  const plans = layouts.map((layout) => planOf('BQA', layout, grey));
  assert.deepEqual(
    plans.map(({ inputs: [input] }) => input?.bits?.length),
    [undefined, 5, 6],
  );
  assert.equal(new Set(plans.map(toEtag)).size, 3);
  const plan = planOf('BQA*1.0', 'collection-2');
  const measure = makeMeasureIntensity(makeTestTools(makeImages('collection-2')));
  const landsat = { scene: makeLandsat('collection-2'), limits: DEFAULT_LIMITS.sample };
  const { sample } = planChannelSample(plan, 0, landsat);
  const [range] = await measure(
    { sample, outlines: [], rule: { method: 'minmax' } },
    { signal: new AbortController().signal, cancelled: () => false, report: () => {} },
  );
  assert.deepEqual(range, { min: 21_584, max: 62_544 });
});
