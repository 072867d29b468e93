import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { summarize } from '../numbers/index.ts';
import {
  makeMeasureHere,
  planTestScene,
  toTestArea,
  toTestAsset,
  writeTestScene,
} from './testing/statistics-here.ts';

const fine = { width: 200, height: 100, pixelM: 10 };
const coarse = { width: 100, height: 50, pixelM: 20 };
const scene = toScene(
  makeScene(1, {
    assets: {
      B04: toTestAsset('B04', fine),
      B08: toTestAsset('B08', fine),
      B11: toTestAsset('B11', coarse),
      B05: toTestAsset('B05', coarse),
    },
  }),
);
const plan = (expressions: readonly string[], area: ReturnType<typeof toTestArea>) =>
  planTestScene({ scene, expressions, area });

test('expressions on one grid are measured together, and results are returned in the order of the request', () => {
  const planned = plan(['NDVI', 'B11', 'B04', 'NDMI'], toTestArea([20, 20, 30, 30]));
  assert.ok(planned !== null);
  const [tens, twenties] = planned.job.groups;
  assert.equal(planned.job.groups.length, 2);
  assert.deepEqual([tens?.pieces[0]?.pixels.grid.transform[1], tens?.expressions], [10, 2]);
  assert.deepEqual([twenties?.pieces[0]?.pixels.grid.transform[1], twenties?.expressions], [20, 2]);
  assert.deepEqual(planned.order, [0, 2, 1, 3]);
});

test('the window is the area plus a margin of one pixel', () => {
  const { areaPx, pieces } = plan(['B04'], toTestArea([20, 30, 40, 35]))!.job.groups[0]!;
  const { grid } = pieces[0]!.pixels;
  assert.equal(pieces.length, 1);
  assert.deepEqual([grid.width, grid.height], [22, 7]);
  assert.deepEqual([grid.transform[0], grid.transform[3]], [500_190, 4_699_710]);
  assert.equal(areaPx, null, 'the area lies in the image, so that its pixels are counted');
});

test('the window ends at the edge of the image, but the area is measured as a whole', () => {
  const { pieces, areaPx } = plan(['B04'], toTestArea([190, -10, 230, 10]))!.job.groups[0]!;
  const { grid } = pieces[0]!.pixels;
  assert.deepEqual([grid.width, grid.height], [11, 11]);
  assert.deepEqual([grid.transform[0], grid.transform[3]], [501_890, 4_700_000]);
  assert.ok(Math.abs((areaPx ?? 0) - 800) < 0.01, `${areaPx}`);
});

test('holes do not count towards the size of an area', () => {
  const area = toTestArea([-10, 10, 30, 50]);
  const hole = toTestArea([0, 20, 10, 30]).geometry.coordinates[0]![0]!.toReversed();
  const geometry = { ...area.geometry, coordinates: [[area.geometry.coordinates[0]![0]!, hole]] };
  const { areaPx } = plan(['B04'], { ...area, geometry, key: 'with a hole' })!.job.groups[0]!;
  assert.ok(Math.abs((areaPx ?? 0) - 1_500) < 0.01, `${areaPx}`);
});

test('an area outside the image is not planned', () => {
  assert.equal(plan(['B04'], toTestArea([210, 10, 220, 20])), null);
  assert.equal(plan(['B04'], toTestArea([-30, 10, -20, 20])), null);
});

test('an area that contains no pixel centre gets a window of the pixels around it', () => {
  const { grid } = plan(['B04'], toTestArea([50.1, 60.6, 50.3, 60.9]))!.job.groups[0]!.pieces[0]!.pixels;
  assert.deepEqual([grid.width, grid.height], [3, 3]);
  assert.deepEqual([grid.transform[0], grid.transform[3]], [500_490, 4_699_410]);
});

