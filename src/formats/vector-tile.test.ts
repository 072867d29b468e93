import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { casesOf } from '../testing/test-size.ts';
import type { VectorLayer } from './vector-tile.ts';
import { encodeVectorTile } from './vector-tile.ts';

/** Layers as an independent decoder reads them. */
const decode = (bytes: Uint8Array): VectorLayer[] =>
  Object.values(new VectorTile(new PbfReader(bytes)).layers).map((layer) => ({
    name: layer.name,
    extent: layer.extent,
    features: Array.from({ length: layer.length }, (_, i) => layer.feature(i)).map((feature) => ({
      properties: { ...feature.properties },
      lines: feature.loadGeometry().map((points) => Int32Array.from(points.flatMap(({ x, y }) => [x, y]))),
    })),
  }));

test('the geometry matches the example in the specification', () => {
  // Section 4.3.5.4 of Mapbox Vector Tile 2.1: two lines, (2,2) (2,10) (10,10) and (1,1) (3,5).
  const lines = [Int32Array.of(2, 2, 2, 10, 10, 10), Int32Array.of(1, 1, 3, 5)];
  const bytes = encodeVectorTile([{ name: 'a', extent: 4096, features: [{ properties: {}, lines }] }]);
  const geometry = [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8];
  assert.ok(Buffer.from(bytes).includes(Buffer.from([0x22, geometry.length, ...geometry])));
});

test('properties of every type read back, with keys and values stored once', () => {
  const line = [Int32Array.of(0, 0, 5, 5)];
  const texts = { name: 'Höhenlinie', same: 'Höhenlinie' };
  const numbers = { zero: 0, one: 1, below: -120, half: 0.5, large: 2 ** 40, low: -(2 ** 40), huge: 1e300 };
  const layers: VectorLayer[] = [
    {
      name: 'first',
      extent: 4096,
      features: [
        { properties: texts, lines: line },
        { properties: numbers, lines: line },
        { properties: { yes: true, no: false, ...texts }, lines: line },
      ],
    },
    { name: 'second', extent: 512, features: [{ properties: {}, lines: line }] },
  ];
  const bytes = encodeVectorTile(layers);
  assert.deepEqual(decode(bytes), layers);
  const text = Buffer.from(bytes).toString('utf8');
  for (const once of ['Höhenlinie', 'name', 'same']) assert.equal(text.split(once).length, 2, once);
});

test('repeated points are omitted, and so are lines, features and layers without any others', () => {
  const features = [
    {
      properties: { a: 1 },
      lines: [Int32Array.of(3, 3, 3, 3, 3, 3), new Int32Array(0), Int32Array.of(1, 1)],
    },
    { properties: { b: 2 }, lines: [Int32Array.of(1, 1), Int32Array.of(4, 4, 4, 4, 5, 6, 5, 6, 4, 4)] },
  ];
  assert.deepEqual(decode(encodeVectorTile([{ name: 'a', extent: 4096, features }])), [
    {
      name: 'a',
      extent: 4096,
      features: [{ properties: { b: 2 }, lines: [Int32Array.of(4, 4, 5, 6, 4, 4)] }],
    },
  ]);
  assert.equal(encodeVectorTile([{ name: 'a', extent: 4096, features: features.slice(0, 1) }]).length, 0);
  assert.equal(encodeVectorTile([]).length, 0);
});

test('property: lines and properties read back unchanged', () => {
  const coordinate = fc.integer({ min: -100_000, max: 100_000 });
  const line = fc
    .uniqueArray(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 200, selector: String })
    .map((points) => Int32Array.from(points.flat()));
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    fc.double({ noNaN: true }).map((number) => number + 0),
  );
  const properties = fc
    .array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), value), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries));
  const feature = fc
    .tuple(properties, fc.array(line, { minLength: 1, maxLength: 5 }))
    .map(([values, lines]) => ({ properties: values, lines }));
  fc.assert(
    fc.property(fc.array(feature, { minLength: 1, maxLength: 8 }), (features) => {
      const layers = [{ name: 'any', extent: 4096, features }];
      assert.deepEqual(decode(encodeVectorTile(layers)), layers);
    }),
    { numRuns: casesOf(100) },
  );
});
