import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateSync, zstdCompressSync } from 'node:zlib';
import { runTimed } from '../../../testing/run-timed.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openTiff } from '../tiff-reader.ts';
import type { CodedBlock } from './picture-codecs.ts';
import { decodeJpeg, decodeLerc, decodeWebp } from './picture-codecs.ts';

const folder = fileURLToPath(new URL('../../../../test/golden/tiff/reader/', import.meta.url));

/** The first block of a golden file as it is stored, and what it must hold. */
async function firstBlock(pattern: string): Promise<{ stored: Uint8Array; block: CodedBlock }> {
  const [name] = globSync(pattern, { cwd: folder });
  const bytes = readFileSync(folder + name);
  const { images } = await openTiff(makeMemorySource(bytes));
  const [{ blockOffsets, blockSizes, blockWidth, blockHeight, bandCount, interleave, type, codecSettings }] =
    images;
  const [start, size] = [blockOffsets[0]!, blockSizes[0]!];
  return {
    stored: Uint8Array.from(bytes.subarray(start, start + size)),
    block: {
      width: blockWidth,
      rows: blockHeight,
      samples: interleave === 'band' ? 1 : bandCount,
      type,
      settings: codecSettings,
    },
  };
}

const codecs = [
  { name: 'JPEG', decode: decodeJpeg, ...(await firstBlock('jpeg-3-*.tif')) },
  { name: 'YCbCr JPEG', decode: decodeJpeg, ...(await firstBlock('jpeg-ycbcr-*.tif')) },
  { name: 'WebP', decode: decodeWebp, ...(await firstBlock('webp-3-*-lossless.tif')) },
  { name: 'LERC', decode: decodeLerc, ...(await firstBlock('uint8-lerc-*.tif')) },
  { name: 'deflated LERC', decode: decodeLerc, ...(await firstBlock('uint16-lerc_deflate-*.tif')) },
] as const;

/** Refused, soon and without much memory. */
async function assertRefused(work: () => Promise<unknown>, what: string): Promise<void> {
  const before = process.memoryUsage.rss();
  const { tookMs } = await runTimed(() => assert.rejects(work, what), 100);
  assert.ok(tookMs < 100, `${what} took ${tookMs} ms`);
  assert.ok(process.memoryUsage.rss() - before < 64 * 1024 * 1024, what);
}

for (const { name, decode, stored, block } of codecs) {
  test(`${name}: the block that the others are derived from is read`, async () => {
    assert.ok((await decode(stored, block)).length > 0);
  });

  test(`${name} truncated at any byte is refused or, if nothing needed is missing, read correctly`, async () => {
    const whole = await decode(stored, block);
    let refused = 0;
    const step = Math.max(1, Math.floor(stored.length / 60));
    for (let end = 0; end < stored.length; end += step) {
      const decoded = await decode(stored.slice(0, end), block).catch(() => null);
      if (decoded === null) refused++;
      else assert.deepEqual(decoded, whole, `cut at ${end}`);
    }
    assert.ok(refused >= Math.floor(stored.length / step) - 1, `${refused} cuts refused`);
  });

  test(`${name} with a flipped bit has as many pixels as before, or is refused`, async () => {
    const length = block.width * block.rows * block.samples * (block.type === 'uint16' ? 2 : 1);
    for (let flip = 0; flip < 100; flip++) {
      const damaged = stored.slice();
      const bit = (flip * 7919 + 13) % Math.min(damaged.length * 8, 2400);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      const decoded = await decode(damaged, block).catch(() => null);
      assert.ok(decoded === null || decoded.length === length, `bit ${bit}`);
    }
  });

  test(`${name} of another size or with other bands is refused before it is decoded`, async () => {
    for (const other of [
      { width: block.width - 1 },
      { width: block.width * 2 },
      { rows: block.rows + 1 },
      { rows: block.rows - 1 },
      // not one more: WebP leaves out an alpha that is full everywhere
      { samples: block.samples + 2 },
      { type: 'float64' as const },
    ]) {
      // a JPEG strip may hold more rows than it must
      if (decode === decodeJpeg && other.rows !== undefined && other.rows < block.rows) continue;
      await assertRefused(() => decode(stored, { ...block, ...other }), `${name} ${JSON.stringify(other)}`);
    }
  });
}

