import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCollection } from './parse-collection.ts';

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.1, 50],
      [10.1, 50.1],
      [10, 50.1],
      [10, 50],
    ],
  ],
};
const crossed = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.1, 50.1],
      [10.1, 50],
      [10, 50.1],
      [10, 50],
    ],
  ],
};
const feature = (geometry: unknown, more: object = {}) => ({
  type: 'Feature',
  properties: {},
  geometry,
  ...more,
});
const parse = (features: unknown) =>
  parseCollection({ text: JSON.stringify({ type: 'FeatureCollection', features }) });

test('features keep their names, or are named by their rows', () => {
  const { shapes, faults } = parse([
    feature(square),
    feature(square, { id: 7, properties: { name: 'Upper field', external_id: 'A-7' } }),
    feature(square, { id: 'x'.repeat(500), properties: null }),
  ]);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    shapes.map(({ id, externalId, name }) => [id, externalId, name]),
    [
      ['1', null, '1'],
      ['7', 'A-7', 'Upper field'],
      ['x'.repeat(200), null, 'x'.repeat(200)],
    ],
  );
  assert.equal(shapes[0]?.geometry.type, 'MultiPolygon');
});

test('each invalid feature is reported with its row, and the others are accepted', () => {
  const { shapes, faults } = parse([
    feature(crossed),
    feature(null),
    feature({ type: 'Point', coordinates: [10, 50] }),
    feature({ type: 'Polygon', coordinates: [] }),
    // Latitude first.
    feature({
      type: 'Polygon',
      coordinates: [
        [
          [50, 110],
          [50, 110.1],
          [50.1, 110],
          [50, 110],
        ],
      ],
    }),
    feature(square, { id: 'a' }),
    feature(square, { id: 'a' }),
    'nothing',
    // On both sides of 180 degrees.
    feature({
      type: 'Polygon',
      coordinates: [
        [
          [179.9, 1],
          [-179.9, 1],
          [-179.9, 1.1],
          [179.9, 1.1],
          [179.9, 1],
        ],
      ],
    }),
  ]);
  assert.deepEqual(
    faults.map(({ row }) => row),
    [1, 2, 3, 4, 5, 7, 8],
  );
  assert.ok(faults.every(({ message }) => message.endsWith('.')));
  assert.deepEqual(
    shapes.map(({ id, geometry }) => [id, geometry.coordinates.length]),
    [
      ['a', 1],
      ['9', 2],
    ],
  );
});

test('a body that is not a collection is refused', () => {
  for (const text of ['{', '[]', '{"type":"Feature"}', '{"type":"FeatureCollection","features":{}}'])
    assert.throws(() => parseCollection({ text }), { code: 'bad-collection' });
});
