import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { Portion } from './packed-records.ts';
import { makePacking, packRest, piecesOf, toPortion, unpackRecord } from './packed-records.ts';

test('property: any string is unpacked as it was packed, and the other columns are not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(300), (text, times) => {
      const rest = text.repeat(times);
      const row = { hit: '{"a":1}', viewId: 'S2/x', rest: packRest(rest) };
      assert.deepEqual(unpackRecord(row), { hit: '{"a":1}', viewId: 'S2/x', rest });
    }),
  );
});

test('a record that repeats itself for every band is packed to a fifth', () => {
  const bands = Array.from({ length: 13 }, (_, i) => [
    `B${i}`,
    { href: `scenes/x/B${i}.tif`, epsg: 32631, transform: [500000, 10, 0, 4700000, 0, -10], width: 10980 },
  ]);
  const rest = JSON.stringify({ assets: Object.fromEntries(bands) });
  assert.ok(packRest(rest).length < rest.length / 5);
});

test('a damaged record is refused with a message', () => {
  const packed = packRest('{"assets":{}}'.repeat(50));
  for (const rest of [packed.subarray(0, packed.length - 4), Buffer.from('no record'), new Uint8Array()]) {
    assert.throws(() => unpackRecord({ hit: '{}', rest }), { code: 'store-corrupt', message: /damaged/ });
  }
});

test('a compression bomb is refused before it is unpacked', () => {
  const bomb = zstdCompressSync(Buffer.alloc(65 * 1024 * 1024));
  assert.ok(bomb.length < 10_000);
  assert.throws(() => unpackRecord({ hit: '{}', rest: bomb }), { code: 'store-corrupt' });
  assert.throws(() => packRest('x'.repeat(65 * 1024 * 1024)), { code: 'record-too-large' });
});

const textsOf = (portions: readonly Portion[]): readonly string[] =>
  portions.flatMap((portion) => piecesOf(portion).map((bytes) => Buffer.from(bytes).toString()));

test('property: strings are complete and in order after packing, whatever the portions', async () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1F6F0}') });
  await fc.assert(
    fc.asyncProperty(fc.array(anyText), fc.nat(3), async (texts, long) => {
      // Some are longer than a portion; their neighbours are in other portions.
      const all = texts.map((text, i) => (i % 4 < long && i > 2 ? text.repeat(150_000) : text));
      const packing = makePacking(async (portion) => toPortion(piecesOf(portion)));
      for (const text of all) packing.add(text);
      assert.deepEqual(textsOf(await packing.end()), all);
    }),
    { numRuns: 20 },
  );
});

test('a portion is packed while the next is collected, and has at most four megabytes', async () => {
  const sizes: number[] = [];
  const packing = makePacking(async (portion) => {
    sizes.push(portion.ends.at(-1) ?? 0);
    return portion;
  });
  for (let i = 0; i < 1000; i += 1) packing.add('x'.repeat(20_000));
  assert.ok(sizes.length >= 4, `${sizes.length} portions before the end`);
  await packing.end();
  assert.equal(
    sizes.reduce((a, b) => a + b, 0),
    20_000_000,
  );
  assert.ok(Math.max(...sizes) <= 4 * 2 ** 20);
});

test('a failure to pack rejects at the end', async () => {
  const packing = makePacking(async () => Promise.reject(new Error('no')));
  packing.add('text');
  await assert.rejects(packing.end(), /no/);
});
