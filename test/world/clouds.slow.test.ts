/** Clouds as every sensor's product says them, on grids of all kinds, against the clouds that the world really has. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { joinBlockCache, makeBlockCache, makeReadWindow } from '../../src/blocks/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import type { Grid } from '../../src/geo/index.ts';
import { gridBounds, tileAt, tileGrid } from '../../src/geo/index.ts';
import { makePixelMapping, projectBounds } from '../../src/proj/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import { planClouds } from '../../src/render/clouds/plan-clouds.ts';
import { makeReadClouds } from '../../src/render/clouds/read-clouds.ts';
import { beginWork } from '../../src/render/pixels/read-channels.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { expose } from '../../world/light/index.ts';
import type { MadeProducts } from './make-products.ts';
import { makeProducts, productOf } from './make-products.ts';
import { toLocations, toMoment } from './see-product.ts';

/** Which band has the pixels that the clouds were found on, and how large those are. */
const SOURCES = {
  'sentinel2-l1c-polygons': 'B01',
  'sentinel2-l1c-images': 'B01',
  'sentinel2-l2a': 'SCL',
  'landsat9-c2': 'BQA',
  'landsat8-c2': 'BQA',
  'landsat8-c1': 'BQA',
} as const;

let made: MadeProducts;
before(async () => {
  made = await makeProducts([...Object.keys(SOURCES), 'landsat7-c2', 'sentinel1']);
});
after(() => made.folder.remove());

const kernels = loadKernels();
const open = (href: string) => made.folder.options.open(href);
const blocks = joinBlockCache(makeBlockCache(2 ** 24).handle, 0);
const readWindow = makeReadWindow({ open, blocks, jp2Decoder: makeJp2Decoder() });
const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
const readClouds = makeReadClouds({ open });

async function read(scene: Scene, grid: Grid, onlyOpaque: boolean): Promise<Uint8Array> {
  const sensor = sensorByDataset(scene.dataset)!;
  const plan = planClouds({ scene, sensor, grid, onlyOpaque });
  assert.ok(plan !== null);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan, 'a plan is plain JSON');
  const { signal } = new AbortController();
  const job = { plan, grid, viewId: scene.viewId, sceneVersion: scene.version };
  return readClouds(job, beginWork(tools, signal));
}

/** The world's clouds on the pixels of a band; 2 where nothing was measured. */
function truthOf(key: string, band: string, onlyOpaque: boolean): Uint8Array {
  const scene = made.sceneOf.get(key)!;
  const locations = toLocations(scene.assets[band]!, scene.assets[band]!.transform[1]);
  const survey = made.world.ground.survey(locations);
  const { opaque, cirrus } = expose(made.world, { survey, bands: [], ...toMoment(productOf(key).part) });
  return opaque.map((isOpaque, i) => (isOpaque === 1 || (!onlyOpaque && cirrus[i] === 1) ? 1 : 0));
}

for (const [key, band] of Object.entries(SOURCES)) {
  for (const onlyOpaque of [true, false]) {
    test(`${key}: ${onlyOpaque ? 'opaque clouds' : 'clouds and cirrus'} are the world's, pixel by pixel`, async () => {
      const scene = made.sceneOf.get(key)!;
      const { epsg, transform, width, height } = scene.assets[band]!;
      const found = await read(scene, { epsg, transform, width, height }, onlyOpaque);
      const truth = truthOf(key, band, onlyOpaque);
      assert.ok(truth.includes(1) && truth.includes(0), 'the sky has both');
      let [seen, wrong] = [0, 0];
      const isLandsat = band === 'BQA';
      for (let i = 0; i < truth.length; i += 1) {
        // Landsat's frame is larger than what was measured, and the world has clouds there too.
        if (isLandsat && found[i] === 0 && truth[i] === 1) continue;
        seen += 1;
        if (found[i] !== truth[i]) wrong += 1;
      }
      assert.ok(seen > truth.length / 2);
      assert.equal(wrong, 0, `${wrong} of ${seen} pixels`);
      assert.ok(found.includes(1));
    });
  }

  test(`${key}: clouds on a tile of the map are those of the nearest pixels, and tiles fit together`, async () => {
    const scene = made.sceneOf.get(key)!;
    const asset = scene.assets[band]!;
    const { epsg, transform, width, height } = asset;
    const source = { epsg, transform, width, height };
    const native = await read(scene, source, false);
    const { minX, maxX, minY, maxY } = projectBounds(gridBounds(source), epsg, 3857)!;
    const tile = tileAt(15, (minX + maxX) / 2, (minY + maxY) / 2);
    const grid = tileGrid(tile);
    const found = await read(scene, grid, false);
    assert.ok(found.includes(1) && found.includes(0));
    const { toSource } = makePixelMapping(grid, source);
    let compared = 0;
    for (let i = 0; i < found.length; i += 1) {
      const [x, y] = toSource((i % 256) + 0.5, Math.floor(i / 256) + 0.5);
      if ([x, y].some((at) => Math.abs(at - Math.round(at)) < 0.01)) continue;
      const isInside = x > 0 && y > 0 && x < width && y < height;
      const wanted = isInside ? native[Math.floor(y) * width + Math.floor(x)] : 0;
      assert.equal(found[i], wanted, `${key} at ${i}`);
      compared += 1;
    }
    assert.ok(compared > 50_000);
    const large = await read(scene, tileGrid(tile, 512), false);
    const quarters = [0, 1, 2, 3].map((n) => {
      const [dx, dy] = [n & 1, n >> 1];
      return { dx, dy, quarter: tileGrid({ z: tile.z + 1, x: 2 * tile.x + dx, y: 2 * tile.y + dy }) };
    });
    for (const { dx, dy, quarter } of quarters) {
      const part = await read(scene, quarter, false);
      for (let y = 0; y < 256; y += 1) {
        const row = large.subarray((dy * 256 + y) * 512 + dx * 256, (dy * 256 + y) * 512 + dx * 256 + 256);
        assert.deepEqual(part.subarray(y * 256, y * 256 + 256), row, `row ${y} of ${dx}/${dy}`);
      }
    }
  });
}

test('sensors that say nothing of single pixels have no plan', () => {
  for (const key of ['landsat7-c2', 'sentinel1']) {
    const scene = made.sceneOf.get(key)!;
    const sensor = sensorByDataset(scene.dataset)!;
    assert.equal(
      planClouds({ scene, sensor, grid: tileGrid({ z: 0, x: 0, y: 0 }), onlyOpaque: false }),
      null,
    );
  }
  const { cloudMask: _, ...scene } = made.sceneOf.get('sentinel2-l1c-polygons')!;
  const sensor = sensorByDataset(scene.dataset)!;
  assert.equal(planClouds({ scene, sensor, grid: tileGrid({ z: 0, x: 0, y: 0 }), onlyOpaque: false }), null);
});

test('where the scene is not, there are no clouds, and no file is opened', async () => {
  for (const key of Object.keys(SOURCES)) {
    made.folder.takeOpened();
    const marks = await read(made.sceneOf.get(key)!, tileGrid({ z: 10, x: 3, y: 3 }), false);
    assert.ok(!marks.includes(1));
    assert.deepEqual(made.folder.takeOpened(), []);
  }
});
