import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldValue } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { AreaGeometry, LonLat, Ring } from '../../geo/index.ts';
import { fromWkb, parseRecord, toSceneRow, toWkb } from './scenes.ts';

test('property: a record is read as it was put, with the catalog version, whatever the order of its keys', () => {
  const anyFields = fc.dictionary(
    fc.string(),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.double(), fc.boolean(), fc.constant(null)),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(anyFields, (fields) => {
      const scene = makeScene(3, { fields: fields as Record<string, FieldValue> });
      const row = toSceneRow(scene);
      assert.equal(row.version, toScene(scene).version);
      assert.deepEqual(parseRecord(row), JSON.parse(JSON.stringify(toScene(scene))));
      const turned = Object.fromEntries(Object.entries(scene).reverse()) as typeof scene;
      assert.equal(toSceneRow(turned).version, toScene(scene).version);
    }),
  );
});

test('the old key `beside` is read as `sidecars`; strings with that word are not changed', () => {
  const scene = makeScene(3, { provenance: '"beside":["x"]' });
  const [name = '', asset] = Object.entries(scene.assets)[0]!;
  const withSidecars = {
    ...scene,
    assets: { ...scene.assets, [name]: { ...asset!, sidecars: ['.ovr'] as const } },
  };
  const { hit, rest } = toSceneRow(withSidecars);
  const older = rest.replace('"sidecars":', '"beside":');
  assert.notEqual(older, rest);
  const read = parseRecord({ hit, rest: older });
  assert.deepEqual(read.assets[name]?.sidecars, ['.ovr']);
  assert.deepEqual(read, parseRecord({ hit, rest }));
});

test('a polygon, and several in one, are read from well-known binary', () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 2],
    [0, 0],
  ] as const;
  const positions = ring.map(([x, y]) => {
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(y, bytes.writeDoubleLE(x, 0));
    return bytes.toString('hex');
  });
  const body = `0100000004000000${positions.join('')}`;
  assert.equal(toWkb({ type: 'Polygon', coordinates: [ring] }), `0103000020e6100000${body}`);
  assert.equal(
    toWkb({ type: 'MultiPolygon', coordinates: [[ring], [ring]] }),
    `0106000020e610000002000000${`0103000000${body}`.repeat(2)}`,
  );
});

test('property: an area is read exactly as it was written', () => {
  const anyPosition = fc.tuple(
    fc.double({ noNaN: true }),
    fc.double({ noNaN: true }),
  ) as fc.Arbitrary<LonLat>;
  const anyRings = fc.array(fc.array(anyPosition) as fc.Arbitrary<Ring>, { minLength: 1, maxLength: 3 });
  const anyArea: fc.Arbitrary<AreaGeometry> = fc.oneof(
    anyRings.map((coordinates): AreaGeometry => ({ type: 'Polygon', coordinates })),
    fc
      .array(anyRings, { maxLength: 3 })
      .map((coordinates): AreaGeometry => ({ type: 'MultiPolygon', coordinates })),
  );
  fc.assert(fc.property(anyArea, (area) => assert.deepEqual(fromWkb(Buffer.from(toWkb(area), 'hex')), area)));
});

test('truncated well-known binary is not read as a smaller area', () => {
  const area: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 2],
        [0, 0],
      ],
    ],
  };
  const bytes = Buffer.from(toWkb(area), 'hex');
  for (const size of [0, 8, 12, bytes.length - 1]) {
    assert.throws(() => fromWkb(bytes.subarray(0, size)), RangeError);
  }
});
