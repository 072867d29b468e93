import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { makeJp2Encoder } from './encode-tile.ts';
import type { Jp2Options, Jp2Pixels } from './jp2-writer.ts';
import { createJp2 } from './jp2-writer.ts';
import { makeJp2Decoder } from './openjpeg.ts';
import { openJp2 } from './reader/jp2-reader.ts';
import { readLevel } from './testing/read-level.ts';

const encoder = makeJp2Encoder();
const decoder = makeJp2Decoder();

const base: Jp2Options = {
  width: 150,
  height: 131,
  bandCount: 1,
  bitsPerSample: 15,
  tileSize: 64,
  epsg: 32610,
  transform: [510_180.5, 10, 0, 5_390_400.25, 0, -10],
};

/** Slopes with noise, different in each band. */
function makeBands({ width, height, bandCount, bitsPerSample }: Jp2Options): Jp2Pixels[] {
  let state = 3;
  const max = 2 ** bitsPerSample - 1;
  return Array.from({ length: bandCount }, (_, band) => {
    const pixels = bitsPerSample > 8 ? new Uint16Array(width * height) : new Uint8Array(width * height);
    return pixels.map((_, i) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      return (i * (3 + band) + ((state >>> 16) & 31)) % (max + 1);
    });
  });
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-jp2-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes in portions that fit no tile; returns the file. */
async function write(folder: string, options: Jp2Options, bands: readonly Jp2Pixels[]): Promise<Buffer> {
  const path = join(folder, 'x.jp2');
  const writer = await createJp2(path, options, encoder);
  for (let row = 0; row < options.height; row += 50) {
    const count = Math.min(50, options.height - row);
    const cut = bands.map((band) => band.subarray(row * options.width, (row + count) * options.width));
    await writer.writeRows(cut, count);
  }
  const { size } = await writer.finish();
  const file = await readFile(path);
  assert.equal(file.length, size);
  return file;
}

const cases: readonly (readonly [string, Partial<Jp2Options>])[] = [
  ['several tiles, narrow ones at the edges', {}],
  ['one tile larger than the image', { tileSize: 256 }],
  ['one tile of the size of the image', { width: 64, height: 64 }],
  ['16 bits', { bitsPerSample: 16 }],
  ['bytes', { bitsPerSample: 8 }],
  ['three bands', { bitsPerSample: 8, bandCount: 3 }],
  ['a single pixel', { width: 1, height: 1 }],
  ['a tile of one column', { width: 65, height: 70 }],
];

for (const [what, given] of cases) {
  test(`${what}: our reader finds every pixel and the georeference`, () =>
    withFolder(async (folder) => {
      const options = { ...base, ...given };
      const bands = makeBands(options);
      const jp2 = await openJp2(makeMemorySource(await write(folder, options, bands)));
      assert.deepEqual([jp2.epsg, jp2.transform], [options.epsg, options.transform]);
      assert.deepEqual(
        [jp2.width, jp2.height, jp2.bandCount, jp2.tileWidth],
        [options.width, options.height, options.bandCount, options.tileSize],
      );
      assert.deepEqual(await readLevel(jp2, 0, decoder), bands);
      assert.deepEqual(await readdir(folder), ['x.jp2']);
    }));
}

test('large enough tiles have six resolutions, each readable', () =>
  withFolder(async (folder) => {
    const options = { ...base, width: 96, height: 160 };
    const jp2 = await openJp2(makeMemorySource(await write(folder, options, makeBands(options))));
    assert.deepEqual(
      jp2.levels.map(({ width, height }) => [width, height]),
      [
        [96, 160],
        [48, 80],
        [24, 40],
        [12, 20],
        [6, 10],
        [3, 5],
      ],
    );
    for (let level = 0; level < 6; level++) await readLevel(jp2, level, decoder);
  }));

test('the same pixels give the same bytes on every machine', () =>
  withFolder(async (folder) => {
    const file = await write(folder, base, makeBands(base));
    assert.equal(
      createHash('sha256').update(file).digest('hex'),
      '21b7d4879501464f757ca3fe4580aa3a117e5f9fe02561eb89af1009b62c5702',
    );
  }));

test('unsupported images are refused, and aborting leaves nothing', () =>
  withFolder(async (folder) => {
    const refused = async (given: Partial<Jp2Options>, code: string) => {
      const start = createJp2(join(folder, 'no.jp2'), { ...base, ...given }, encoder);
      await assert.rejects(start, (error) => isSwathError(error) && error.code === code);
    };
    await refused({ width: 0 }, 'bad-image-size');
    await refused({ bandCount: 2 }, 'bad-band-count');
    await refused({ bitsPerSample: 17 }, 'bad-pixel-bits');
    await refused({ tileSize: 100 }, 'bad-block-size');
    await refused({ tileSize: 32, width: 100_000, height: 100_000 }, 'bad-block-size');
    await refused({ epsg: 3 }, 'bad-georeference');
    const writer = await createJp2(join(folder, 'no.jp2'), base, encoder);
    const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;
    await assert.rejects(writer.writeRows([new Uint16Array(10)], 1), isCode('bad-pixel-array'));
    await assert.rejects(writer.writeRows([new Uint16Array(0)], 132), isCode('bad-row-count'));
    const tooBright = new Uint16Array(150).fill(40_000);
    await assert.rejects(writer.writeRows([tooBright], 1), isCode('bad-pixel-bits'));
    await assert.rejects(writer.finish(), isCode('jp2-incomplete'));
    await writer.abort();
    await writer.abort();
    assert.deepEqual(await readdir(folder), []);
  }));
