import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Affine } from './grid.ts';
import { applyAffine, invertAffine, scaleAffine } from './grid.ts';

const northUp: Affine = [600000, 10, 0, 5000040, 0, -10];

test('applyAffine puts (0, 0) on the upper left corner and counts rows southward', () => {
  assert.deepEqual(applyAffine(northUp, 0, 0), [600000, 5000040]);
  assert.deepEqual(applyAffine(northUp, 2.5, 1), [600025, 5000030]);
});

test('invertAffine inverts, also with shear', () => {
  const term = fc.double({ min: -1000, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(term, term, term, term, term, term), fc.tuple(term, term), (affine, [col, row]) => {
      fc.pre(Math.abs(affine[1] * affine[5] - affine[2] * affine[4]) > 1);
      const [backCol, backRow] = applyAffine(invertAffine(affine), ...applyAffine(affine, col, row));
      assert.ok(Math.abs(backCol - col) < 1e-3 && Math.abs(backRow - row) < 1e-3);
    }),
  );
});

test('invertAffine refuses a singular map', () => {
  for (const affine of [
    [0, 0, 0, 0, 0, -10],
    [0, 1, 2, 0, 2, 4],
    [0, Number.NaN, 0, 0, 0, 1],
  ] as const) {
    assert.throws(() => invertAffine(affine), { code: 'singular-affine' });
  }
});

test('scaleAffine keeps the corners of the image where they are', () => {
  const full = { width: 10981, height: 5491 };
  const half = { width: 5491, height: 2746 };
  const sheared: Affine = [600000, 10, 1, 5000040, 0.5, -10];
  const scaled = scaleAffine(sheared, full, half);
  const [x, y] = applyAffine(scaled, half.width, half.height);
  const [fullX, fullY] = applyAffine(sheared, full.width, full.height);
  assert.ok(Math.abs(x - fullX) < 1e-6 && Math.abs(y - fullY) < 1e-6);
});
