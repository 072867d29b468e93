import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLatBounds } from '../geo/index.ts';
import { relates } from '../geo/index.ts';
import { coverWithCells } from './cover-cells.ts';

const toArea = ({ west, south, east, north }: LonLatBounds) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as const,
  ],
});

const bounds = fc
  .tuple(fc.integer({ min: -179_000, max: 178_000 }), fc.integer({ min: -89_000, max: 88_000 }))
  .map(
    ([x, y]): LonLatBounds => ({
      west: x / 1e3,
      south: y / 1e3,
      east: x / 1e3 + 0.01,
      north: y / 1e3 + 0.01,
    }),
  );

test('few cells cover all fields', () => {
  assert.equal(coverWithCells([]), null);
  fc.assert(
    fc.property(fc.array(bounds, { minLength: 1, maxLength: 200 }), (all) => {
      const cells = coverWithCells(all);
      assert.ok(cells !== null && cells.coordinates.length <= 64);
      for (const one of all) {
        const isInside = cells.coordinates.some((coordinates) =>
          relates({ type: 'Polygon', coordinates }, toArea(one), 'contains'),
        );
        assert.ok(isInside, JSON.stringify(one));
      }
    }),
    { numRuns: 50 },
  );
});

test('the ground between two distant farms is not searched', () => {
  const cells = coverWithCells([
    { west: 10, south: 50, east: 10.01, north: 50.01 },
    { west: -60, south: -30, east: -59.9, north: -29.9 },
  ]);
  assert.equal(cells?.coordinates.length, 2);
});
