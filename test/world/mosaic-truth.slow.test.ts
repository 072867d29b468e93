/** Mosaics of a cloudy month: what they show is the ground as it is without a cloud, within the noise of the detectors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Composition, MosaicPictureRequest, Selection } from '../../src/mosaic/index.ts';
import { sensorByAbbreviation } from '../../src/sensors/index.ts';
import { percentileOf } from '../../src/stack/testing/plain-stack.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { SkyPlan } from '../../world/light/exposure.ts';
import { expose } from '../../world/light/index.ts';
import { spots } from '../../world/setting.ts';
import type { ReadMosaic } from '../support/mosaic-values.ts';
import { makeReadMosaic } from '../support/mosaic-values.ts';
import type { MadeProducts } from './make-products.ts';
import { makeParts } from './make-products.ts';
import { toLocations, toSpectral } from './see-product.ts';
import { statedNoise } from './stated-noise.ts';

/** Days with the seeds of their clouds: those of which more than a quarter hides this ground, and not all of it. */
const SKIES: Readonly<Record<number, number>> = {
  2: 105,
  5: 107,
  7: 112,
  10: 119,
  12: 123,
  15: 125,
  17: 126,
  20: 136,
  22: 137,
  25: 148,
  27: 156,
  30: 160,
};
const DAYS = Object.keys(SKIES).map(Number);
const SIDE_M = 4_800;
const PIXEL_M = 60;
const BANDS = ['B04', 'B8A', 'B12'] as const;
const CLEAR: SkyPlan = { seed: 0, opaque: 0, cirrus: 0, haze: 0 };

const skyOf = (day: number): SkyPlan => ({ seed: SKIES[day]!, opaque: 0.5, cirrus: 0.1, haze: 0.2 });
const atMs = (day: number): number => Date.parse(`2026-07-${String(day).padStart(2, '0')}T19:10:00Z`);

function toPart(day: number): DemoPart {
  const corner = (middle: number): number => Math.round((middle - SIDE_M / 2) / PIXEL_M) * PIXEL_M;
  return {
    key: `cloudy-${day}`,
    cost: 1,
    kind: 'sentinel2-l2a',
    plan: {
      satellite: 'S2A',
      atMs: atMs(day),
      sequence: 0,
      baseline: '05.11',
      seed: 7 + day,
      finestM: PIXEL_M,
      sky: skyOf(day),
      window: { x: corner(spots.forest.x), y: corner(spots.forest.y), width: SIDE_M, height: SIDE_M },
    },
  };
}

const sensor = sensorByAbbreviation('S2L2A')!;
const bands = BANDS.map((name) => sensor.bands.find((band) => band.name === name)!);

let made: MadeProducts;
let read: ReadMosaic;
before(async () => {
  made = await makeParts(DAYS.map(toPart));
  read = makeReadMosaic([...made.sceneOf.values()], {
    dataDir: join(made.folder.root, 'no-such-folder'),
    folders: [made.folder.root],
  });
});
after(() => made.folder.remove());

/** The image that all scenes share. */
const assetOf = () => made.sceneOf.get('cloudy-2')!.assets.B8A!;

/** What an ideal instrument sees on a day through a sky. */
function see(day: number, sky: SkyPlan) {
  const survey = made.world.ground.survey(toLocations(assetOf(), PIXEL_M));
  return expose(made.world, { survey, bands: bands.map(toSpectral), atMs: atMs(day), sky, level: 'surface' });
}

function readOnGrid(selection: Selection, more: Partial<Composition> = {}) {
  const { epsg, transform, width, height } = assetOf();
  const request: MosaicPictureRequest = {
    search: {
      datasets: ['sentinel2l2a'],
      period: { from: '2026-07-01', to: '2026-07-31' },
      maxCloudPercent: null,
      area: null,
    },
    composition: {
      selection,
      masked: { clouds: true, cirrus: true, shadows: true },
      dilateM: 0,
      featherPx: 0,
      ...more,
    },
    bands: BANDS.join(),
    grid: { epsg, transform, width, height },
    options: {
      format: 'png',
      method: 'near',
      range: null,
      calibrated: true,
      isComposite: false,
      color: {},
      area: null,
      watermark: null,
    },
  };
  return read(request);
}

/** The deviation of a pixel by noise and rounding to a ten-thousandth. */
function deviationOf(band: number, reflectance: number): number {
  const { dark, shot } = statedNoise('sentinel2l2a', bands[band]!);
  return Math.sqrt(dark ** 2 + shot * Math.max(0, reflectance) + 1e-8 / 12);
}

/** By day: what is seen, and where the sky is clear. */
function seeMonth() {
  return DAYS.map((day) => {
    const { planes, opaque, cirrus, shadow } = see(day, skyOf(day));
    const isClear = opaque.map((is, i) => Number(is === 0 && cirrus[i] === 0 && shadow[i] === 0));
    return { day, planes, isClear };
  });
}

