/** Files of indices of every sensor of the demo world, on one of its small products, say what the points of the scene say. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../src/blocks/index.ts';
import type { Scene, SceneStore } from '../../src/catalog/index.ts';
import type { ExportJobs } from '../../src/exports/index.ts';
import { makeExportJobs, makePlanIndexFile } from '../../src/exports/index.ts';
import { makeMemorySource } from '../../src/formats/testing/memory-source.ts';
import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { LON_LAT_GRID } from '../../src/geo/index.ts';
import type { JobRunner } from '../../src/pool/index.ts';
import { aTicket, makeRunnerHere } from '../../src/pool/testing/run-here.ts';
import { makePixelMapping } from '../../src/proj/index.ts';
import { makePointReader } from '../../src/render/read-point.ts';
import { parseViewId } from '../../src/sensors/index.ts';
import type { MadeProducts } from '../world/make-products.ts';
import { makeProducts } from '../world/make-products.ts';
import { smallProducts } from '../world/small-products.ts';

/** What is computed of each product: of bands of one resolution, so that a point is one pixel. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  landsat5mss: 'B4/B2,B1',
  landsat4mss: 'B4/B2,B1',
  cbers4pan5m: 'sqrt(BAND1)',
  'naip-rgb': 'G-R,B',
};
const DEFAULT_EXPRESSION = 'NDVI';

const keys = smallProducts.map(({ part }) => part.key).filter((key) => key !== 'sentinel1');
let made: MadeProducts;
let pool: JobRunner<ExportJobs>;
before(async () => {
  made = await makeProducts([...keys, 'sentinel1']);
  const { root } = made.folder;
  const files = { dataDir: join(root, 'no-such-folder'), folders: [root] };
  const tools = makeThreadTools({ files, blocks: makeBlockCache(2 ** 22).handle });
  pool = makeRunnerHere<ExportJobs>(makeExportJobs(tools));
});
after(() => made.folder.remove());

/** Makes a file and opens it. */
async function makeFile(scene: Scene, expressions: string) {
  const scenes = { findByViewId: async () => scene } as unknown as SceneStore;
  const common = { scenes, compareScene: async (found: Scene) => found, watch: { renew: async () => {} } };
  const plan = makePlanIndexFile({ ...common, pool });
  const { sensor, viewId, sceneName } = parseViewId(scene.viewId);
  const order = { viewId, sceneName, sensor: sensor.abbreviation, expressions, nameAlias: null, area: null };
  const planned = await plan(order);
  const path = join(made.folder.root, planned.fileName);
  await planned.write(path, { ticket: aTicket, onProgress() {} });
  const tiff = await openTiff(makeMemorySource(readFileSync(path)));
  const readPoint = makePointReader({ ...common, pool: made.pool });
  const valuesAt = (lon: number, lat: number) =>
    readPoint(
      { viewId, sceneName, sensor, bands: expressions, calibrated: false, point: { lon, lat } },
      aTicket,
    );
  return { tiff, image: tiff.images[0], valuesAt, asset: Object.values(scene.assets)[0]! };
}

for (const key of keys) {
  test(`${key}: the pixels of a file are the values of the points at their centres`, async () => {
    const expressions = EXPRESSIONS[key.replace(/-c\d$/, '')] ?? DEFAULT_EXPRESSION;
    const { tiff, image, valuesAt, asset } = await makeFile(made.sceneOf.get(key)!, expressions);
    assert.deepEqual([tiff.nodata, image.type, image.blockWidth], [-9999, 'float32', 512]);
    assert.deepEqual([tiff.epsg ?? 0, tiff.transform?.length], [asset.epsg, 6]);
    const grid = {
      epsg: asset.epsg,
      ...(asset.proj === undefined ? {} : { proj: asset.proj }),
      transform: tiff.transform!,
      width: image.width,
      height: image.height,
    };
    const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
    const bands = Array.from({ length: image.bandCount }, (_, band) => band);
    const blocks = await Promise.all(
      bands.map((band) => readBlock(tiff, image, { band, column: 0, row: 0 })),
    );
    let [checked, known] = [0, 0];
    for (let i = 0; i < 40; i++) {
      const [x, y] = [(i * 37) % image.width, (i * 61) % image.height];
      const expected = await valuesAt(...toTarget(x + 0.5, y + 0.5));
      for (const [band, value] of expected.entries()) {
        const block = blocks[band]!;
        assert.equal(block.pixels[y * block.width + x], value === null ? -9999 : Math.fround(value));
        checked += 1;
        known += value === null ? 0 : 1;
      }
    }
    assert.ok(checked >= 40 && known > checked / 4);
  });
}

test('sentinel1: a file lies upright in its UTM zone and shows the scene', async () => {
  const { tiff, image, valuesAt } = await makeFile(made.sceneOf.get('sentinel1')!, 'VV');
  assert.equal(tiff.epsg, 32_610);
  const [x, pixelM, , y, , pixelHeight] = tiff.transform!;
  assert.deepEqual([pixelM, pixelHeight, x % 30, y % 30], [30, -30, 0, 0]);
  const block = await readBlock(tiff, image, { band: 0, column: 0, row: 0 });
  const { toTarget } = makePixelMapping(LON_LAT_GRID, {
    epsg: 32_610,
    transform: tiff.transform!,
    width: image.width,
    height: image.height,
  });
  let [ours, theirs] = [0, 0];
  for (let row = 40; row < image.height - 40; row += 5) {
    for (let col = 40; col < image.width - 40; col += 5) {
      const value = block.pixels[row * block.width + col]!;
      const [point] = await valuesAt(...toTarget(col + 0.5, row + 0.5));
      if (value === -9999 || point === null || point === undefined) continue;
      ours += value;
      theirs += point;
    }
  }
  // speckle differs from pixel to pixel, its mean does not
  assert.ok(theirs > 0 && Math.abs(ours / theirs - 1) < 0.05, `${ours / theirs}`);
});

test('nothing but the files is left', () => {
  const left = readdirSync(made.folder.root).filter((name) => name.endsWith('.part'));
  assert.deepEqual(left, []);
});
