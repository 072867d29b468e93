import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadWindow } from '../blocks/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { applyAffine, tileGrid } from '../geo/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import type { CachedPoints } from './cached-points.ts';
import { defaultOptions } from './pictures/testing/default-options.ts';
import { planTile } from './pictures/testing/plan-tile.ts';
import type { TestImage } from './pixels/testing/compute-plan.ts';
import { computePlan, readFrom } from './pixels/testing/compute-plan.ts';
import type { PointJobs } from './read-point.ts';
import { makePointReader, makeReadPoint } from './read-point.ts';

const SIDE = 1024;
const plain = makeScene(21).assets.B04!;

const fill = (side: number, value: (column: number, row: number) => number): TestImage => ({
  pixels: new Uint16Array(side * side).map((_, i) => value(i % side, Math.floor(i / side))),
  width: side,
  height: side,
});

/** B04 has holes where both numbers are multiples of 5; B08 says the column and B11, of 20 m, the row. */
const images: Record<string, TestImage> = {
  B04: fill(SIDE, (column, row) => (column % 5 === 0 && row % 5 === 0 ? 0 : 2000 + column + row)),
  B08: fill(SIDE, (column) => 3000 + column),
  B11: fill(SIDE / 2, (_, row) => 1500 + row),
};

const file: Asset = { ...plain, overviews: [] };
const coarse: Asset = {
  ...file,
  transform: [plain.transform[0], 20, 0, plain.transform[3], 0, -20],
  width: SIDE / 2,
  height: SIDE / 2,
};
const opticalScene = toScene(makeScene(21, { assets: { B04: file, B08: file, B11: coarse } }));
const optical = sensorByAbbreviation('S2')!;

/** A reader whose pool is this thread. */
function makeReader(scene: Scene, readWindow: ReadWindow = readFrom(images), cachedPoints?: CachedPoints) {
  const kernels = loadKernels();
  const job = makeReadPoint({ readWindow, kernels, compute: makeComputeBands(kernels) });
  const pool = makeRunnerHere<PointJobs>({ point: job });
  const scenes = { findByViewId: async () => scene } as never;
  const watch = { renew: async () => assert.fail('no file changes') };
  const compareScene = async (given: Scene) => given;
  const read = makePointReader({ scenes, compareScene, watch, pool, cachedPoints });
  return (bands: string, point: { lat: number; lon: number }, calibrated = false, sensor = optical) =>
    read({ sensor, bands, point, calibrated, viewId: scene.viewId, sceneName: '' }, aTicket);
}

const { forward: toDegrees } = makeProjection(plain.epsg, 4326);
/** The place of a position in pixels of 10 m. */
function toPoint(col: number, row: number) {
  const [lon, lat] = toDegrees(...applyAffine(plain.transform, col, row));
  return { lat, lon };
}

test('a point returns stored numbers without the offset of newer products, and reflectance with CALIBRATE', async () => {
  const read = makeReader(opticalScene);
  const point = toPoint(201.5, 302.5);
  // makeScene's files say reflectance = stored * 0.0001 - 0.1
  assert.deepEqual(await read('B04', point), [2000 + 201 + 302 - 1000]);
  const [reflectance] = await read('B04', point, true);
  assert.ok(Math.abs(reflectance! - 0.1503) < 1e-7);
  assert.deepEqual(await read('B08,B11', point), [3000 + 201 - 1000, 1500 + 151 - 1000]);
});

test('each band has its own nearest pixel', async () => {
  const read = makeReader(opticalScene);
  for (const [col, row] of [
    [0.01, 0.01],
    [201.99, 303.99],
    [1023.99, 1023.99],
  ] as const) {
    const [column, line] = [Math.floor(col), Math.floor(row / 2)];
    assert.deepEqual(await read('B08,B11', toPoint(col, row)), [2000 + column, 500 + line]);
  }
});

