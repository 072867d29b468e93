/** One damaged file among many: it is named, the others are taken, and a run after its repair is whole. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeGridNetcdf } from '../../src/cubes/testing/make-grid-netcdf.ts';
import { toLandsatOdl } from '../../src/ingest/families/testing/product-texts.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { SCENE, withFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { writeDem } from '../../src/terrain/ingest/testing/make-dem-folder.ts';
import { makeWeatherNetcdf } from '../../src/weather/testing/make-weather-netcdf.ts';
import { ONE_THREAD, runSwath } from '../support/start-swath.ts';

const grid = { west: 10, north: 50, lonStep: 0.1, latStep: 0.1, width: 4, height: 3 };

/** Writes three products of two bands each; a size beyond a thousand pixels is worth a COG. */
async function writeProducts({ root, write }: TestFolder, size: number): Promise<string> {
  const ids = ['016036', '016037', '016038'].map((place) => `LC08_L1TP_${place}_20170813_20170814_01_RT`);
  for (const productId of ids) {
    const sceneId = `LC8${productId.slice(10, 16)}2017225LGN00`;
    await write(`${productId}/${productId}_MTL.txt`, toLandsatOdl({ sceneId, productId, collection: 1 }));
    const { epsg, west, north } = SCENE;
    const pixel = { pixelWidth: 240_000 / size, pixelHeight: 240_000 / size };
    for (const band of ['B4', 'B5'])
      await writeDem(join(root, productId, `${productId}_${band}.TIF`), {
        epsg,
        west,
        north,
        ...pixel,
        width: size,
        height: size,
        type: 'uint16',
        nodata: 0,
        more: { compression: 'deflate', blockSize: 256 },
      });
  }
  return `${ids[1]}/${ids[1]}_B5.TIF`;
}

interface DamageCase {
  readonly args: readonly string[];
  /** Writes three inputs; resolves to the file that is to be damaged. */
  readonly write: (folder: TestFolder) => Promise<string>;
  readonly damage: (bytes: Buffer) => Buffer;
  /** What is printed about the damage, and about the others. */
  readonly named: RegExp;
  readonly taken: RegExp;
}

const CASES: Readonly<Record<string, DamageCase>> = {
  weather: {
    args: ['weather'],
    async write({ write }) {
      const variables = { t2m: { units: 'degC', valueAt: () => 5 } };
      for (const i of [0, 1, 2])
        await write(
          `${i}.nc`,
          makeWeatherNetcdf({ grid, hours: [0, 1, 2].map((hour) => 480_000 + 3 * i + hour), variables }),
        );
      return '1.nc';
    },
    damage: (bytes) => bytes.subarray(0, -20),
    named: /broken 1\.nc: \S.*\./,
    taken: /2 files with 6 fields, 0 unchanged, 1 broken/,
  },
  'soil moisture': {
    args: ['soilmoisture'],
    async write({ write }) {
      for (const i of [0, 1, 2])
        await write(`${i}.nc`, makeGridNetcdf({ grid, steps: [20_000 + i], valueAt: () => 0.25 }));
      return '1.nc';
    },
    damage: (bytes) => bytes.subarray(0, -20),
    named: /broken 1\.nc: \S.*\./,
    taken: /2 files with 2 fields, 0 unchanged, 1 broken/,
  },
  'a folder of products': {
    args: ['folder'],
    write: (folder) => writeProducts(folder, 16),
    damage: (bytes) => bytes.subarray(0, 100),
    named: /broken \S*016037\S*: \S.*\./,
    taken: /2 added, 0 replaced, 0 unchanged, 1 broken/,
  },
  'a conversion to COGs': {
    args: ['folder', '--convert'],
    write: (folder) => writeProducts(folder, 1_040),
    // Ingest reads the header of each band and the pixels of one, so that only the conversion meets the damage.
    damage: (bytes) => Buffer.from(bytes).fill(0xff, bytes.length - 400, bytes.length - 300),
    named: /broken L8\/\S*016037\S* B5: \S.*\./,
    taken: /Converted 5 files to COGs\./,
  },
};

for (const [what, { args, write, damage, named, taken }] of Object.entries(CASES))
  test(`one damaged file in ${what} is named, the others are ingested, and a run after its repair is complete`, () =>
    withFolder(async (folder) => {
      const [kind, ...options] = args;
      const path = join(folder.root, await write(folder));
      const whole = await readFile(path);
      await writeFile(path, damage(whole));
      const env = { SWATH_DATA: join(folder.root, '.data'), SWATH_SOURCES: folder.root, ...ONE_THREAD };
      const run = () => runSwath(['ingest', kind!, folder.root, ...options], env);
      const first = await run();
      assert.equal(first.status, 1, first.stdout + first.stderr);
      assert.match(first.stdout, taken);
      assert.match(first.stderr, named);
      await writeFile(path, whole);
      const again = await run();
      assert.equal(again.status, 0, again.stdout + again.stderr);
      assert.doesNotMatch(again.stdout + again.stderr, /broken/);
    }));
