import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Asset, Scene } from '../../catalog/index.ts';
import { createJp2, makeJp2Encoder } from '../../formats/jp2/index.ts';
import { openZip } from '../../formats/testing/read-zip.ts';
import {
  cutPixels,
  makeBandPixels,
  makeBandsHere,
  makeBandsScene,
  readImageFile,
  withFolder,
} from './testing/bands-here.ts';
import { areaOf, writeScene } from './testing/bands-scene.ts';

test('one band of Sentinel-2 is a JP2 file made from a COG, whole or cropped', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const planned = await here.plan({ bands: ['B04'] });
    assert.equal(planned.fileName, 'S2-31-T-DH-2026-6-1-0_B04.jp2');
    assert.equal(planned.contentType, 'image/jp2');
    const whole = await readImageFile(await here.write({ bands: ['B04'] }));
    assert.deepEqual([whole.format, whole.epsg], ['jp2', 32631]);
    assert.deepEqual(whole.pixels[0], pixels.B04);
    const window = { x: 37, y: 91, width: 613, height: 450 };
    const part = await readImageFile(await here.write({ bands: ['B04'], area: areaOf(window) }));
    assert.deepEqual(part.transform, [500_370, 10, 0, 4_699_090, 0, -10]);
    assert.deepEqual(part.pixels[0], cutPixels(pixels.B04!, 700, window));
  }));

/** A scene of one JP2 file. */
async function writeJp2Scene(
  folder: string,
): Promise<{ readonly scene: Scene; readonly pixels: Uint16Array }> {
  const transform = [500_000, 10, 0, 4_700_000, 0, -10] as const;
  const size = { width: 300, height: 200 };
  const pixels = makeBandPixels('uint16', size, 4) as Uint16Array;
  const options = { ...size, epsg: 32631, transform, bandCount: 1, bitsPerSample: 15, tileSize: 128 };
  const jp2 = await createJp2(join(folder, 'B04.jp2'), options, makeJp2Encoder());
  await jp2.writeRows([pixels], 200);
  await jp2.finish();
  const asset: Asset = {
    href: 'B04.jp2',
    bandIndex: 0,
    epsg: 32631,
    transform,
    ...size,
    type: 'uint16',
    nodata: 0,
    scale: 1,
    offset: 0,
    overviews: [],
  };
  return { scene: makeBandsScene({ B04: asset, B03: { ...asset, href: 'B04.jp2' } }), pixels };
}

test('a whole band that is a JP2 file is that file, byte for byte, also in an archive of single bands', () =>
  withFolder(async (folder) => {
    const { scene } = await writeJp2Scene(folder);
    const here = makeBandsHere(scene, folder);
    const original = await readFile(join(folder, 'B04.jp2'));
    assert.deepEqual(await readFile(await here.write({ bands: ['B04'] })), original);
    const zip = openZip(await here.write({ bands: ['B04', 'B03'], merge: false }));
    assert.deepEqual(
      zip.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_B04.jp2', 'S2-31-T-DH-2026-6-1-0_B03.jp2'],
    );
    assert.deepEqual(zip.readStored(zip.entries[0]!), original);
    zip.close();
  }));

test('a crop of a JP2 file is a JP2 file, and merged JP2 files are a COG', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeJp2Scene(folder);
    const here = makeBandsHere(scene, folder);
    const window = { x: 11, y: 13, width: 200, height: 150 };
    const part = await readImageFile(await here.write({ bands: ['B04'], area: areaOf(window) }));
    assert.equal(part.format, 'jp2');
    assert.deepEqual(part.pixels[0], cutPixels(pixels, 300, window));
    const merged = await readImageFile(await here.write({ bands: ['B04', 'B03'] }));
    assert.equal(merged.format, 'tiff');
    assert.deepEqual(merged.pixels, [pixels, pixels]);
  }));
