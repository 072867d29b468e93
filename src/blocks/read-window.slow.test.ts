import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCog } from '../formats/cog/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { openTiff } from '../formats/tiff/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { waitFor } from '../testing/wait-for.ts';
import { joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
import type { WindowRequest } from './image-files.ts';
import { makeReadWindow } from './read-window.ts';
import { readBandWindow } from './testing/window-assembly.ts';
import { makeWriteFile, SIZE, valueAt } from './testing/window-files.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-bands-'));
after(() => rmSync(directory, { recursive: true }));

const writeFile = makeWriteFile(directory);

const request = (href: string, more: Partial<WindowRequest> = {}): WindowRequest => ({
  record: { name: 'S2/x', version: 'v1' },
  band: 'B04',
  href,
  bandIndex: 0,
  nodata: null,
  read: { level: 0, window: { x: 200, y: 250, width: 120, height: 300 } },
  ...more,
});

const makeReader = (cacheBytes = 2 ** 24) => {
  const readWindow = makeReadWindow({
    open: makeOpenSource({ dataDir: directory }),
    blocks: joinBlockCache(makeBlockCache(cacheBytes).handle, 0),
    jp2Decoder: makeJp2Decoder(),
  });
  return (wanted: WindowRequest, stop: AbortSignal) => readBandWindow(readWindow, wanted, stop);
};
const { signal } = new AbortController();

test('a window over many blocks is assembled pixel by pixel, in the type of the file', async () => {
  await writeFile('plain.tif');
  const { pixels, mask } = await makeReader()(request('plain.tif'), signal);
  assert.equal(mask, null);
  assert.ok(pixels instanceof Uint16Array);
  for (let i = 0; i < pixels.length; i += 1) {
    assert.equal(pixels[i], valueAt(200 + (i % 120), 250 + Math.floor(i / 120)));
  }
});

test('nodata is masked, and an alpha band masks too', async () => {
  await writeFile('alpha.tif', { alpha: (x, y) => ((x + y) % 3 === 0 ? 0 : 65_535) });
  const nodata = valueAt(260, 300);
  const { mask } = await makeReader()(request('alpha.tif', { nodata }), signal);
  assert.ok(mask);
  for (let i = 0; i < mask.length; i += 1) {
    const [x, y] = [200 + (i % 120), 250 + Math.floor(i / 120)];
    assert.equal(mask[i], valueAt(x, y) === nodata || (x + y) % 3 === 0 ? 0 : 1, `${x}, ${y}`);
  }
});

test('a file that does not match its record is a broken source, named in the details', async () => {
  await writeFile('small.tif');
  const wrong: Partial<WindowRequest>[] = [
    { read: { level: 9, window: { x: 0, y: 0, width: 1, height: 1 } } },
    { read: { level: 0, window: { x: 600, y: 0, width: 101, height: 1 } } },
    { bandIndex: 1 },
  ];
  for (const more of wrong) {
    await assert.rejects(makeReader()(request('small.tif', more), signal), {
      tag: 'source-broken',
      code: 'source-differs',
      details: { where: 'S2/x B04 header' },
    });
  }
});

test('a damaged file is an error that names the block; once fixed it reads again, never mixed with the old one', async () => {
  await writeFile('fixed.tif');
  // No room for blocks: each read goes to the file.
  const read = makeReader(0);
  await read(request('fixed.tif'), signal);
  const path = join(directory, 'fixed.tif');
  // The pixels of the full resolution are at the end of the file.
  truncateSync(path, Math.floor(statSync(path).size / 3));
  await assert.rejects(
    read(request('fixed.tif'), signal),
    (error: Error & { details?: { where?: string } }) => {
      assert.match(error.details?.where ?? '', /^S2\/x B04 level 0, block [01]\/[012]$/);
      return true;
    },
  );
  rmSync(path);
  await writeFile('fixed.tif', { value: () => 7 });
  const { pixels } = await read(request('fixed.tif'), signal);
  assert.ok(pixels.every((value) => value === 7));
});

test('a file that is not an image is a broken source', async () => {
  writeFileSync(join(directory, 'text.tif'), 'not a TIFF, only called one');
  await assert.rejects(makeReader()(request('text.tif'), signal), { tag: 'source-broken' });
  writeFileSync(join(directory, 'empty.tif'), '');
  await assert.rejects(makeReader()(request('empty.tif'), signal), { tag: 'source-broken' });
});

test('threads share their blocks, and equal reads in flight open the file and read it once', async () => {
  await writeFile('shared.tif');
  const { handle, stats } = makeBlockCache(2 ** 24);
  let opened = 0;
  const makeMember = (threadId: number) => {
    const readWindow = makeReadWindow({
      open: (href) => {
        opened += 1;
        return makeOpenSource({ dataDir: directory })(href);
      },
      blocks: joinBlockCache(handle, threadId),
      jp2Decoder: makeJp2Decoder(),
    });
    return (wanted: WindowRequest, stop: AbortSignal) => readBandWindow(readWindow, wanted, stop);
  };
  const read = makeMember(1);
  await Promise.all([1, 2, 3].map(() => read(request('shared.tif'), signal)));
  assert.deepEqual([opened, stats().misses], [1, 6]);
  const { pixels } = await makeMember(2)(request('shared.tif'), signal);
  assert.equal(stats().misses, 6, 'the other thread decodes nothing');
  assert.ok(pixels.every((value, i) => value === valueAt(200 + (i % 120), 250 + Math.floor(i / 120))));
});