test('a mask is read at full resolution', () => {
  const overviews = [{ width: 30, height: 15 }];
  const mask = { ...toTestAsset('mask', { width: 33, height: 17, pixelM: 60 }), overviews };
  const cloudy = { ...scene, cloudMask: { kind: 'flags', asset: mask } as const };
  const planned = planTestScene({ scene: cloudy, expressions: ['B04'], area: toTestArea([0, 0, 200, 100]) });
  const source = planned?.job.groups[0]?.pieces[0]?.masks[0]?.plan.source;
  assert.equal(source?.kind, 'pixels');
  assert.deepEqual(source?.kind === 'pixels' && source.inputs[0]?.warp?.levelSize, { width: 33, height: 17 });
});

test('cloud polygons are drawn on the pixels of the finest band, even for a coarser grid', () => {
  const cloudMask = { kind: 'polygons', href: 'clouds.gml', epsg: 32_631 } as const;
  const planned = planTestScene({
    scene: { ...scene, cloudMask },
    expressions: ['B11'],
    area: toTestArea([0, 0, 200, 100]),
  });
  const source = planned?.job.groups[0]?.pieces[0]?.masks[0]?.plan.source;
  assert.deepEqual(source?.kind === 'polygons' && source.warp?.levelSize, { width: 200, height: 100 });
});

test('a scene without a sun elevation is measured as if the sun were in the zenith', () => {
  const landsat = { width: 50, height: 50, pixelM: 30 };
  const assets = {
    B4: { ...toTestAsset('B4', landsat), scale: 1 },
    B5: { ...toTestAsset('B5', landsat), scale: 1 },
  };
  const without = toScene(
    makeScene(1, { dataset: 'landsat8', viewId: 'L8/LC81970302026154LGN00', assets, sunElevationDeg: null }),
  );
  const area = toTestArea([20, 20, 40, 40]);
  const [input] =
    planTestScene({ scene: without, expressions: ['B4'], area })?.job.groups[0]?.pieces[0]?.pixels.inputs ??
    [];
  // The published constants of Landsat 8: 0.00002 DN - 0.1.
  assert.deepEqual(input?.parameters, [-5_000, Math.fround(2e-5)]);
});

test('a large area is measured in pieces, with the same statistics as in one piece', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'statistics-test-'));
  try {
    const size = { width: 2_400, height: 2_000, pixelM: 10 };
    const red = (col: number, row: number): number => 1 + ((col * 31 + row * 17) % 4_001);
    const nir = (col: number, row: number): number => 1 + ((col * 13 + row * 29) % 6_007);
    const large = await writeTestScene(folder, {
      B04: { ...size, valueAt: red },
      B08: { ...size, valueAt: nir },
    });
    const area = toTestArea([10, 20, 2_390, 1_990]);
    const request = { scene: large, expressions: ['B08/B04'], area };
    const pieces = planTestScene(request)?.job.groups[0]?.pieces ?? [];
    assert.ok(pieces.length > 1, `${pieces.length} pieces`);
    const [found] = await makeMeasureHere(folder)(request);
    const values = new Float32Array(2_380 * 1_970);
    const toReflectance = (stored: number): number => Math.fround(Math.fround(0.0001) * stored);
    for (let i = 0; i < values.length; i += 1) {
      const [col, row] = [10 + (i % 2_380), 20 + Math.floor(i / 2_380)];
      values[i] = toReflectance(nir(col, row)) / toReflectance(red(col, row));
    }
    assert.deepEqual(found?.statistics, summarize(values, null));
    assert.equal(found?.validPx, values.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('two fields take little memory, however far apart they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'statistics-test-'));
  try {
    // 17 million pixels: more than one mask may have.
    const size = { width: 17_000, height: 1_000, pixelM: 10 };
    const far = await writeTestScene(folder, {
      B04: { ...size, valueAt: (col) => (col < 8_000 ? 1_000 : 3_000) },
    });
    const area = toTestArea([10, 10, 20, 20], [16_980, 980, 16_990, 990]);
    const request = { scene: far, expressions: ['B04'], area };
    const [found] = await makeMeasureHere(folder)(request);
    assert.equal(found?.statistics?.count, 200);
    assert.equal(found?.validPx, 200);
    assert.ok(Math.abs((found?.statistics?.average ?? 0) - 0.2) < 1e-7);
    const { bytes = Infinity } = planTestScene(request) ?? {};
    assert.ok(bytes < 100 * 2 ** 20, `${bytes} bytes`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