test('a point equals the pixel of a picture with RESAMPLE=near, to the last bit', async () => {
  const read = makeReader(opticalScene);
  const tile = { z: 14, x: 8331, y: 6055 };
  const grid = tileGrid(tile);
  const { forward } = makeProjection(3857, 4326);
  const { inverse } = makeProjection(plain.epsg, 3857);
  const options = { ...defaultOptions, method: 'near' as const, isComposite: true };
  const bands = '(B08-B04)/(B08+B04),sqrt(B11)*B08^1.5,1/(B11-B11)';
  for (const calibrated of [false, true]) {
    const plan = planTile(
      { sensor: optical, bands, tile, options: { ...options, calibrated } },
      opticalScene,
    );
    const shown = await computePlan(plan, images);
    assert.ok(shown);
    let [compared, holes] = [0, 0];
    for (let i = 13; i < 256 * 256; i += 211) {
      const place = applyAffine(grid.transform, (i % 256) + 0.5, Math.floor(i / 256) + 0.5);
      const [x, y] = inverse(...place);
      const part = [(x - 500000) / 20, (4700000 - y) / 20].map((v) => v - Math.floor(v));
      // Pictures find positions by a grid that is exact to an eighth of a pixel at worst: not between two pixels then.
      if (part.some((v) => Math.min(v, 1 - v, Math.abs(v - 0.5)) < 0.1)) continue;
      const [lon, lat] = forward(...place);
      const wanted: (number | null)[] = shown.map(({ values, mask }) => (mask[i] === 1 ? values[i]! : null));
      assert.deepEqual(
        await read(bands, { lat, lon }, calibrated),
        wanted.map((value) => (Number.isFinite(value) ? value : null)),
      );
      compared += 1;
      if (wanted[0] === null) holes += 1;
    }
    assert.ok(compared > 100 && holes > 0, `${compared} compared, ${holes} holes`);
  }
});

test('masked, NaN and infinite values are null', async () => {
  const read = makeReader(opticalScene);
  const hole = toPoint(205.5, 305.5);
  assert.deepEqual(await read('B04', hole), [null]);
  assert.deepEqual(await read('B04,B08,B04+B08', hole), [null, 2205, null]);
  const point = toPoint(201.5, 302.5);
  assert.deepEqual(await read('(B08-B08)/(B08-B08),1.0/(B08-B08),0-1.0/(B08-B08)', point), [
    null,
    null,
    null,
  ]);
});

test('a point outside all bands is 404; outside one of them it is null', async () => {
  const smaller = { ...file, width: 100, height: 100 };
  const read = makeReader(toScene(makeScene(21, { assets: { B04: smaller, B08: file } })));
  assert.deepEqual(await read('B04,B08', toPoint(500.5, 500.5)), [null, 2500]);
  for (const [bands, point] of [
    ['B04', toPoint(500.5, 500.5)],
    ['B08', toPoint(-0.1, 500)],
    ['B04,B08', { lat: -42, lon: 3 }],
  ] as const) {
    await assert.rejects(read(bands, point), { tag: 'not-found', code: 'outside-scene' });
  }
});

test('parameters that a point does not support are refused before anything is read', async () => {
  const read = makeReader(opticalScene, async () => assert.fail('nothing is read'));
  const point = toPoint(100.5, 100.5);
  for (const [bands, code] of [
    ['unwrap(B04)', 'needs-window'],
    ['1+1', 'no-band'],
    ['B04,B08,B11,B04', 'too-many-expressions'],
  ] as const) {
    await assert.rejects(read(bands, point), { tag: 'unsupported', code });
  }
  await assert.rejects(read('B02', point), { tag: 'unsupported', code: 'no-such-band-file' });
});

test('a failing source fails the point', async () => {
  const read = makeReader(opticalScene, async () => {
    throw new Error('gone');
  });
  await assert.rejects(read('B04', toPoint(100.5, 100.5)), /gone/);
});

test('sigma nought uses the table at the pixel itself', async () => {
  const radar = sensorByAbbreviation('S1')!;
  const table = { lines: [0, 1023], pixels: [0, 1023], values: [400, 500, 600, 700] };
  const scene = toScene({
    ...makeScene(21, { assets: { VV: { ...file, scale: 1, offset: 0 } } }),
    viewId: `S1/${radar.sceneName.example}`,
    dataset: radar.dataset,
    calibration: { earthSunDistanceAu: null, bands: { VV: { sigmaNought: table } } },
  });
  const image = fill(SIDE, (column, row) => 50 + column + row);
  const read = makeReader(scene, readFrom({ VV: image }));
  assert.deepEqual(await read('VV', toPoint(200.5, 300.5), false, radar), [550]);
  const [sigma] = await read('VV', toPoint(200.5, 300.5), true, radar);
  const factor = 400 + (100 * 200) / 1023 + (200 * 300) / 1023;
  assert.ok(Math.abs(sigma! / (550 / factor) ** 2 - 1) < 1e-6, `${sigma}`);
});