/** Band index to valid pixels, as the bands are read one after the other. */
async function countValid(href: string, order: readonly number[]): Promise<Record<number, number>> {
  const read = makeReader();
  const counts: Record<number, number> = {};
  for (const bandIndex of order) {
    const window = { x: 0, y: 0, width: SIZE, height: SIZE };
    const wanted = request(href, { bandIndex, nodata: 0, read: { level: 0, window } });
    const { mask } = await read(wanted, signal);
    counts[bandIndex] = mask === null ? SIZE * SIZE : mask.reduce((sum, value) => sum + value, 0);
  }
  return counts;
}

test('bands that are stored together keep their own nodata, whichever is read first', async () => {
  const cog = await createCog(join(directory, 'together.tif'), {
    width: SIZE,
    height: SIZE,
    bandCount: 4,
    type: 'uint8',
    epsg: 32631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
    photometric: 'rgb',
    alpha: true,
  });
  const plane = (of: (i: number) => number) => new Uint8Array(SIZE * SIZE).map((_, i) => of(i));
  const left = (i: number): number => (i % SIZE < 200 ? 0 : 9);
  const upper = (i: number): number => (i < SIZE * 300 ? 0 : 9);
  await cog.writeRows([plane(left), plane(() => 9), plane(upper), plane(() => 255)], SIZE);
  await cog.finish();
  const wanted = { 0: SIZE * 500, 1: SIZE * SIZE, 2: SIZE * 400 };
  assert.deepEqual(await countValid('together.tif', [0, 1, 2]), wanted);
  assert.deepEqual(await countValid('together.tif', [2, 1, 0]), wanted);
});

test('a damaged block is an error, even if the damage decodes and lies above or below the rows needed', async () => {
  await writeFile('flipped.tif', {
    compression: 'deflate',
    value: (x, y) => (x * 7919 + y * 104_729) % 4_000,
  });
  const path = join(directory, 'flipped.tif');
  const whole = readFileSync(path);
  const tiff = await openTiff(await makeOpenSource({ dataDir: directory })('flipped.tif'));
  const [offset, size] = [tiff.images[0].blockOffsets[0] as number, tiff.images[0].blockSizes[0] as number];
  await tiff.source.close();
  let errors = 0;
  for (let trial = 0; trial < 20; trial += 1) {
    const bytes = Buffer.from(whole);
    const at = offset + 100 + Math.floor(((size - 200) * trial) / 20);
    bytes[at] = (bytes[at] as number) ^ 4;
    writeFileSync(path, bytes);
    const read = makeReader()(
      request('flipped.tif', { read: { level: 0, window: { x: 0, y: 0, width: 20, height: 40 } } }),
      signal,
    );
    await read.catch(() => {
      errors += 1;
    });
  }
  assert.equal(errors, 20);
});

test('the second time rows are decoded as far as they are needed, later windows continue from there, and all are correct', async () => {
  await writeFile('rows.tif', { compression: 'deflate' });
  // Room for one block of 256 × 256: each one evicts the one before it.
  const { handle, stats } = makeBlockCache(300 * 1024);
  const readWindow = makeReadWindow({
    open: makeOpenSource({ dataDir: directory }),
    blocks: joinBlockCache(handle, 1),
    jp2Decoder: makeJp2Decoder(),
  });
  const readRows = async (y: number, height: number): Promise<void> => {
    const wanted = request('rows.tif', { read: { level: 0, window: { x: 30, y, width: 50, height } } });
    const { pixels } = await readBandWindow(readWindow, wanted, signal);
    assert.ok(
      pixels.every((value, i) => value === valueAt(30 + (i % 50), y + Math.floor(i / 50))),
      `${y} ${height}`,
    );
  };
  // Three blocks below each other: all are decoded whole once, for their checksums. The first one is evicted first,
  // because it is read alone before the others.
  await readRows(0, 10);
  await readRows(300, 10);
  await readRows(600, 10);
  const before = stats().misses;
  // In eighths of 32 rows: 32, 96, 128 of the first block.
  for (const [y, height] of [
    [0, 10],
    [5, 20],
    [60, 5],
    [0, 64],
    [90, 30],
    [3, 100],
  ] as const) {
    await readRows(y, height);
  }
  assert.equal(stats().misses - before, 3);
});

