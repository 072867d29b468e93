import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Affine } from './grid.ts';
import {
  applyAffine,
  gridBounds,
  invertAffine,
  isTile,
  MERCATOR_HALF_SIDE_M,
  scaleAffine,
  tileAt,
  tileBounds,
  tileGrid,
} from './grid.ts';

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

test('scaleAffine keeps the corners of the image in place', () => {
  const full = { width: 10981, height: 5491 };
  const half = { width: 5491, height: 2746 };
  const sheared: Affine = [600000, 10, 1, 5000040, 0.5, -10];
  const scaled = scaleAffine(sheared, full, half);
  const [x, y] = applyAffine(scaled, half.width, half.height);
  const [fullX, fullY] = applyAffine(sheared, full.width, full.height);
  assert.ok(Math.abs(x - fullX) < 1e-6 && Math.abs(y - fullY) < 1e-6);
});

const anyTile = fc
  .integer({ min: 0, max: 24 })
  .chain((z) =>
    fc.record({ z: fc.constant(z), x: fc.nat(2 ** z - 1), y: fc.nat(2 ** z - 1) }, { noNullPrototype: true }),
  );

test('tile 10/611/354 has the published bounds', () => {
  const { minX, minY, maxX, maxY } = tileBounds({ z: 10, x: 611, y: 354 });
  const rounded = [minX, minY, maxX, maxY].map((value) => value.toFixed(4));
  assert.deepEqual(rounded, ['3874440.0897', '6144314.0817', '3913575.8482', '6183449.8402']);
});

test('tile 0/0/0 is the whole square, exactly', () => {
  assert.deepEqual(tileBounds({ z: 0, x: 0, y: 0 }), {
    minX: -MERCATOR_HALF_SIDE_M,
    minY: -MERCATOR_HALF_SIDE_M,
    maxX: MERCATOR_HALF_SIDE_M,
    maxY: MERCATOR_HALF_SIDE_M,
  });
});

test('tileAt finds the tile of its own centre', () => {
  fc.assert(
    fc.property(anyTile, (tile) => {
      const { minX, minY, maxX, maxY } = tileBounds(tile);
      assert.deepEqual(tileAt(tile.z, (minX + maxX) / 2, (minY + maxY) / 2), tile);
    }),
  );
});

test('neighbouring tiles share their edge to the last bit', () => {
  fc.assert(
    fc.property(anyTile, (tile) => {
      const east = tileBounds({ ...tile, x: tile.x + 1 });
      const south = tileBounds({ ...tile, y: tile.y + 1 });
      const { maxX, minY } = tileBounds(tile);
      assert.equal(east.minX, maxX);
      assert.equal(south.maxY, minY);
    }),
  );
});

test('tileAt clamps points outside the square', () => {
  assert.deepEqual(tileAt(3, -1e9, 1e9), { z: 3, x: 0, y: 0 });
  assert.deepEqual(tileAt(3, MERCATOR_HALF_SIDE_M, -MERCATOR_HALF_SIDE_M), { z: 3, x: 7, y: 7 });
});

test('tileGrid covers the tile', () => {
  const tile = { z: 13, x: 4805, y: 2790 };
  const grid = tileGrid(tile, 512);
  assert.deepEqual([grid.epsg, grid.width, grid.height], [3857, 512, 512]);
  const covered = gridBounds(grid);
  const wanted = tileBounds(tile);
  assert.ok(Math.abs(covered.maxX - wanted.maxX) < 1e-8 && Math.abs(covered.minY - wanted.minY) < 1e-8);
});

test('isTile knows the limits of the pyramid', () => {
  assert.ok(isTile({ z: 0, x: 0, y: 0 }));
  assert.ok(isTile({ z: 24, x: 2 ** 24 - 1, y: 2 ** 24 - 1 }));
  for (const tile of [
    { z: 25, x: 0, y: 0 },
    { z: 1, x: 2, y: 0 },
    { z: 1, x: 0, y: -1 },
    { z: 1.5, x: 0, y: 0 },
    { z: 1, x: 0.5, y: 0 },
    { z: 1, x: Number.NaN, y: 0 },
  ]) {
    assert.ok(!isTile(tile), JSON.stringify(tile));
  }
});
