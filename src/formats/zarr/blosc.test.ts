import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registry } from 'zarrita';
import { isSwathError } from '../../errors.ts';
import { decodeBlosc } from './blosc.ts';

interface Encoder {
  encode(bytes: Uint8Array): Promise<Uint8Array>;
}

/** The encoder of c-blosc itself, in WebAssembly. */
async function makeEncoder(config: Readonly<Record<string, unknown>>): Promise<Encoder> {
  const codec = await (registry.get('blosc') as () => Promise<{ fromConfig(config: unknown): Encoder }>)();
  return codec.fromConfig(config);
}

/** A slow wave with noise, in which some bytes pack well and some do not. */
function makeBytes(count: number): Uint8Array {
  let state = 5;
  const values = Float32Array.from({ length: count }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.sin(i / 50) + (i % 3 === 0 ? state / 2 ** 40 : 0);
  });
  return new Uint8Array(values.buffer);
}

test('what c-blosc packs is unpacked: every codec, shuffle and length', async () => {
  for (const cname of ['lz4', 'lz4hc', 'zlib', 'zstd']) {
    for (const shuffle of [0, 1, 2]) {
      for (const count of [1, 7, 100, 1000, 1003, 100_000]) {
        const encoder = await makeEncoder({ cname, clevel: 5, shuffle, blocksize: 0 });
        const bytes = makeBytes(count);
        const packed = new Uint8Array(await encoder.encode(bytes));
        const name = `${cname} ${shuffle} ${count}`;
        assert.deepEqual(Buffer.from(decodeBlosc(packed, bytes.length)), Buffer.from(bytes), name);
        assert.throws(() => decodeBlosc(packed, bytes.length - 1), { code: 'zarr-damaged' }, name);
      }
    }
  }
});

test('another codec inside is refused by name', async () => {
  const encoder = await makeEncoder({ cname: 'blosclz', clevel: 5, shuffle: 1, blocksize: 0 });
  const packed = new Uint8Array(await encoder.encode(makeBytes(10_000)));
  assert.throws(() => decodeBlosc(packed, 2 ** 20), { code: 'zarr-blosc' });
});

test('damaged chunks are refused, or are other numbers of the same length', async () => {
  let refused = 0;
  for (const cname of ['lz4', 'zstd']) {
    const encoder = await makeEncoder({ cname, clevel: 5, shuffle: 1, blocksize: 0 });
    const whole = new Uint8Array(await encoder.encode(makeBytes(3000)));
    for (let i = 0; i < whole.length; i += 7) {
      const bytes = i % 2 === 0 ? whole.slice(0, i) : whole.slice();
      if (i % 2 === 1) bytes[i]! ^= 0xff;
      try {
        decodeBlosc(bytes, 2 ** 20);
      } catch (error) {
        refused += 1;
        assert.ok(isSwathError(error) && error.tag !== 'internal', `${cname} ${i}: ${error}`);
      }
    }
  }
  assert.ok(refused > 100, `${refused} refused`);
});
