import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { isSwathError } from '../../errors.ts';
import { runTimed } from '../../testing/run-timed.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { readBlock } from './blocks/block-reader.ts';
import type { TinyTags } from './testing/tiny-tiff.ts';
import { makeTinyTiff } from './testing/tiny-tiff.ts';
import { openTiff } from './tiff-reader.ts';

const BYTE = 1;
const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const FLOAT = 11;
const DOUBLE = 12;

const open = (bytes: Uint8Array) => openTiff(makeMemorySource(bytes));

/** Refused as broken, with this code, at once and without much memory. */
async function assertRefused(
  work: () => Promise<unknown>,
  code: string,
  tag = 'source-broken',
): Promise<void> {
  const before = process.memoryUsage().arrayBuffers;
  const refusal = () =>
    assert.rejects(work, (error) => {
      assert.ok(isSwathError(error), String(error));
      assert.equal(error.code, code);
      assert.equal(error.tag, tag);
      assert.match(error.message, /^[A-Z].*\.$/);
      return true;
    });
  const { tookMs } = await runTimed(refusal, 50);
  assert.ok(tookMs < 50, `took ${tookMs} ms`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 * 1024 * 1024);
}

test('the file that the others are derived from is read', async () => {
  const tiff = await open(makeTinyTiff([{}]));
  const block = await readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 });
  assert.deepEqual([...block.pixels], [11, 22, 33, 44]);
});

test('a directory that leads to itself, or back to an earlier one, is refused', async () => {
  await assertRefused(() => open(makeTinyTiff([{}], (_, [first]) => first!)), 'tiff-circular');
  const loop = makeTinyTiff([{}, {}, {}], (page, offsets) => offsets[(page + 1) % 3]!);
  await assertRefused(() => open(loop), 'tiff-circular');
});

test('64 directories are read, 65 are refused', async () => {
  const pages = (count: number) => Array.from({ length: count }, () => ({}));
  assert.equal((await open(makeTinyTiff(pages(64)))).images.length, 1);
  await assertRefused(() => open(makeTinyTiff(pages(65))), 'tiff-too-many-directories');
});

test('a directory without tags, a chain without directory and an invalid header are refused', async () => {
  const bytes = makeTinyTiff([{}]).slice();
  bytes[12] = 0;
  await assertRefused(() => open(bytes), 'tiff-bad-directory');
  await assertRefused(() => open(Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])), 'tiff-bad-directory');
  await assertRefused(() => open(Buffer.from('not a TIFF at all')), 'not-a-tiff');
  await assertRefused(() => open(Buffer.from([0x49, 0x49, 43, 0, 4, 0, 0, 0, 0, 0])), 'not-a-tiff');
  await assertRefused(() => open(Buffer.from([0x4d, 0x4d, 42, 0, 0, 0, 0, 8])), 'not-a-tiff');
  await assertRefused(() => open(new Uint8Array()), 'tiff-truncated');
});

test('4,096 tags are read, 4,097 and the 2⁶³ of a BigTIFF are refused', async () => {
  // unknown tags, in front of the known ones
  const filler = (count: number) => {
    const page = makeTinyTiff([{}]);
    const known = page.subarray(14, page.length - 4);
    const extra = Buffer.alloc((count - known.length / 12) * 12);
    const head = Buffer.from(page.subarray(0, 14));
    head.writeUInt16LE(count, 12);
    return Buffer.concat([head, extra, known, Buffer.alloc(4)]);
  };
  assert.equal((await open(filler(4_096))).images[0].width, 2);
  await assertRefused(() => open(filler(4_097)), 'tiff-bad-directory');
  const big = Buffer.alloc(64);
  big.set([0x49, 0x49, 43, 0, 8, 0, 0, 0, 16]);
  big.writeBigUInt64LE(2n ** 63n, 16);
  await assertRefused(() => open(big), 'tiff-bad-directory');
  big.writeBigUInt64LE(2n ** 64n - 1n, 8);
  await assertRefused(() => open(big), 'tiff-truncated');
});

