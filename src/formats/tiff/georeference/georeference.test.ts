import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Affine } from '../../../geo/index.ts';
import { isGeographicCode } from './geographic-codes.ts';
import { isStorableCode, toGeoKeys, toGeoreference, toModelTags } from './georeference.ts';

const none = { geoKeys: [], geoDoubles: [], scale: [], tiepoint: [], matrix: [] };
const northUp: Affine = [600_000, 10, 0, 5_100_000, 0, -10];

test('the codes people use are on the right side of the table', () => {
  for (const code of [4326, 4258, 4269, 6318, 7844, 4979]) assert.ok(isGeographicCode(code), String(code));
  for (const code of [3857, 32601, 32760, 2154, 3035, 4087, 5070, 6933, 28992]) {
    assert.ok(!isGeographicCode(code), String(code));
  }
});

for (const transform of [
  northUp,
  [0, 8, 6, 0, 6, -8],
  [1, 10, 0, 2, 0, 10],
  [1, -10, 0, 2, 0, -10],
] as const) {
  test(`code and transform ${transform.join(' ')} go back and forth`, () => {
    for (const epsg of [4326, 32631]) {
      const tags = { ...none, geoKeys: toGeoKeys(epsg), ...toModelTags(transform) };
      assert.deepEqual(toGeoreference(tags), { epsg, transform, proj: null, gcps: [] });
    }
  });
}

test('a tie point away from the corner moves the origin', () => {
  const { transform } = toGeoreference({
    ...none,
    scale: [10, 10, 0],
    tiepoint: [3, 2, 0, 600_030, 5_099_980, 0],
  });
  assert.deepEqual(transform, northUp);
});

test('where pixels are points, the corner lies half a pixel before the first of them', () => {
  const geoKeys = [1, 1, 0, 1, 1025, 0, 1, 2];
  const { transform } = toGeoreference({ ...none, geoKeys, ...toModelTags(northUp) });
  assert.deepEqual(transform, [599_995, 10, 0, 5_100_005, 0, -10]);
});

test('what gives pixels no area is no transform', () => {
  for (const tags of [
    { scale: [0, 0, 0], tiepoint: [0, 0, 0, 1, 2, 0] },
    { scale: [10, Number.NaN, 0], tiepoint: [0, 0, 0, 1, 2, 0] },
    { scale: [10, 10, 0], tiepoint: [0, 0, 0, Infinity, 2, 0] },
    { scale: [10, 10, 0] },
    { tiepoint: [0, 0, 0, 1, 2, 0] },
    { scale: [10], tiepoint: [0, 0, 0, 1, 2, 0] },
    { matrix: [1, 2, 0, 0, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { matrix: [1, 0, 0] },
  ]) {
    assert.equal(toGeoreference({ ...none, ...tags }).transform, null, JSON.stringify(tags));
  }
});

test('a code that names no system, or only the base of a user-defined one, is ignored', () => {
  const code = (...keys: number[]) => toGeoreference({ ...none, geoKeys: keys }).epsg;
  assert.equal(code(1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_767), null);
  assert.equal(code(1, 1, 0, 2, 1024, 0, 1, 1, 2048, 0, 1, 4326), null);
  assert.equal(code(1, 1, 0, 1, 2048, 0, 1, 4326), 4326);
  assert.equal(code(1, 1, 0, 1, 3072, 34_736, 1, 0), null);
  assert.equal(code(1, 1, 0, 65_535, 3072, 0, 1), null, 'a lying count ends with the list');
  assert.equal(code(), null);
});

test('of a scale and a matrix the scale counts, as in GDAL', () => {
  const matrix = [1, 0, 0, 5, 0, -1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1];
  const { transform } = toGeoreference({ ...none, ...toModelTags(northUp), matrix });
  assert.deepEqual(transform, northUp);
});

test('tie points without scale are control points, and half a pixel further where pixels are points', () => {
  const tiepoint = [0, 0, 0, 10, 50, 7, 20, 5, 0, 11, 49, 8, 1, 2];
  const area = toGeoreference({ ...none, tiepoint });
  assert.equal(area.transform, null);
  assert.deepEqual(area.gcps, [
    { column: 0, row: 0, x: 10, y: 50, z: 7 },
    { column: 20, row: 5, x: 11, y: 49, z: 8 },
  ]);
  const point = toGeoreference({ ...none, tiepoint, geoKeys: [1, 1, 0, 1, 1025, 0, 1, 2] });
  assert.deepEqual([point.gcps[1]!.column, point.gcps[1]!.row], [20.5, 5.5]);
});

test('codes are storable from 1024 to 32766', () => {
  for (const code of [1024, 32_766]) assert.ok(isStorableCode(code));
  for (const code of [1023, 32_767, 900_913, 0, -1, 4326.5, Number.NaN]) assert.ok(!isStorableCode(code));
});
