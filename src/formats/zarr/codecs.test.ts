import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { decodeBlosc } from './codecs.ts';

/** What c-blosc makes of bytes, in the same order. */
function pack(
  orders: readonly { readonly config: unknown; readonly bytes: Uint8Array }[],
): readonly Uint8Array[] {
  const script = join(import.meta.dirname, 'testing/pack-blosc.ts');
  const input = orders.map(({ config, bytes }) => ({ config, bytes: Buffer.from(bytes).toString('base64') }));
  const output = execFileSync(process.execPath, [script], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 28,
  });
  const packed = JSON.parse(output.toString()) as readonly string[];
  return packed.map((text) => new Uint8Array(Buffer.from(text, 'base64')));
}

/** A slow wave with noise, in which some bytes pack well and some do not. */
function makeBytes(count: number): Uint8Array {
  let state = 5;
  const values = new Float32Array(count).map((_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.sin(i / 50) + (i % 3 === 0 ? state / 2 ** 40 : 0);
  });
  return new Uint8Array(values.buffer);
}

test('output of c-blosc is unpacked, for every codec, shuffle and length', () => {
  const orders = ['lz4', 'lz4hc', 'zlib', 'zstd'].flatMap((cname) =>
    [0, 1, 2].flatMap((shuffle) =>
      [1, 7, 100, 1000, 1003, 30_000].map((count) => ({
        config: { cname, clevel: 5, shuffle, blocksize: 0 },
        bytes: makeBytes(count),
      })),
    ),
  );
  for (const [i, packed] of pack(orders).entries()) {
    const { config, bytes } = orders[i]!;
    const name = `${JSON.stringify(config)} ${bytes.length}`;
    assert.ok(Buffer.from(decodeBlosc(packed, bytes.length)).equals(bytes), name);
    assert.throws(() => decodeBlosc(packed, bytes.length - 1), { code: 'zarr-damaged' }, name);
  }
});

test('another codec inside is refused by name', () => {
  const config = { cname: 'blosclz', clevel: 5, shuffle: 1, blocksize: 0 };
  const [packed] = pack([{ config, bytes: makeBytes(10_000) }]);
  assert.throws(() => decodeBlosc(packed!, 2 ** 20), { code: 'zarr-blosc' });
});

test('damaged chunks are refused, or give other numbers of the same length', () => {
  let refused = 0;
  const orders = ['lz4', 'zstd'].map((cname) => ({
    config: { cname, clevel: 5, shuffle: 1, blocksize: 0 },
    bytes: makeBytes(3000),
  }));
  for (const whole of pack(orders)) {
    for (let i = 0; i < whole.length; i += 7) {
      const bytes = i % 2 === 0 ? whole.slice(0, i) : whole.slice();
      if (i % 2 === 1) bytes[i]! ^= 0xff;
      try {
        decodeBlosc(bytes, 2 ** 20);
      } catch (error) {
        refused += 1;
        assert.ok(isSwathError(error) && error.tag !== 'internal', `byte ${i}: ${error}`);
      }
    }
  }
  assert.ok(refused > 100, `${refused} refused`);
});
