import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Asset } from '../catalog/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import { createCog } from '../formats/cog/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { toBandPixels } from '../formats/tiff/index.ts';
import type { Affine } from '../geo/index.ts';
import { openOwnFiles } from '../objects/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { convertAsset, isSlowToShow } from './convert-scenes.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-convert-'));
after(() => rmSync(dataDir, { recursive: true }));
const open = makeOpenSource({ dataDir });
const jp2Decoder = makeJp2Decoder();
const WIDTH = 1_500;
const HEIGHT = 1_290;
const transform: Affine = [300_000, 10, 0, 5_000_000, 0, -10];

async function writeAsset(href: string, blockSize: number, overviews: 'auto' | 'none'): Promise<Asset> {
  const cog = await createCog(join(dataDir, href), {
    width: WIDTH,
    height: HEIGHT,
    bandCount: 2,
    type: 'uint16',
    epsg: 32631,
    transform,
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
    blockSize,
    overviews,
    interleave: 'band',
  });
  const first = new Uint16Array(WIDTH * HEIGHT).map((_, i) => 1 + ((i * 7) % 9_000));
  const second = first.map((value, i) => (i % 97 === 0 ? 0 : 10_000 - value));
  await cog.writeRows([first, second], HEIGHT);
  const result = await cog.finish();
  return {
    href,
    bandIndex: 1,
    epsg: 32631,
    transform,
    width: WIDTH,
    height: HEIGHT,
    type: 'uint16',
    nodata: 0,
    scale: 0.0001,
    offset: -0.1,
    overviews: result.overviews,
  };
}

async function readWhole({ href, bandIndex }: Asset): Promise<Uint16Array> {
  const file = await openBlockFile(await open(href), { jp2Decoder });
  const [{ width, height, blockWidth, blockHeight, blocksAcross, blocksDown }] = file.levels;
  const whole = new Uint16Array(width * height);
  for (let row = 0; row < blocksDown; row += 1) {
    for (let column = 0; column < blocksAcross; column += 1) {
      const block = await file.readBlock(0, { band: bandIndex, column, row });
      const pixels = toBandPixels(block, bandIndex);
      const cols = Math.min(blockWidth, width - column * blockWidth);
      for (let y = 0; y < Math.min(blockHeight, height - row * blockHeight); y += 1) {
        const from = y * block.width;
        whole.set(
          pixels.subarray(from, from + cols) as Uint16Array,
          (row * blockHeight + y) * width + column * blockWidth,
        );
      }
    }
  }
  await file.source.close();
  return whole;
}

const deps = {
  open,
  jp2Decoder,
  files: openOwnFiles({ dataDir, cubes: null, sources: {} }),
  isQuality: false,
  signal: new AbortController().signal,
  onProgress: () => {},
};

async function readVersion(href: string): Promise<string> {
  const source = await open(href);
  await source.close();
  return source.version;
}

test('a band in huge blocks without overviews becomes a COG with the same pixels and georeference', async () => {
  const asset = await writeAsset('slow.tif', 2_048, 'none');
  const fractions: number[] = [];
  const converted = await convertAsset(asset, {
    ...deps,
    key: 'converted/S2-x/B02.tif',
    onProgress: (fraction) => fractions.push(fraction),
  });
  assert.ok(converted !== null);
  assert.deepEqual(converted, {
    ...asset,
    href: 'converted/S2-x/B02.tif',
    bandIndex: 0,
    overviews: [
      { width: 750, height: 645 },
      { width: 375, height: 323 },
    ],
    stamps: [await readVersion(converted.href)],
  });
  assert.equal(fractions.at(-1), 1);
  assert.deepEqual(await readWhole(converted), await readWhole(asset));
  const file = await openBlockFile(await open(converted.href), { jp2Decoder });
  assert.equal(file.epsg, 32631);
  assert.deepEqual(file.transform, transform);
  assert.equal(isSlowToShow(file), false);
  await file.source.close();
  // It is not converted again.
  assert.equal(await convertAsset(converted, { ...deps, key: 'converted/again.tif' }), null);
});

test('a file that is already a COG stays as it is', async () => {
  const asset = await writeAsset('fast.tif', 512, 'auto');
  assert.equal(await convertAsset(asset, { ...deps, key: 'converted/fast.tif' }), null);
  assert.ok(!existsSync(join(dataDir, 'converted/fast.tif')));
});

test('strips, JPEG 2000, huge blocks and large images without overviews are slow', () => {
  const level = {
    width: 5_000,
    height: 5_000,
    blockWidth: 512,
    blockHeight: 512,
    blocksAcross: 10,
    blocksDown: 10,
  };
  const image = { ...level, bandCount: 1, type: 'uint16' as const, interleave: 'pixel' as const };
  assert.equal(isSlowToShow({ format: 'tiff', levels: [image, image] }), false);
  assert.equal(isSlowToShow({ format: 'tiff', levels: [image] }), true);
  assert.equal(isSlowToShow({ format: 'jp2', levels: [image, image] }), true);
  assert.equal(
    isSlowToShow({ format: 'tiff', levels: [{ ...image, blockWidth: 5_000, blockHeight: 1 }, image] }),
    true,
  );
  assert.equal(isSlowToShow({ format: 'tiff', levels: [{ ...image, width: 300, height: 300 }] }), false);
});

test('an image of another type than its record, or a stop, leaves no file behind', async () => {
  const asset = await writeAsset('other.tif', 2_048, 'none');
  const key = 'broken/B02.tif';
  await assert.rejects(convertAsset({ ...asset, type: 'uint8' }, { ...deps, key }), {
    code: 'not-convertible',
  });
  await assert.rejects(convertAsset(asset, { ...deps, key, signal: AbortSignal.abort(new Error('stop')) }));
  assert.deepEqual(existsSync(join(dataDir, 'broken')) ? readdirSync(join(dataDir, 'broken')) : [], []);
});
