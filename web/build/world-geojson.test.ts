import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Topology } from './world-geojson.ts';
import { simplifyLine, toWorldGeoJson, unwrapRing } from './world-geojson.ts';

// Two square countries side by side, sharing the arc 0 at longitude 10; quantised in whole degrees from (0, 0).
const neighbours: Topology = {
  transform: { scale: [1, 1], translate: [0, 0] },
  arcs: [
    [
      [10, 0],
      [0, 10],
    ],
    [
      [10, 10],
      [-10, 0],
      [0, -10],
      [10, 0],
    ],
    [
      [10, 0],
      [10, 0],
      [0, 10],
      [-10, 0],
    ],
  ],
  objects: {
    land: { type: 'GeometryCollection', geometries: [{ type: 'MultiPolygon', arcs: [[[1, 2]]] }] },
    countries: {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', arcs: [[0, 1]] },
        { type: 'Polygon', arcs: [[2, -1]] },
      ],
    },
  },
};

test('land becomes polygons without the inner border, and the shared arc becomes the only border', () => {
  const { features, attribution } = toWorldGeoJson(neighbours, 0);
  assert.match(attribution, /Natural Earth/);
  const [land, border] = features.map((feature) => feature.geometry);
  assert.equal(features.length, 2);
  assert.deepEqual(land, {
    type: 'Polygon',
    coordinates: [
      [
        [10, 10],
        [0, 10],
        [0, 0],
        [10, 0],
        [20, 0],
        [20, 10],
        [10, 10],
      ],
    ],
  });
  assert.deepEqual(border, {
    type: 'LineString',
    coordinates: [
      [10, 0],
      [10, 10],
    ],
  });
});

test('an island smaller than the tolerance is dropped instead of leaving a degenerate polygon', () => {
  assert.equal(
    toWorldGeoJson(neighbours, 50).features.filter((f) => f.geometry.type === 'Polygon').length,
    0,
  );
});

test('a topology without countries is refused by name', () => {
  assert.throws(() => toWorldGeoJson({ ...neighbours, objects: {} }, 0), /no "land" and "countries"/);
});

test('simplifying keeps both ends and every corner farther off than the tolerance', () => {
  const line = [
    [0, 0],
    [1, 0.01],
    [2, 0],
    [3, 2],
    [4, 0],
  ] as const;
  assert.deepEqual(simplifyLine(line, 0.1), [
    [0, 0],
    [2, 0],
    [3, 2],
    [4, 0],
  ]);
});

test('a ring across the antimeridian keeps its width instead of spanning the whole map', () => {
  const ring = unwrapRing([
    [179, 10],
    [-179, 10],
    [-179, 12],
    [179, 12],
    [179, 10],
  ]);
  assert.deepEqual(
    ring.map(([lon]) => lon),
    [179, 181, 181, 179, 179],
  );
});

test('a ring around the south pole is closed along the pole', () => {
  const ring = unwrapRing([
    [-180, -70],
    [-60, -72],
    [60, -71],
    [179, -70],
    [-180, -70],
  ]);
  assert.deepEqual(ring.slice(-4), [
    [180, -70],
    [180, -90],
    [-180, -90],
    [-180, -70],
  ]);
});
