import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeGate } from '../../async/index.ts';
import type { NewScene } from '../../catalog/index.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { openTiff, readBlock, toBandPixels } from '../../formats/tiff/index.ts';
import { invertAffine } from '../../geo/index.ts';
import { parseItem, readLiveItem, toItemHit } from '../../ingest/index.ts';
import { makeOpenSource } from '../../sources/index.ts';
import { startFakeStac } from './fake-stac.ts';
import { cloudSideM, expectNdvi, groundAt, SCENE_CLASSES } from './ground.ts';
import type { MadeItem } from './made-item.ts';
import { makeItem } from './make-item.ts';
import { TILE_M, toMgrsTile } from './mgrs-tiles.ts';
import { MSI_OFFSET, MSI_PLAIN } from './sentinel2-scene.ts';

const fake = await startFakeStac();
after(() => fake[Symbol.asyncDispose]());
const { place } = fake;
const open = makeOpenSource({ dataDir: '/nowhere', network: fake.network });
const jp2Decoder = makeJp2Decoder();
const findScene = async () => null;

/** The record of an item by the rules of an ingest, with the headers of its files read from the fake. */
async function readScene(made: MadeItem): Promise<NewScene> {
  fake.replace(made);
  const item = parseItem(fake.itemOf(made.head.id));
  const { hit } = (await toItemHit(item, findScene))!;
  const scene = await readLiveItem(item, {
    location: { kind: 'url', url: item.self! },
    rules: {
      isAllowedHref: (href) => href.startsWith(fake.origin),
      toHref: () => assert.fail('no file of this machine'),
    },
    findScene,
    doors: { open, jp2Decoder, gate: makeGate(8) },
  });
  assert.equal(hit.viewId, scene.viewId);
  assert.equal(hit.dataset, scene.dataset);
  return scene;
}

/** The measurement in a band at a place of its reference system. */
async function readValue(scene: NewScene, band: string, x: number, y: number): Promise<number> {
  const { href, transform, scale, offset, bandIndex } = scene.assets[band]!;
  const tiff = await openTiff(await open(href));
  const image = tiff.images[0]!;
  const [west, a, b, north, c, d] = invertAffine(transform);
  const column = Math.floor(west + a * x + b * y);
  const row = Math.floor(north + c * x + d * y);
  const block = await readBlock(tiff, image, {
    band: bandIndex,
    column: Math.floor(column / image.blockWidth),
    row: Math.floor(row / image.blockHeight),
  });
  const at = (row % image.blockHeight) * block.width + (column % image.blockWidth);
  return toBandPixels(block, bandIndex)[at]! * scale + offset;
}

test('Sentinel-2 of Earth Search: files of real size with numbers that follow from place and day', async () => {
  const day = '2022-06-11';
  for (const [collection, stored] of [
    ['earth-search/sentinel-2-l2a', MSI_PLAIN],
    ['earth-search/sentinel-2-c1-l2a', MSI_OFFSET],
  ] as const) {
    const scene = await readScene(makeItem(collection, { tile: '31TDH', day, cloud: 20 }, place));
    assert.equal(scene.viewId, 'S2L2A/31/T/DH/2022/6/11/0');
    assert.equal(scene.cloudPercent, 20);
    assert.equal(Object.keys(scene.assets).length, 13);
    const { B04, B8A } = scene.assets;
    assert.deepEqual([B04!.width, B8A!.width, B04!.overviews.length], [10_980, 5_490, 5]);
    const { west, north } = toMgrsTile('31TDH');
    assert.deepEqual(B04!.transform, [west, 10, 0, north, 0, -10]);
    for (const [eastM, southM] of [
      [90_000, 70_000],
      [91_000, 70_000],
      [90_000, 71_000],
      [91_500, 71_000],
      [TILE_M - 5, TILE_M - 5],
    ] as const) {
      const ground = groundAt(eastM, southM);
      const at = [west + eastM, north - southM] as const;
      const [nir, red] = [await readValue(scene, 'B08', ...at), await readValue(scene, 'B04', ...at)];
      const ndvi = (nir - red) / (nir + red);
      assert.ok(Math.abs(ndvi - expectNdvi(ground, day, stored)) < 1e-9, `${ground} ${ndvi}`);
      assert.equal(await readValue(scene, 'SCL', ...at), SCENE_CLASSES[ground]);
    }
    const cloudM = cloudSideM(20, TILE_M);
    assert.equal(await readValue(scene, 'SCL', west + cloudM - 30, north - cloudM + 30), SCENE_CLASSES.cloud);
    assert.notEqual(
      await readValue(scene, 'SCL', west + cloudM + 30, north - cloudM + 30),
      SCENE_CLASSES.cloud,
    );
  }
});
