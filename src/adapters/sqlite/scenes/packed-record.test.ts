import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { packRest, unpackRecord } from './packed-record.ts';

test('property: any text comes back as it was packed, and what else is in the row stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(300), (text, times) => {
      const rest = text.repeat(times);
      const row = { hit: '{"a":1}', viewId: 'S2/x', rest: packRest(rest) };
      assert.deepEqual(unpackRecord(row), { hit: '{"a":1}', viewId: 'S2/x', rest });
    }),
  );
});

test('a record that says the same of every band is packed into a fifth', () => {
  const bands = Array.from({ length: 13 }, (_, i) => [
    `B${i}`,
    { href: `scenes/x/B${i}.tif`, epsg: 32631, transform: [500000, 10, 0, 4700000, 0, -10], width: 10980 },
  ]);
  const rest = JSON.stringify({ assets: Object.fromEntries(bands) });
  assert.ok(packRest(rest).length < rest.length / 5);
});

test('a damaged record is refused in words', () => {
  const packed = packRest('{"assets":{}}'.repeat(50));
  for (const rest of [packed.subarray(0, packed.length - 4), Buffer.from('no record'), new Uint8Array()]) {
    assert.throws(() => unpackRecord({ hit: '{}', rest }), { code: 'store-corrupt', message: /damaged/ });
  }
});

test('a few bytes that unpack into more than a record may have are refused before they are', () => {
  const bomb = zstdCompressSync(Buffer.alloc(65 * 1024 * 1024));
  assert.ok(bomb.length < 10_000);
  assert.throws(() => unpackRecord({ hit: '{}', rest: bomb }), { code: 'store-corrupt' });
  assert.throws(() => packRest('x'.repeat(65 * 1024 * 1024)), { code: 'record-too-large' });
});
