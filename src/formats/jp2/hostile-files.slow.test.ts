import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { PixelArray } from '../../raster/index.ts';
import { runTimed } from '../../testing/run-timed.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { makeJp2Decoder } from './openjpeg.ts';
import { openJp2 } from './reader/jp2-reader.ts';
import { readJp2Tile } from './reader/tile-reader.ts';
import { readLevel } from './testing/read-level.ts';
import { findSegment, makeTinyJp2, splitParts, tinyCodestream } from './testing/tiny-jp2.ts';

const tiny = readFileSync(new URL('../../../test/golden/jp2/tiny.jp2', import.meta.url));
const decoder = makeJp2Decoder();

async function readAll(bytes: Uint8Array): Promise<PixelArray> {
  const jp2 = await openJp2(makeMemorySource(bytes));
  return (await readLevel(jp2, 0, decoder))[0]!;
}

/** The first tile alone, so that nothing of the image's stated size is allocated here. */
async function readFirst(bytes: Uint8Array): Promise<unknown> {
  const jp2 = await openJp2(makeMemorySource(bytes));
  return readJp2Tile(jp2, { level: 0, column: 0, row: 0 }, { decoder });
}

/** Refused with this code, at once and without much memory. */
async function assertRefused(bytes: Uint8Array, code: string, tag = 'source-broken'): Promise<void> {
  const before = process.memoryUsage().arrayBuffers;
  const refusal = () =>
    assert.rejects(readFirst(bytes), (error) => {
      assert.ok(isSwathError(error), String(error));
      assert.deepEqual([error.code, error.tag], [code, tag], error.message);
      assert.match(error.message, /^[A-Z].*\.$/);
      return true;
    });
  const { tookMs } = await runTimed(refusal, 200);
  assert.ok(tookMs < 200, `took ${tookMs} ms`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024);
}

/** A copy of the file with bytes changed at an offset. */
function patch(bytes: Uint8Array, offset: number, ...values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, offset);
  return copy;
}

test('a file truncated at any byte is an error, or gives the right pixels', async () => {
  const right = await readAll(tiny);
  let good = 0;
  for (let length = 0; length < tiny.length; length++) {
    try {
      assert.deepEqual(await readAll(tiny.subarray(0, length)), right, `cut at ${length}`);
      good++;
    } catch (error) {
      assert.ok(isSwathError(error) && error.tag === 'source-broken', `cut at ${length}: ${error}`);
    }
  }
  assert.equal(good, 0);
});

test('a bare codestream truncated at any byte is an error, or gives the right pixels', async () => {
  const right = await readAll(tinyCodestream);
  for (let length = 0; length < tinyCodestream.length; length++) {
    try {
      assert.deepEqual(await readAll(tinyCodestream.subarray(0, length)), right, `cut at ${length}`);
    } catch (error) {
      assert.ok(isSwathError(error) && error.tag === 'source-broken', `cut at ${length}: ${error}`);
    }
  }
});

test('a tile whose data end early is an error wherever they end, although all lengths are consistent', async () => {
  const { head, parts } = splitParts(tinyCodestream);
  for (let keep = 14; keep < parts[0]!.length; keep++) {
    const cut = Buffer.from(parts[0]!.subarray(0, keep));
    cut.writeUInt32BE(cut.length, 6);
    const bytes = Buffer.concat([head, cut, ...parts.slice(1), Buffer.from([0xff, 0xd9])]);
    await assert.rejects(readAll(bytes), { code: 'jp2-decode' }, `${keep} bytes of ${parts[0]!.length}`);
  }
});