const lies: readonly (readonly [string, string, TinyTags])[] = [
  ['65529 bands', 'tiff-too-many-bands', { 277: [SHORT, 1, 65_529] }],
  ['65 bands', 'tiff-too-many-bands', { 277: [SHORT, 1, 65] }],
  ['no bands', 'tiff-too-many-bands', { 277: [SHORT, 1, 0] }],
  ['no width', 'tiff-bad-image', { 256: [LONG, 1, 0] }],
  ['a missing width', 'tiff-bad-tag', { 256: null }],
  ['a missing height', 'tiff-bad-tag', { 257: null }],
  ['a width of 2³¹', 'tiff-bad-image', { 256: [LONG, 1, 2 ** 31] }],
  ['2³¹ widths', 'tiff-bad-tag', { 256: [LONG, 2 ** 31, 8] }],
  ['no value for a width', 'tiff-bad-tag', { 256: [LONG, 0, 8] }],
  ['a width in an unknown field type', 'tiff-bad-tag', { 256: [99, 1, 2] }],
  ['a width as text', 'tiff-bad-tag', { 256: [ASCII, 1, 2] }],
  ['a width as a 64-bit float', 'tiff-bad-tag', { 256: [DOUBLE, 1, 8] }],
  ['a pixel scale of whole numbers', 'tiff-bad-tag', { 33550: [LONG, 1, 8] }],
  ['a width as a 32-bit float', 'tiff-bad-tag', { 256: [FLOAT, 1, 2] }],
  ['tiles of 2³⁰', 'tiff-bad-image', { 322: [LONG, 1, 2 ** 30], 323: [LONG, 1, 2 ** 30] }],
  ['tiles of 8193', 'tiff-bad-image', { 322: [LONG, 1, 8_193], 323: [LONG, 1, 16] }],
  ['tiles without height', 'tiff-bad-tag', { 322: [LONG, 1, 16] }],
  ['tiles of no width', 'tiff-bad-image', { 322: [LONG, 1, 0], 323: [LONG, 1, 16] }],
  ['a strip over 64 MiB', 'tiff-block-too-large', { 256: [LONG, 1, 2 ** 26], 257: [LONG, 1, 2] }],
  ['strips without rows', 'tiff-bad-image', { 278: [LONG, 1, 0] }],
  ['2³¹ block offsets', 'tiff-bad-image', { 273: [LONG, 2 ** 31, 8] }],
  ['two block offsets for one block', 'tiff-bad-image', { 273: [LONG, 2, 8] }],
  ['one offset for two blocks', 'tiff-bad-image', { 278: [LONG, 1, 1] }],
  ['no block sizes', 'tiff-bad-image', { 279: null }],
  [
    'more blocks than anyone can count',
    'tiff-bad-image',
    {
      256: [LONG, 1, 2 ** 31 - 1],
      257: [LONG, 1, 2 ** 31 - 1],
      322: [LONG, 1, 1],
      323: [LONG, 1, 1],
      324: [LONG, 1, 8],
      325: [LONG, 1, 4],
    },
  ],
  ['predictor 3 for bytes', 'tiff-bad-image', { 259: [SHORT, 1, 8], 317: [SHORT, 1, 3] }],
  ['predictor 2 for bits', 'tiff-bad-image', { 258: [SHORT, 1, 4], 259: [SHORT, 1, 8], 317: [SHORT, 1, 2] }],
  ['JPEG tables of 1 MiB', 'tiff-bad-tag', { 347: [UNDEFINED, 2 ** 20, 8] }],
  ['JPEG tables as numbers', 'tiff-bad-tag', { 347: [LONG, 1, 8] }],
  ['a palette of 4 GiB', 'tiff-bad-tag', { 320: [SHORT, 2 ** 31, 8] }],
  [
    'LERC inside an unknown wrapper',
    'tiff-bad-image',
    { 259: [SHORT, 1, 34_887], 50674: [SHORT, 2, 0x30004] },
  ],
  [
    'a strip of bits that grows over 64 MiB',
    'tiff-block-too-large',
    { 256: [LONG, 1, 2 ** 26], 258: [SHORT, 1, 1] },
  ],
  ['predictor 4', 'tiff-bad-image', { 259: [SHORT, 1, 8], 317: [SHORT, 1, 4] }],
  ['a third planar configuration', 'tiff-bad-image', { 284: [SHORT, 1, 3] }],
  ['bit depths beyond the end of the file', 'tiff-truncated', { 258: [SHORT, 64, 2 ** 32 - 8] }],
  ['65 bit depths', 'tiff-bad-tag', { 258: [SHORT, 65, 8] }],
  ['geo keys beyond the end of the file', 'tiff-truncated', { 34735: [SHORT, 1_000, 8] }],
  ['nodata as a number', 'tiff-bad-tag', { 42113: [LONG, 1, 0] }],
  ['metadata of 4 GiB', 'tiff-too-much-tag-data', { 42112: [ASCII, 2 ** 32 - 1, 8] }],
];

