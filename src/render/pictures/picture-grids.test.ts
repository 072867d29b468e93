import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyAffine, gridBounds, tileGrid } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { listNextGrids, toPictureGrid, toViewGrid, toWholeGrid } from './picture-grids.ts';

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

test('bounds of a block of tiles have exactly the pixels of the tiles', () => {
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

test('other bounds keep their stated pixels, on the map and elsewhere', () => {
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

const box = (west: number, south: number, east: number, north: number) =>
  ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }) as const;

test('the whole outline has the requested pixels on its longer side, and square pixels', () => {
  const wide = toWholeGrid(box(2, 0, 4, 1), 256);
  assert.deepEqual([wide.width, wide.height], [256, 128]);
  assert.equal(wide.transform[1], -wide.transform[5]);
  const high = toWholeGrid(box(2, 0, 3, 2), 256);
  assert.deepEqual([high.width, high.height], [128, 256]);
});

test('an outline across the antimeridian is not as wide as the world, and the poles are omitted', () => {
  const parts = [box(179, 10, 180, 11), box(-180, 10, -179, 11)].map(({ coordinates }) => coordinates);
  const { minX, maxX } = gridBounds(toWholeGrid({ type: 'MultiPolygon', coordinates: parts as never }, 256));
  assert.ok(maxX - minX < 300_000);
  assert.ok(toWholeGrid(box(-180, -90, 180, 90), 256).height <= 256);
});

test('a view has its position in the middle and the pixels of its zoom level', () => {
  const { transform, width, height } = toViewGrid([2.5, 42.5], 12, 512);
  const [lon, lat] = makeProjection(3857, 4326).forward(...applyAffine(transform, width / 2, height / 2));
  assert.ok(Math.abs(lon - 2.5) < 1e-9 && Math.abs(lat - 42.5) < 1e-9);
  assert.equal(transform[1].toFixed(4), '38.2185');
  assert.throws(() => toViewGrid([0, 86], 3, 512), { code: 'bad-position' });
});

test('the next grids of a tile are its neighbours and the tiles below it', () => {
  const [z, x, y] = [12, 2081, 1510];
  const expected = [
    { z, x: x + 1, y },
    { z, x: x - 1, y },
    { z, x, y: y + 1 },
    { z, x, y: y - 1 },
    { z: z + 1, x: 2 * x, y: 2 * y },
    { z: z + 1, x: 2 * x + 1, y: 2 * y },
    { z: z + 1, x: 2 * x, y: 2 * y + 1 },
    { z: z + 1, x: 2 * x + 1, y: 2 * y + 1 },
  ].map((tile) => tileGrid(tile));
  const found = listNextGrids(tileGrid({ z, x, y }));
  assert.equal(found.length, expected.length);
  for (const [i, grid] of found.entries()) {
    const { transform, ...rest } = expected[i]!;
    const { transform: got, ...gotRest } = grid;
    assert.deepEqual(gotRest, rest);
    for (const [term, value] of got.entries()) assert.ok(Math.abs(value - transform[term]!) < 1e-6);
  }
});
