import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldValue } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { parseRecord, toSceneRow } from './scene-row.ts';

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
