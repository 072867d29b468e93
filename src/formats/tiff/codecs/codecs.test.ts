import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { runTimed } from '../../../testing/run-timed.ts';
import { codecOf, compressionName, writableCodecs } from './codecs.ts';

const text = new TextEncoder().encode('a block of pixels, a block of pixels, a block of pixels');

for (const [name, codec] of Object.entries(writableCodecs)) {
  test(`${name} restores what it stored`, () => {
    const stored = codec.encode(text, codec.levels.default);
    assert.deepEqual(new Uint8Array(codec.decode(stored, text.length)), text);
  });

  test(`${name} makes the same bytes each time`, () => {
    assert.deepEqual(codec.encode(text, codec.levels.max), codec.encode(text, codec.levels.max));
  });
}

for (const [name, pack] of [
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
] as const) {
  const codec = writableCodecs[name];

  test(`${name} refuses a decompression bomb without unpacking it`, async () => {
    const bomb = pack(new Uint8Array(64 * 1024 * 1024));
    const before = process.memoryUsage.rss();
    const { tookMs } = await runTimed(() => assert.throws(() => codec.decode(bomb, 4_096)), 50);
    assert.ok(tookMs < 50, `took ${tookMs} ms`);
    assert.ok(process.memoryUsage.rss() - before < 32 * 1024 * 1024);
  });

  test(`${name} refuses a stream truncated anywhere`, () => {
    const stored = codec.encode(text, 1);
    for (let end = 0; end < stored.length; end++) {
      assert.throws(() => codec.decode(stored.subarray(0, end), text.length), `cut at ${end}`);
    }
  });

  test(`${name} notices every flipped bit in our own output`, () => {
    const stored = new Uint8Array(codec.encode(text, 1));
    for (let bit = 0; bit < stored.length * 8; bit++) {
      const damaged = stored.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      let decoded: Uint8Array;
      try {
        decoded = codec.decode(damaged, text.length);
      } catch {
        continue;
      }
      // a few header bits (zlib's level hint) mean nothing; what comes out is right or it is an error
      assert.deepEqual(new Uint8Array(decoded), text, `bit ${bit}`);
    }
  });
}

test('uncompressed pixels are a copy, also of a Buffer', () => {
  const stored = Buffer.from(text);
  const decoded = writableCodecs.none.decode(stored, 4);
  decoded[0] = 0;
  assert.equal(stored[0], text[0]);
});

test('both numbers of deflate name the same codec, and unknown numbers name none', () => {
  assert.equal(codecOf(8), codecOf(32_946));
  assert.equal(codecOf(4), null);
  assert.equal(compressionName(4), 'CCITT fax 4');
  assert.equal(compressionName(4711), 'number 4711');
});