test('2,000 flipped bits give an error or pixels, never a crash or a long wait', async (t) => {
  const right = await readAll(tiny);
  let [errors, same, unnoticed, slowestMs] = [0, 0, 0, 0];
  let state = 12_345;
  for (let flip = 0; flip < 2_000; flip++) {
    // a small generator with a fixed seed: the same flips in every run
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const bit = state % (tiny.length * 8);
    const bytes = patch(tiny, bit >> 3, tiny[bit >> 3]! ^ (1 << (bit & 7)));
    const start = process.threadCpuUsage();
    try {
      const pixels = await readAll(bytes);
      if (Buffer.from(pixels.buffer).equals(Buffer.from(right.buffer))) same++;
      else unnoticed++;
    } catch (error) {
      assert.ok(isSwathError(error), `bit ${bit}: ${error}`);
      assert.ok(error.tag === 'source-broken' || error.tag === 'unsupported', `bit ${bit}: ${error.tag}`);
      errors++;
    }
    slowestMs = Math.max(slowestMs, process.threadCpuUsage(start).user / 1_000);
  }
  // Entropy-coded data carry no checksum: some flips there only change pixels.
  t.diagnostic(
    `${errors} errors, ${same} without effect, ${unnoticed} unnoticed; slowest ${slowestMs | 0} ms`,
  );
  assert.ok(errors > 300);
  assert.ok(slowestMs < 1_000, `slowest ${slowestMs} ms`);
  assert.deepEqual(await readAll(tiny), right);
});

const siz = findSegment(tinyCodestream, 0xff51);
const cod = findSegment(tinyCodestream, 0xff52);
const sot = findSegment(tinyCodestream, 0xff90);

const lies: readonly (readonly [name: string, code: string, bytes: Uint8Array, tag?: string])[] = [
  ['no width', 'jp2-bad-header', patch(tinyCodestream, siz + 6, 0, 0, 0, 0)],
  ['a width of 2³² − 1', 'jp2-bad-header', patch(tinyCodestream, siz + 6, 255, 255, 255, 255)],
  ['2³¹ − 1 columns in tiles of 32', 'jp2-bad-header', patch(tinyCodestream, siz + 6, 127, 255, 255, 255)],
  ['tiles of no width', 'jp2-bad-header', patch(tinyCodestream, siz + 22, 0, 0, 0, 0)],
  ['tiles of one pixel', 'jp2-bad-header', patch(tinyCodestream, siz + 22, 0, 0, 0, 1)],
  ['no bands', 'jp2-bad-header', patch(tinyCodestream, siz + 38, 0, 0)],
  ['16,384 bands', 'jp2-bad-header', patch(tinyCodestream, siz + 38, 64, 0)],
  ['two bands in the space of one', 'jp2-bad-header', patch(tinyCodestream, siz + 38, 0, 2)],
  ['38 bits', 'jp2-pixel-type', patch(tinyCodestream, siz + 40, 37), 'unsupported'],
  ['signed bytes', 'jp2-pixel-type', patch(tinyCodestream, siz + 40, 0x87), 'unsupported'],
  ['a subsampled band', 'jp2-mixed-bands', patch(tinyCodestream, siz + 41, 2), 'unsupported'],
  ['an image offset', 'jp2-offset', patch(tinyCodestream, siz + 14, 0, 0, 0, 1), 'unsupported'],
  ['part 2 extensions', 'jp2-capabilities', patch(tinyCodestream, siz + 4, 0x80, 0), 'unsupported'],
  ['33 decompositions', 'jp2-bad-header', patch(tinyCodestream, cod + 9, 33)],
  ['no layers', 'jp2-bad-header', patch(tinyCodestream, cod + 6, 0, 0)],
  ['code-blocks of 2¹¹', 'jp2-bad-header', patch(tinyCodestream, cod + 10, 9)],
  ['high-throughput blocks', 'jp2-capabilities', patch(tinyCodestream, cod + 12, 0x40), 'unsupported'],
  ['a segment without length', 'jp2-bad-header', patch(tinyCodestream, cod + 2, 0, 0)],
  ['a segment that skips the file', 'jp2-truncated', patch(tinyCodestream, cod + 2, 255, 255)],
  [
    'POC in its main header',
    'jp2-marker',
    patch(tinyCodestream, findSegment(tinyCodestream, 0xff64), 0xff, 0x5f),
    'unsupported',
  ],
  [
    'PPM in its main header',
    'jp2-marker',
    patch(tinyCodestream, findSegment(tinyCodestream, 0xff64), 0xff, 0x60),
    'unsupported',
  ],
  ['a part of tile 65,535', 'jp2-bad-header', patch(tinyCodestream, sot + 4, 255, 255)],
  ['a part of 13 bytes', 'jp2-bad-header', patch(tinyCodestream, sot + 6, 0, 0, 0, 13)],
  ['a part of 4 GiB', 'jp2-truncated', patch(tinyCodestream, sot + 6, 255, 255, 255, 255)],
  ['a part one byte short', 'jp2-bad-header', patch(tinyCodestream, sot + 9, tinyCodestream[sot + 9]! - 1)],
  ['a first part with another number', 'jp2-bad-header', patch(tinyCodestream, sot + 10, 1)],
  ['255 parts of which one is there', 'jp2-bad-header', patch(tinyCodestream, sot + 11, 255)],
  ['the same tile twice', 'jp2-bad-header', patch(tinyCodestream, sot + 4, 0, 1)],
  ['an open length in the first part', 'jp2-bad-header', patch(tinyCodestream, sot + 6, 0, 0, 0, 0)],
  ['a part without data', 'jp2-bad-header', patch(tinyCodestream, sot + 12, 0xff, 0x64, 0xff, 0xff)],
  [
    'COD in the head of a tile',
    'jp2-marker',
    patch(tinyCodestream, sot + 12, 0xff, 0x52, 0, 4),
    'unsupported',
  ],
];

