import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { toPlacement } from '../../formats/block-file/testing/placement.ts';
import type { PixelType, SampleType } from '../../raster/index.ts';
import type { SeenImage } from './testing/bands-here.ts';
import { cutPixels, makeBandsHere, makeBandsScene, readImageFile, withFolder } from './testing/bands-here.ts';

/** Files of GDAL with every storage that we read: strips, tiles, all codecs, both byte orders, sparse, masked. */
const files = globSync('test/golden/tiff/**/*.tif').filter((file) => !file.includes('refused'));

const WRITTEN: ReadonlySet<SampleType> = new Set(['uint8', 'uint16', 'int16', 'float32']);
const TYPES = {
  Uint8Array: 'uint8',
  Uint16Array: 'uint16',
  Int16Array: 'int16',
  Float32Array: 'float32',
} as const;

async function tryRead(path: string): Promise<SeenImage | null> {
  try {
    return await readImageFile(path);
  } catch (error) {
    if (isSwathError(error)) return null;
    throw error;
  }
}

function toAsset(image: SeenImage): Asset | null {
  const type = (TYPES as Readonly<Record<string, PixelType>>)[image.pixels[0]!.constructor.name];
  if (type === undefined || !WRITTEN.has(type)) return null;
  const { width, height, nodata } = image;
  const elsewhere = { epsg: 32631, transform: [500_000, 10, 0, 4_700_000, 0, -10] } as const;
  const isPlaced = (image.epsg ?? image.proj) !== null && image.transform !== null;
  const placement = isPlaced ? toPlacement(image) : elsewhere;
  return {
    href: 'B4.TIF',
    bandIndex: 0,
    ...placement,
    width,
    height,
    type,
    nodata,
    scale: 1,
    offset: 0,
    overviews: [],
  };
}

/** Where a mask or an alpha band says that there is no data, pixels are filled. */
const isMasked = (file: string): boolean => /mask|alpha|jpeg-4|webp-4/.test(file);

let [copied, encoded] = [0, 0];

for (const file of files) {
  test(`${file} as a file of its first band, whole and cropped, keeps every number`, () =>
    withFolder(async (folder) => {
      const source = await tryRead(file);
      const asset = source === null ? null : toAsset(source);
      if (source === null || asset === null) return;
      await copyFile(file, join(folder, 'B4.TIF'));
      const scene = makeBandsScene(
        { B4: asset },
        { dataset: 'landsat8', viewId: 'L8/LC08_L1TP_199031_20260601_20260610_02_T1' },
      );
      const here = makeBandsHere(scene, folder);
      const whole = await readImageFile(await here.write({ bands: ['B4'] }));
      const jobs = here.asked.map(({ kind }) => kind);
      if (jobs.includes('export-copy')) copied++;
      else encoded++;
      if (!isMasked(file)) {
        assert.deepEqual(whole.pixels[0], source.pixels[0]);
        assert.equal(whole.nodata, source.nodata);
      }
      assert.deepEqual([whole.epsg, whole.proj], [asset.epsg === 0 ? null : asset.epsg, asset.proj ?? null]);
      whole.transform!.forEach((value, i) => {
        assert.ok(Math.abs(value - asset.transform[i]!) <= 1e-9 * Math.abs(value), `${whole.transform}`);
      });
      const { width, height } = source;
      if (width < 4 || height < 4) return;
      const window = { x: 1, y: 2, width: width - 2, height: height - 3 };
      const [crop] = (await readCrop(here, asset, window)).pixels;
      if (isMasked(file)) return;
      assert.deepEqual(crop, cutPixels(source.pixels[0]!, width, window));
    }));
}

/** A crop by a box in the reference system of the image is made by the georeference of a geographic copy of it. */
async function readCrop(
  here: ReturnType<typeof makeBandsHere>,
  asset: Asset,
  window: { x: number; y: number; width: number; height: number },
) {
  const { proj: _, ...placed } = asset;
  const scene = makeBandsScene(
    { B4: { ...placed, epsg: 4326, transform: [0, 0.001, 0, 50, 0, -0.001] } },
    { dataset: 'landsat8', viewId: 'L8/LC08_L1TP_199031_20260601_20260610_02_T1' },
  );
  const bounds = {
    minX: (window.x + 0.2) * 0.001,
    maxX: (window.x + window.width - 0.2) * 0.001,
    minY: 50 - (window.y + window.height - 0.2) * 0.001,
    maxY: 50 - (window.y + 0.2) * 0.001,
  };
  const path = await makeBandsHere(scene, here.folder).write({
    bands: ['B4'],
    area: { kind: 'bounds', bounds },
  });
  return readImageFile(path);
}

test('a few of these files have square tiles, which are copied; all others are encoded', () => {
  assert.ok(copied >= 2 && encoded > 50, `${copied} copied, ${encoded} encoded`);
});
