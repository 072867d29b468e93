import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gridBounds, tileGrid } from '../../geo/index.ts';
import { toPictureGrid } from './picture-grid.ts';

const usual = { epsg: null, size: null };

/** A block of tiles from one corner, and how many there are in x and y. */
const anyBlock = fc
  .record({
    z: fc.integer({ min: 3, max: 24 }),
    columns: fc.integer({ min: 1, max: 8 }),
    rows: fc.constant(3),
  })
  .chain(({ z, columns, rows }) =>
    fc.record({
      z: fc.constant(z),
      columns: fc.constant(columns),
      rows: fc.constant(rows),
      x: fc.nat(2 ** z - columns),
      y: fc.nat(2 ** z - rows),
    }),
  );

test('bounds of a block of tiles have the very pixels of the tiles', () => {
  fc.assert(
    fc.property(anyBlock, ({ z, x, y, columns, rows }) => {
      const { minX, maxY } = gridBounds(tileGrid({ z, x, y }));
      const { maxX } = gridBounds(tileGrid({ z, x: x + columns - 1, y }));
      const { minY } = gridBounds(tileGrid({ z, x, y: y + rows - 1 }));
      const size = { width: 256 * columns, height: 256 * rows };
      const bounds = { minX, minY, maxX, maxY };
      const { transform } = toPictureGrid({ kind: 'bounds', epsg: 3857, bounds }, { ...usual, size });
      const [originX, pixelWidth, , originY, , pixelHeight] = tileGrid({ z, x, y }).transform;
      assert.deepEqual(transform, [originX, pixelWidth, 0, originY, 0, pixelHeight]);
    }),
  );
});

test('other bounds keep the pixels that they say, on the map and elsewhere', () => {
  const grid = tileGrid({ z: 12, x: 700, y: 1500 });
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  for (const shiftM of [1e-6, 0.01, 10]) {
    const bounds = { minX, minY, maxX: maxX + shiftM, maxY };
    const { transform } = toPictureGrid({ kind: 'bounds', epsg: 3857, bounds }, usual);
    assert.equal(transform[1], (bounds.maxX - bounds.minX) / 256);
    assert.notEqual(transform[1], grid.transform[1]);
  }
  const utm = { minX: 500_000, minY: 5_000_000, maxX: 500_256, maxY: 5_000_256 };
  const { transform } = toPictureGrid(
    { kind: 'bounds', epsg: 32610, bounds: utm },
    { ...usual, epsg: 32610 },
  );
  assert.deepEqual(transform, [500_000, 1, 0, 5_000_256, 0, -1]);
});