for (const [name, code, bytes, tag] of lies) {
  test(`${name} is refused as ${code}`, () => assertRefused(bytes, code, tag));
}

test('boxes with wrong lengths are refused', async () => {
  const box = (type: string, length: number) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(length, 0);
    head.write(type, 4, 'latin1');
    return head;
  };
  await assertRefused(Buffer.concat([tiny.subarray(0, 12), box('free', 7)]), 'jp2-bad-header');
  await assertRefused(Buffer.concat([tiny.subarray(0, 12), box('free', 2 ** 31)]), 'jp2-truncated');
  await assertRefused(
    Buffer.concat([tiny.subarray(0, 12), box('free', 1), Buffer.alloc(8, 255)]),
    'jp2-truncated',
  );
  await assertRefused(Buffer.concat([tiny.subarray(0, 12), box('free', 0)]), 'jp2-bad-header');
  const many = Array.from({ length: 1_025 }, () => box('free', 8));
  await assertRefused(Buffer.concat([tiny.subarray(0, 12), ...many]), 'jp2-bad-header');
  const nested = [5, 4, 3, 2, 1].map((depth) => box('asoc', depth * 8));
  await assertRefused(Buffer.concat([tiny.subarray(0, 12), ...nested]), 'jp2-bad-header');
  await assertRefused(patch(tiny, tiny.indexOf('ihdr') + 11, 41), 'jp2-bad-header');
  await assertRefused(Buffer.from('not a JPEG 2000 file at all'), 'not-a-jp2');
});

test('a GeoJP2 box that is not a TIFF is refused', async () => {
  const tiff = tiny.indexOf('II*\0', 0, 'latin1');
  assert.ok(tiff > 0);
  await assertRefused(patch(tiny, tiff, 0x00), 'jp2-bad-georeference');
  await assertRefused(patch(tiny, tiff + 4, 255, 255, 255, 255), 'jp2-bad-georeference');
});

test('a main header longer than 1 MiB is refused', async () => {
  const comment = Buffer.alloc(65_537);
  comment.set([0xff, 0x64, 0xff, 0xff]);
  const comments = Array.from({ length: 17 }, () => comment);
  const bytes = Buffer.concat([tinyCodestream.subarray(0, sot), ...comments, tinyCodestream.subarray(sot)]);
  await assertRefused(bytes, 'jp2-bad-header');
});

test('a tile of 2¹⁶ × 2¹⁶ pixels opens, and is refused before it is decoded', async () => {
  const bytes = makeTinyJp2({ width: 65_536, height: 65_536, tileSide: 65_536 });
  await assertRefused(bytes, 'jp2-tile-too-large', 'unsupported');
});

test('a header with millions of precincts or packets is refused', async () => {
  const precincts = makeTinyJp2({ width: 4_096, height: 4_096, tileSide: 4_096, precincts: [0x00, 0x11] });
  await assertRefused(precincts, 'jp2-too-many-pieces');
  const layers = makeTinyJp2({
    width: 4_096,
    height: 4_096,
    tileSide: 4_096,
    precincts: [0x66, 0x66],
    layers: 65_535,
  });
  await assertRefused(layers, 'jp2-too-many-pieces');
});
