import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../sensors/index.ts';
import { families, familyOf } from './all-families.ts';
import { toFields } from './family.ts';

test('every sensor has a family, and every family has a sensor', () => {
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

test('items and levels of a family belong to its own datasets, and no collection belongs to two', () => {
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

test('the fields of a family need the name of their dataset, and a misspelt one does not compile', () => {
  assert.deepEqual(toFields<'naip'>({ awsPath: 'al/2019', thumbnail: null }), { awsPath: 'al/2019' });
  // @ts-expect-error: without a dataset no field is known
  toFields({ awsPath: 'al/2019' });
  // @ts-expect-error: NAIP's hits have `awsPath`
  toFields<'naip'>({ awsPaht: 'al/2019' });
});