for (const [what, code, tags] of lies) {
  test(`${what} is refused before anything is allocated`, () =>
    assertRefused(() => open(makeTinyTiff([tags])), code));
}

test('wrong tags in an overview are refused too', async () => {
  for (const [, code, tags] of lies.filter(([what]) => what.includes('bands') || what.includes('tiles'))) {
    await assertRefused(() => open(makeTinyTiff([{}, { 254: [LONG, 1, 1], ...tags }])), code);
  }
});

const unreadable: readonly (readonly [string, string, TinyTags])[] = [
  ['33-bit pixels', 'tiff-pixel-type', { 258: [SHORT, 1, 33] }],
  ['pixels without bits', 'tiff-pixel-type', { 258: [SHORT, 1, 0] }],
  ['signed 7-bit pixels', 'tiff-pixel-type', { 258: [SHORT, 1, 7], 339: [SHORT, 1, 2] }],
  ['8-bit floats', 'tiff-pixel-type', { 339: [SHORT, 1, 3] }],
  ['4-bit JPEG pixels', 'tiff-pixel-type', { 258: [SHORT, 1, 4], 259: [SHORT, 1, 7] }],
  ['pixels of an unknown format', 'tiff-pixel-type', { 339: [SHORT, 1, 77] }],
  ['bits in a third order', 'tiff-sample-order', { 266: [SHORT, 1, 3] }],
  ['YCbCr colours', 'tiff-sample-order', { 262: [SHORT, 1, 6] }],
  ['an unknown compression', 'tiff-compression', { 259: [SHORT, 1, 4_711] }],
];

for (const [what, code, tags] of unreadable) {
  test(`${what} are reported as unsupported`, () =>
    assertRefused(() => open(makeTinyTiff([tags])), code, 'unsupported'));
}

test('bands of different depth are reported as unsupported', async () => {
  const bytes = makeTinyTiff([{ 258: [BYTE, 2, 0x1008], 277: [SHORT, 1, 2] }]);
  await assertRefused(() => open(bytes), 'tiff-mixed-bands', 'unsupported');
});

test('unused tags may have any value', async () => {
  const tags: TinyTags = { 330: [LONG, 2 ** 31, 2 ** 31], 700: [99, 2 ** 32 - 1, 2 ** 32 - 1] };
  assert.equal((await open(makeTinyTiff([tags]))).images[0].width, 2);
});

test('thumbnails, other pages and larger "overviews" are not overviews', async () => {
  const smaller = { 256: [LONG, 1, 1], 257: [LONG, 1, 1], 279: [LONG, 1, 1] } as const;
  const tiff = await open(
    makeTinyTiff([
      {},
      smaller,
      { ...smaller, 254: [LONG, 1, 1], 258: [SHORT, 1, 33] },
      { ...smaller, 254: [LONG, 1, 1], 258: [SHORT, 1, 16] },
      { ...smaller, 254: [LONG, 1, 1], 277: [SHORT, 1, 3] },
      { 254: [LONG, 1, 1] },
      { 254: [LONG, 1, 1], 257: [LONG, 1, 1] },
      { ...smaller, 254: [LONG, 1, 1] },
      { 254: [LONG, 1, 5], 258: [SHORT, 1, 1] },
    ]),
  );
  assert.deepEqual(
    tiff.images.map(({ width, height }) => [width, height]),
    [
      [2, 2],
      [2, 1],
      [1, 1],
    ],
  );
  assert.deepEqual(
    tiff.masks.map(({ width, height }) => [width, height]),
    [[2, 2]],
  );
});

