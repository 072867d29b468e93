import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Portion } from './portion.ts';
import { makePacking, piecesOf, toPortion } from './portion.ts';

const textsOf = (portions: readonly Portion[]): readonly string[] =>
  portions.flatMap((portion) => piecesOf(portion).map((bytes) => Buffer.from(bytes).toString()));

test('property: texts come back whole and in order, however they are portioned', async () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1F6F0}') });
  await fc.assert(
    fc.asyncProperty(fc.array(anyText), fc.nat(3), async (texts, long) => {
      // Some are longer than a portion, and what is before and behind them is in others.
      const all = texts.map((text, i) => (i % 4 < long && i > 2 ? text.repeat(150_000) : text));
      const packing = makePacking(async (portion) => toPortion(piecesOf(portion)));
      for (const text of all) packing.add(text);
      assert.deepEqual(textsOf(await packing.end()), all);
    }),
    { numRuns: 20 },
  );
});

test('a portion is packed while the next is collected, and is no longer than four megabytes', async () => {
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

test('what cannot be packed is said at the end', async () => {
  const packing = makePacking(async () => Promise.reject(new Error('no')));
  packing.add('text');
  await assert.rejects(packing.end(), /no/);
});
