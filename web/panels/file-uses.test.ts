import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesOf } from './file-uses.ts';

test('the extension of a file decides whether it is areas, fields, both or neither, in any case', () => {
  const uses = (name: string) => Object.values(usesOf(name));
  for (const name of ['a.geojson', 'A.JSON', 'a.b.kml', 'shapes.ZIP'])
    assert.deepEqual(uses(name), [true, true], name);
  for (const name of ['a.gpkg', 'a.csv', 'a.parquet', 'a.geojsonl'])
    assert.deepEqual(uses(name), [false, true], name);
  assert.deepEqual(uses('a.kmz'), [true, false]);
  for (const name of ['a.mp4', 'csv', 'geojson.txt']) assert.deepEqual(uses(name), [false, false], name);
});