test('after a window has failed nothing more is written to it', async () => {
  await writeFile('late.tif', { compression: 'deflate' });
  const open = makeOpenSource({ dataDir: directory });
  let [reads, late] = [0, 0];
  const slow = Promise.withResolvers<void>();
  const readWindow = makeReadWindow({
    async open(href) {
      const { readInto: _, ...source } = await open(href);
      return {
        ...source,
        async read(offset, length, stop) {
          // The header in one read; then one block fails at once, and the others come later.
          reads += 1;
          if (reads === 2) throw new Error('the disk is gone');
          if (reads > 2) await slow.promise;
          return source.read(offset, length, stop).finally(() => {
            late += reads > 2 ? 1 : 0;
          });
        },
      };
    },
    blocks: joinBlockCache(makeBlockCache(2 ** 24).handle, 1),
    jp2Decoder: makeJp2Decoder(),
  });
  const pieces: unknown[] = [];
  const sink = { begin: () => {}, add: (piece: unknown) => void pieces.push(piece) };
  await assert.rejects(readWindow(request('late.tif'), sink, signal));
  slow.resolve();
  assert.ok(reads > 2);
  await waitFor(() => late === reads - 2);
  await letTurnsPass();
  assert.equal(pieces.length, 0);
});

test('of a local file only as many large blocks are read at once as memory is reserved for', async () => {
  const [width, height] = [2_048, 2_560];
  const cog = await createCog(join(directory, 'heights.tif'), {
    width,
    height,
    bandCount: 1,
    type: 'float32',
    epsg: 32631,
    nodata: null,
    transform: [0, 1, 0, 0, 0, -1],
    compression: 'deflate',
    predictor: 3,
    overviews: 'none',
  });
  const heightAt = (i: number) => Math.fround((i % 97) / 7);
  await cog.writeRows([new Float32Array(width * height).map((_, i) => heightAt(i))], height);
  await cog.finish();
  /** The blocks of 1 MiB that were read at the same time. */
  const countAtOnce = async (isNear: boolean): Promise<number> => {
    const open = makeOpenSource({ dataDir: directory });
    let [reading, max] = [0, 0];
    const readWindow = makeReadWindow({
      async open(href) {
        const { readInto: _, ...source } = await open(href);
        return {
          ...source,
          isNear,
          async read(...range) {
            max = Math.max(max, ++reading);
            return source.read(...range).finally(() => {
              reading -= 1;
            });
          },
        };
      },
      blocks: joinBlockCache(makeBlockCache(0).handle, 1),
      jp2Decoder: makeJp2Decoder(),
    });
    const wanted = request('heights.tif', { read: { level: 0, window: { x: 0, y: 0, width, height } } });
    const { pixels } = await readBandWindow(readWindow, wanted, signal);
    assert.ok(pixels.every((value, i) => value === heightAt(i)));
    return max;
  };
  assert.equal(await countAtOnce(true), 8);
  assert.equal(await countAtOnce(false), 16);
});

test('a file with more blocks than one picture may need is refused before any is decoded', async () => {
  // A row of blocks more than 256 MiB of floats.
  const SIDE = 8_192 + 512;
  const cog = await createCog(join(directory, 'sparse.tif'), {
    width: SIDE,
    height: SIDE,
    bandCount: 1,
    type: 'float32',
    epsg: 32631,
    nodata: null,
    transform: [0, 1, 0, 0, 0, -1],
    compression: 'deflate',
    predictor: 1,
    overviews: 'none',
  });
  const rows = new Float32Array(SIDE * 512);
  for (let row = 0; row < SIDE; row += 512) await cog.writeRows([rows], 512);
  await cog.finish();
  const window = { x: 0, y: 0, width: SIDE, height: SIDE };
  const { signal: stop } = new AbortController();
  const sink = { begin: () => {}, add: () => assert.fail('nothing is decoded') };
  const readWindow = makeReadWindow({
    open: makeOpenSource({ dataDir: directory }),
    blocks: joinBlockCache(makeBlockCache(0).handle, 1),
    jp2Decoder: makeJp2Decoder(),
  });
  const wanted = request('sparse.tif', { read: { level: 0, window } });
  await assert.rejects(readWindow(wanted, sink, stop), { tag: 'too-large', code: 'too-much-to-decode' });
});

test('for a window that is read once, only blocks that reach beyond it are cached', async () => {
  await writeFile('once.tif');
  const { handle, stats } = makeBlockCache(2 ** 24);
  const readWindow = makeReadWindow({
    open: makeOpenSource({ dataDir: directory }),
    blocks: joinBlockCache(handle, 0),
    jp2Decoder: makeJp2Decoder(),
  });
  const read = (x: number, y: number, width: number, height: number) => {
    const window = { level: 0, window: { x, y, width, height } };
    return readBandWindow(readWindow, request('once.tif', { read: window, isOnce: true }), signal);
  };
  // the last block of each row ends with the image, and counts as a whole one
  const { pixels } = await read(256, 0, 444, 512);
  assert.equal(pixels[444], valueAt(256, 1));
  assert.deepEqual([stats().misses, stats().usedBytes], [0, 0]);
  await read(256, 0, 256, 300);
  assert.equal(stats().misses, 1, 'the lower block is needed again by the next window');
  await read(256, 300, 256, 212);
  assert.deepEqual([stats().hits, stats().misses], [1, 1]);
});
