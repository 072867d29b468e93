import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../sensors/index.ts';
import { families, familyOf } from './all-families.ts';

test('every sensor is of a family, and every family has a sensor', () => {
  for (const sensor of sensors) assert.equal(familyOf(sensor).name, sensor.family);
  for (const { name } of families)
    assert.ok(
      sensors.some(({ family }) => family === name),
      name,
    );
  assert.equal(new Set(families.map(({ name }) => name)).size, families.length);
});

test('a sensor without a family is refused', () => {
  assert.throws(() => familyOf({ ...sensors[0]!, family: 'none' }), { code: 'no-description' });
});

test('items and levels of a family are of its own datasets, and no collection is of two', () => {
  const seen = new Set<string>();
  for (const { name, items, levels } of families) {
    const own = sensors.filter(({ family }) => family === name).map(({ dataset }) => dataset);
    const named = (items?.accepted ?? []).flatMap(({ datasets = [] }) => datasets);
    for (const dataset of [...named, ...(levels === undefined ? [] : [levels.lower, levels.higher])])
      assert.ok(own.includes(dataset), `${name}: ${dataset}`);
    for (const collection of (items?.accepted ?? []).flatMap(({ collections }) => collections)) {
      assert.ok(!seen.has(collection), collection);
      seen.add(collection);
    }
  }
});
