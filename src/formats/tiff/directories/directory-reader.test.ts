import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { makeHeadReader } from './directory-reader.ts';

const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

test('everything in the first 64 KiB costs one read, everything elsewhere one more', async () => {
  const source = makeMemorySource(new Uint8Array(200_000).map((_, i) => i % 251));
  const head = makeHeadReader(source);
  for (const offset of [0, 8, 60_000, 65_532]) {
    assert.equal((await head.view(offset, 4)).getUint8(0), offset % 251);
  }
  assert.deepEqual(source.reads, [[0, 65_536]]);
  assert.equal((await head.view(150_000, 4)).getUint8(3), 150_003 % 251);
  await head.view(150_004, 10_000);
  assert.deepEqual(source.reads.slice(1), [[150_000, 16_384]]);
  // a piece that straddles two windows is read as a whole, a long one at its length, the last one to the end
  assert.equal((await head.view(65_534, 4)).getUint8(3), 65_537 % 251);
  assert.equal((await head.view(100_000, 40_000)).byteLength, 40_000);
  await head.view(199_000, 10);
  assert.deepEqual(source.reads.slice(2), [
    [65_534, 16_384],
    [100_000, 40_000],
    [199_000, 1_000],
  ]);
});

test('offsets beyond the end, or invalid ones, are refused without a read', async () => {
  const source = makeMemorySource(new Uint8Array(100));
  const head = makeHeadReader(source);
  for (const [offset, length] of [
    [97, 4],
    [101, 0],
    [2 ** 64, 8],
    [-1, 4],
    [Number.NaN, 4],
    [0, Infinity],
  ] as const) {
    await assert.rejects(head.view(offset, length), isCode('tiff-truncated'), `${offset} ${length}`);
  }
  assert.deepEqual(source.reads, []);
});

test('a header in 256 pieces is read, one piece more is refused', async () => {
  const source: ByteSource = {
    id: 'endless',
    version: '1',
    size: 2 ** 40,
    read: async (_, length) => new Uint8Array(length),
    close: async () => {},
  };
  const head = makeHeadReader(source);
  for (let piece = 0; piece < 256; piece++) await head.view(piece * 1_000_000, 4);
  await head.view(0, 4);
  await assert.rejects(head.view(256_000_000, 4), isCode('tiff-scattered'));
});