/** Reads the one block of a file made from these tags, with the data after the last byte. */
async function readOnly(tags: TinyTags, data: Uint8Array = new Uint8Array()): Promise<number[]> {
  const offset = makeTinyTiff([tags]).length;
  const withPlace = {
    ...tags,
    ...(data.length > 0 ? { 273: [LONG, 1, offset], 279: [LONG, 1, data.length] } : {}),
  } as TinyTags;
  const tiff = await open(Buffer.concat([makeTinyTiff([withPlace]), data]));
  return [...(await readBlock(tiff, tiff.images[0], { band: 0, column: 0, row: 0 })).pixels];
}

test('a decompression bomb is stopped at the size of the block', async () => {
  const bomb = deflateSync(new Uint8Array(32 * 1024 * 1024));
  const tags: TinyTags = {
    256: [LONG, 1, 200],
    257: [LONG, 1, 200],
    278: [LONG, 1, 200],
    259: [SHORT, 1, 8],
  };
  await assertRefused(() => readOnly(tags, bomb), 'tiff-block-damaged');
});

test('stored blocks far larger than their pixels are not even read', async () => {
  await assertRefused(
    () => readOnly({ 259: [SHORT, 1, 8] }, new Uint8Array(2 * 4 + 4_097)),
    'tiff-bad-index',
  );
});

test('deflate under its old number is read', async () => {
  const tags: TinyTags = { 259: [SHORT, 1, 32_946] };
  assert.deepEqual(await readOnly(tags, deflateSync(Uint8Array.of(1, 2, 3, 4))), [1, 2, 3, 4]);
});

test('a block one byte too short or too long is refused, whatever the codec', async () => {
  const deflated: TinyTags = { 259: [SHORT, 1, 8] };
  await assertRefused(() => readOnly(deflated, deflateSync(Uint8Array.of(1, 2, 3))), 'tiff-block-size');
  await assertRefused(
    () => readOnly(deflated, deflateSync(Uint8Array.of(1, 2, 3, 4, 5))),
    'tiff-block-damaged',
  );
  await assertRefused(() => readOnly({ 279: [LONG, 1, 3] }), 'tiff-block-size');
});

test('bits in reverse order are reversed, also before decompression', async () => {
  const reversed = (byte: number) => [...byte.toString(2).padStart(8, '0')].reverse().join('');
  const turn = (bytes: Uint8Array) => bytes.map((byte) => Number.parseInt(reversed(byte), 2));
  assert.deepEqual(await readOnly({ 266: [SHORT, 1, 2] }, turn(Uint8Array.of(1, 2, 3, 200))), [1, 2, 3, 200]);
  const tags: TinyTags = { 266: [SHORT, 1, 2], 259: [SHORT, 1, 8] };
  assert.deepEqual(
    await readOnly(tags, turn(Uint8Array.from(deflateSync(Uint8Array.of(5, 6, 7, 8))))),
    [5, 6, 7, 8],
  );
});

test('a predictor is ignored without a compression, as in libtiff', async () => {
  assert.deepEqual(await readOnly({ 317: [SHORT, 1, 2] }), [11, 22, 33, 44]);
});

test('an index entry with only an offset or only a length, and blocks beyond the end of the file, are refused', async () => {
  await assertRefused(() => readOnly({ 273: [LONG, 1, 0] }), 'tiff-bad-index');
  await assertRefused(() => readOnly({ 279: [LONG, 1, 0] }), 'tiff-bad-index');
  await assertRefused(() => readOnly({ 273: [LONG, 1, 2 ** 32 - 8] }), 'tiff-truncated');
});

test('a block that was never written is empty', async () => {
  const hole: TinyTags = { 273: [LONG, 1, 0], 279: [LONG, 1, 0] };
  assert.deepEqual(await readOnly(hole), [0, 0, 0, 0]);
  // the nodata text "77" is in the entry itself
  assert.deepEqual(await readOnly({ ...hole, 42113: [ASCII, 3, 0x3737] }), [77, 77, 77, 77]);
});