test('a JPEG whose frame claims 65535 × 65535 is refused by its header', async () => {
  const { stored, block } = codecs[0];
  const frame = stored.findIndex((byte, i) => byte === 0xff && stored[i + 1] === 0xc0);
  const bomb = stored.slice();
  bomb.fill(0xff, frame + 5, frame + 9);
  await assertRefused(() => decodeJpeg(bomb, block), 'a JPEG bomb');
  for (const kind of [0xc3, 0xc9, 0xcf]) {
    const other = stored.slice();
    other[frame + 1] = kind;
    await assertRefused(() => decodeJpeg(other, block), `a frame of kind ${kind}`);
  }
});

test('a JPEG of a thousand scans is refused before the first', async () => {
  const { stored, block } = codecs[0];
  const scan = stored.findIndex((byte, i) => byte === 0xff && stored[i + 1] === 0xda);
  const [head, body] = [stored.subarray(0, scan), stored.subarray(scan, stored.length - 2)];
  const many = Buffer.concat([head, ...Array(1000).fill(body), Buffer.from([0xff, 0xd9])]);
  await assert.rejects(decodeJpeg(many, block), /more than 64 scans/);
});

test('a JPEG strip with more rows than the image has left is cropped', async () => {
  const { stored, block } = codecs[0];
  const whole = await decodeJpeg(stored, block);
  const upper = await decodeJpeg(stored, { ...block, rows: block.rows - 3 });
  assert.deepEqual(upper, whole.subarray(0, upper.length));
  assert.equal(upper.length, block.width * (block.rows - 3) * block.samples);
});

test('a WebP that claims 16384 × 16384 is refused by its header', async () => {
  const { stored, block } = codecs[2];
  const bomb = stored.slice();
  // VP8L: a signature byte, then 14 bits of width and of height, each less one
  assert.equal(Buffer.from(bomb.subarray(12, 16)).toString('latin1'), 'VP8L');
  bomb.set([0xff, 0xff, 0xff], 21);
  await assertRefused(() => decodeWebp(bomb, block), 'a WebP bomb');
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await assertRefused(() => decodeWebp(png, block), 'a PNG instead');
});

test('wrong values in a LERC header and bombs around it are refused', async () => {
  const { stored, block } = codecs[3];
  const settings = (lercWrap: 'deflate' | 'zstd') => ({
    ...block,
    settings: { ...block.settings, lercWrap },
  });
  // after the name: version, checksum, rows, columns, values of a pixel
  for (const at of [14, 18, 22]) {
    for (const value of [0, -1, 2 ** 30, 65_536]) {
      const lie = Buffer.from(stored);
      lie.writeInt32LE(value, at);
      await assertRefused(() => decodeLerc(lie, block), `${value} at ${at}`);
    }
  }
  const zeros = new Uint8Array(32 * 1024 * 1024);
  const [deflateBomb, zstdBomb] = [deflateSync(zeros), zstdCompressSync(zeros)];
  await assertRefused(() => decodeLerc(deflateBomb, settings('deflate')), 'a deflate bomb');
  await assertRefused(() => decodeLerc(zstdBomb, settings('zstd')), 'a zstd bomb');
  const wrapped = zstdCompressSync(stored);
  assert.deepEqual(await decodeLerc(wrapped, settings('zstd')), await decodeLerc(stored, block));
  assert.equal(Buffer.from(inflateSync(codecs[4].stored)).toString('latin1', 0, 6), 'Lerc2 ');
});
