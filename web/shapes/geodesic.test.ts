import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outline } from '../scenes/footprint.ts';
import { areaM2, distanceM, lengthM, perimeterM } from './geodesic.ts';
import type { Position } from './shape.ts';

const polygon = (...rings: readonly (readonly Position[])[]): Outline => ({
  type: 'Polygon',
  coordinates: rings,
});
const box = (west: number, south: number, east: number, north: number): readonly Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const FIELD = polygon([
  [-122.423, 48.225],
  [-122.413, 48.2075],
  [-122.3885, 48.211],
  [-122.384, 48.226],
  [-122.402, 48.2335],
  [-122.423, 48.225],
]);

const assertClose = (actual: number, expected: number, relative: number): void => {
  const error = Math.abs(actual / expected - 1);
  assert.ok(error <= relative, `${actual} instead of ${expected}: off by ${error}`);
};

/**
 * `ST_Area(g, true)` and `ST_Perimeter(g, true)` of `geography` in PostGIS 3.3.2 with PROJ 9.1.1, which computes with
 * C. F. F. Karney's geodesics.
 */
const KNOWN: readonly { readonly outline: Outline; readonly m2: number; readonly m?: number }[] = [
  { outline: FIELD, m2: 5_596_791.725572, m: 9_046.271331 },
  // Far north, where a square metre of Web Mercator is an eighth of one on the ground.
  { outline: polygon(box(25, 69.9, 25.02, 69.91)), m2: 855_901.507114, m: 3_765.628788 },
  { outline: polygon(box(10, 50, 11, 51)), m2: 7_892_061_583.2065, m: 364_369.72088 },
  { outline: polygon(box(0, 0, 1, 1)), m2: 12_308_778_361.4695, m: 443_770.917248 },
  {
    outline: polygon(box(0, 0, 0.1, 0.1), box(0.02, 0.02, 0.04, 0.04)),
    m2: 118_167_063.229648,
    m: 53_254.486711,
  },
  { outline: polygon(box(179.99, -17, 180.01, -16.99)), m2: 2_357_002.901069 },
  {
    outline: polygon([
      [0, 0],
      [90, 0],
      [0, 90],
      [0, 0],
    ]),
    m2: 63_758_202_715_511.07,
  },
];

test('areas and perimeters follow geodesics on the ellipsoid', () => {
  for (const { outline, m2, m } of KNOWN) {
    assertClose(areaM2(outline), m2, 2e-7);
    if (m !== undefined) assertClose(perimeterM(outline), m, 1e-8);
  }
});

test('the area is measured on the ground and not on the map', () => {
  const mercatorY = (lat: number): number =>
    Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 6_378_137;
  const onMap = ((0.02 * Math.PI) / 180) * 6_378_137 * (mercatorY(69.91) - mercatorY(69.9));
  const onGround = areaM2(polygon(box(25, 69.9, 25.02, 69.91)));
  assert.ok(onMap / onGround > 8, `${onMap} m² on the map, ${onGround} m² measured`);
});

test('the direction of a ring does not matter, and parts add up', () => {
  const turned = polygon(box(10, 50, 11, 51).toReversed());
  assertClose(areaM2(turned), 7_892_061_583.2065, 2e-7);
  const parts: Outline = {
    type: 'MultiPolygon',
    coordinates: [[box(0, 0, 1, 1)], [box(10, 50, 11, 51)]],
  };
  assertClose(areaM2(parts), 7_892_061_583.2065 + 12_308_778_361.4695, 2e-7);
});

test('distances follow geodesics, also between antipodal points', () => {
  // ST_Distance of `geography`, as above; the second pair is nearly antipodal.
  assertClose(distanceM([-73.8, 40.6], [-0.5, 51.6]), 5_551_759.40032, 1e-9);
  assertClose(distanceM([-122.4, 48.2], [-122.401, 48.2]), 74.336461, 1e-7);
  assertClose(distanceM([174.81, -41.32], [-5.5, 40.96]), 19_959_679.267354, 5e-3);
  assertClose(distanceM([0, 0], [180, 0]), 20_003_931.458625, 5e-3);
  assert.equal(distanceM([7, 7], [7, 7]), 0);
  assertClose(distanceM([0, 0], [1, 0]), 111_319.490793, 1e-9);
});

test('a line is as long as its parts; a point has no length', () => {
  assert.equal(lengthM([[3, 4]]), 0);
  assertClose(
    lengthM([
      [0, 0],
      [1, 0],
      [2, 0],
    ]),
    2 * 111_319.490793,
    1e-9,
  );
});
