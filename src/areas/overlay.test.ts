import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLat, MultiPolygonGeometry, Ring } from '../geo/index.ts';
import { isPointInArea } from '../geo/index.ts';
import { overlay, uniteAreas } from './overlay.ts';
import { parseAreaGeometry } from './parse-area.ts';
import { signedSize } from './rings.ts';

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const area = (...polygons: readonly (readonly Ring[])[]): MultiPolygonGeometry => ({
  type: 'MultiPolygon',
  coordinates: polygons,
});
const sizeOf = ({ coordinates }: MultiPolygonGeometry): number =>
  coordinates.flat().reduce((sum, ring) => sum + signedSize(ring) / 2, 0);
const both = ([a, b]: Int32Array): boolean => a !== 0 && b !== 0;
const cut = (a: MultiPolygonGeometry, b: MultiPolygonGeometry): MultiPolygonGeometry =>
  overlay([a, b], [both])[0]!;

test('the intersection of two areas is exact', () => {
  assert.deepEqual(cut(area([box(0, 0, 2, 2)]), area([box(1, 1, 3, 3)])), area([box(1, 1, 2, 2)]));
  assert.deepEqual(cut(area([box(0, 0, 1, 1)]), area([box(1, 0, 2, 1)])), area());
  // A hole stays a hole, and one that reaches the border opens it.
  const ring = area([box(0, 0, 4, 4), box(1, 1, 3, 3).toReversed()]);
  assert.deepEqual(cut(ring, area([box(-1, -1, 9, 9)])), ring);
  assert.equal(sizeOf(cut(ring, area([box(2, 0, 9, 9)]))), 6);
});

test('neighbouring and overlapping areas are merged; areas that meet at a corner stay apart', () => {
  const joined = uniteAreas([area([box(0, 0, 1, 1)]), area([box(1, 0, 2, 1)]), area([box(1, 0.5, 3, 2)])]);
  assert.equal(joined.coordinates.length, 1);
  assert.equal(sizeOf(joined), 2 + 3 - 0.5);
  const corners = uniteAreas([area([box(0, 0, 1, 1)]), area([box(1, 1, 2, 2)])]);
  assert.equal(corners.coordinates.length, 2);
  // Four neighbours round a courtyard.
  const court = uniteAreas([
    area([box(0, 0, 3, 1)]),
    area([box(2, 1, 3, 3)]),
    area([box(0, 2, 2, 3)]),
    area([box(0, 1, 1, 2)]),
  ]);
  assert.deepEqual(
    court.coordinates.map((rings) => rings.length),
    [2],
  );
  assert.equal(sizeOf(court), 8);
});

/** Stars around a middle: simple rings that turn left. */
const star = (grid: number) =>
  fc
    .tuple(
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: -3, max: 3 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 12 }),
    )
    .map(([x, y, radii]): MultiPolygonGeometry => {
      const open = radii.map((radius, i): LonLat => {
        const angle = (2 * Math.PI * i) / radii.length + 0.1;
        return [
          Math.round((x + radius * Math.cos(angle)) * grid) / grid,
          Math.round((y + radius * Math.sin(angle)) * grid) / grid,
        ];
      });
      return area([[...open, open[0]!]]);
    })
    .filter((one) => {
      try {
        parseAreaGeometry(one);
        return true;
      } catch {
        return false;
      }
    });

for (const [name, grid] of [
  ['in any position', 1e9],
  ['with borders on top of each other', 1],
] as const) {
  test(`pieces of random areas ${name} are valid, do not overlap and leave no gaps`, () => {
    fc.assert(
      fc.property(
        star(grid),
        star(grid),
        fc.array(fc.double({ min: -8, max: 8, noNaN: true })),
        (a, b, spots) => {
          const [shared, onlyA, onlyB, all] = overlay(
            [a, b],
            [
              both,
              ([x, y]) => x !== 0 && y === 0,
              ([x, y]) => x === 0 && y !== 0,
              ([x, y]) => x !== 0 || y !== 0,
            ],
          ) as [MultiPolygonGeometry, MultiPolygonGeometry, MultiPolygonGeometry, MultiPolygonGeometry];
          const near = (one: number, other: number): void => assert.ok(Math.abs(one - other) < 1e-9);
          near(sizeOf(shared) + sizeOf(onlyA), sizeOf(a));
          near(sizeOf(shared) + sizeOf(onlyB), sizeOf(b));
          near(sizeOf(all), sizeOf(a) + sizeOf(onlyB));
          for (const ring of all.coordinates.flat()) {
            const corners = ring.slice(1).map(String);
            assert.equal(new Set(corners).size, corners.length, 'no ring touches itself');
          }
          for (let i = 1; i < spots.length; i += 1) {
            const spot: LonLat = [spots[i - 1]!, spots[i]!];
            const [inA, inB] = [isPointInArea(spot, a), isPointInArea(spot, b)];
            if (inA && inB && !isNearBorder(spot, [a, b])) assert.ok(isPointInArea(spot, shared));
            if (!inA && !inB && !isNearBorder(spot, [a, b])) assert.ok(!isPointInArea(spot, all));
          }
        },
      ),
      { numRuns: 300, seed: 34 },
    );
  });
}

function isNearBorder([x, y]: LonLat, areas: readonly MultiPolygonGeometry[]): boolean {
  const spot: LonLat = [x, y];
  const near = [-1e-6, 1e-6].flatMap((d): LonLat[] => [
    [x + d, y],
    [x, y + d],
  ]);
  return areas.some((one) => near.some((other) => isPointInArea(other, one) !== isPointInArea(spot, one)));
}