test("each pixel's median and count are those of the days on which the world shows it", async () => {
  const month = seeMonth();
  const median = await readOnGrid({ kind: 'median' });
  const count = median.counts!.length;
  let most = 0;
  for (let i = 0; i < count; i += 1) {
    const clear = month.filter(({ isClear }) => isClear[i] === 1);
    assert.equal(median.counts![i], clear.length, `pixel ${i}`);
    assert.equal(median.mask[i], Number(clear.length > 0));
    if (clear.length === 0) continue;
    for (const [band] of BANDS.entries()) {
      const truth = percentileOf(
        clear.map(({ planes }) => planes[band]![i]!),
        50,
      );
      // The median of noisy numbers lies no further from that of the true ones than the noisiest of them.
      const off = Math.abs(median.channels[band]![i]! - truth) / deviationOf(band, truth);
      most = Math.max(most, off);
      assert.ok(off < 6, `pixel ${i} of ${BANDS[band]}: ${median.channels[band]![i]}, not ${truth}`);
    }
  }
  assert.ok(most > 0.5, 'there is noise');
});

/** Masks miss the blurred edges of clouds, which the world makes about three pixels wide here. */
const DILATE_M = 180;
/** With fewer scenes a median is the scene itself, or the mean of two: one blurred edge shows. */
const ENOUGH_SCENES = 3;

test('a median of a cloudy month is the ground without clouds', async () => {
  const truth = see(16, CLEAR);
  const covered = seeMonth().map(({ isClear }) => isClear.filter((is) => is === 0).length / isClear.length);
  assert.ok(
    covered.every((share) => share > 0.25 && share < 0.9),
    `${covered}: each day is cloudy`,
  );
  const median = await readOnGrid({ kind: 'median' }, { dilateM: DILATE_M });
  assert.ok(median.mask.filter((has) => has === 1).length > 0.99 * median.mask.length, 'no gaps are left');
  const newest = await readOnGrid(
    { kind: 'newest' },
    { masked: { clouds: false, cirrus: false, shadows: false } },
  );
  for (const [band, name] of BANDS.entries()) {
    /** How far values are off, in deviations of a single scene, from the least to the most. */
    const listOffs = (values: Float32Array, isJudged: (i: number) => boolean): readonly number[] =>
      [...values]
        .map((value, i) => {
          const wanted = truth.planes[band]![i]!;
          return Math.abs(value - wanted) / deviationOf(band, wanted);
        })
        .filter((_, i) => isJudged(i))
        .toSorted((a, b) => a - b);
    const all = listOffs(median.channels[band]!, (i) => median.mask[i] === 1);
    assert.ok(percentileOf(all, 50) < 0.7, `${name}: half are within ${percentileOf(all, 50)}`);
    assert.ok(percentileOf(all, 98) < 3.5, `${name}: 98 % are within ${percentileOf(all, 98)}`);
    const sure = listOffs(median.channels[band]!, (i) => median.counts![i]! >= ENOUGH_SCENES);
    assert.ok(sure.length > 0.6 * all.length && sure.at(-1)! < 5, `${name}: ${sure.at(-1)} at most`);
    const single = listOffs(newest.channels[band]!, () => true);
    assert.ok(percentileOf(single, 50) > 4, `${name}: a single day is not the truth`);
  }
});

test('the pixels of a medoid and of the highest NDVI are those of a clear day, and provenance names it', async () => {
  const month = seeMonth().toReversed();
  const ndviOf = (planes: readonly Float32Array[], i: number): number =>
    (planes[1]![i]! - planes[0]![i]!) / (planes[1]![i]! + planes[0]![i]!);
  for (const selection of [
    { kind: 'medoid' },
    { kind: 'highest', by: '(B8A-B04)/(B8A+B04)' },
    { kind: 'oldest' },
  ] as const satisfies readonly Selection[]) {
    const { channels, indexes, mask, sources } = await readOnGrid(selection);
    // The candidates of oldest come in the other order.
    const days = selection.kind === 'oldest' ? month.toReversed() : month;
    const pixels = new Map<number, number>();
    for (let i = 0; i < mask.length; i += 1) {
      if (mask[i] === 0) continue;
      const from = days[indexes![i]!]!;
      pixels.set(from.day, (pixels.get(from.day) ?? 0) + 1);
      assert.equal(from.isClear[i], 1, `${selection.kind}: pixel ${i} is hidden on day ${from.day}`);
      for (const [band] of BANDS.entries()) {
        const wanted = from.planes[band]![i]!;
        assert.ok(Math.abs(channels[band]![i]! - wanted) < 6 * deviationOf(band, wanted), `pixel ${i}`);
      }
      if (selection.kind === 'oldest')
        assert.equal(
          from,
          days.find(({ isClear }) => isClear[i] === 1),
        );
      if (selection.kind === 'highest') {
        const best = Math.max(
          ...days.filter(({ isClear }) => isClear[i] === 1).map(({ planes }) => ndviOf(planes, i)),
        );
        assert.ok(ndviOf(from.planes, i) > best - 0.1, `pixel ${i}: ${ndviOf(from.planes, i)}, not ${best}`);
      }
    }
    const toDay = (viewId: string): number => Number(viewId.split('/')[6]);
    assert.deepEqual(new Map(sources.map(({ hit, pixels: count }) => [toDay(hit.viewId), count])), pixels);
  }
});
