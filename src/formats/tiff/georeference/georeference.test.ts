import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import type { Affine } from '../../../geo/index.ts';
import type { CogOptions } from '../../cog/plan-cog.ts';
import { planCog } from '../../cog/plan-cog.ts';
import { writeCogBytes } from '../../cog/testing/write-cog.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openTiff } from '../tiff-reader.ts';
import type { ControlPoint } from './georeference.ts';
import {
  isGeographicCode,
  isStorableCode,
  toGeoKeys,
  toGeoreference,
  toModelTags,
  toVerticalUnit,
} from './georeference.ts';

const none = { geoKeys: [], geoDoubles: [], scale: [], tiepoint: [], matrix: [] };
const northUp: Affine = [600_000, 10, 0, 5_100_000, 0, -10];

test('common codes are on the right side of the table', () => {
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
  test(`code and transform ${transform.join(' ')} survive a round trip`, () => {
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

test('if pixels are points, the corner is half a pixel before the first of them', () => {
  const geoKeys = [1, 1, 0, 1, 1025, 0, 1, 2];
  const { transform } = toGeoreference({ ...none, geoKeys, ...toModelTags(northUp) });
  assert.deepEqual(transform, [599_995, 10, 0, 5_100_005, 0, -10]);
});

test('tags that would give pixels no area give no transform', () => {
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

test('a code that names no CRS, or only the base of a user-defined one, is ignored', () => {
  const code = (...keys: number[]) => toGeoreference({ ...none, geoKeys: keys }).epsg;
  assert.equal(code(1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_767), null);
  assert.equal(code(1, 1, 0, 2, 1024, 0, 1, 1, 2048, 0, 1, 4326), null);
  assert.equal(code(1, 1, 0, 1, 2048, 0, 1, 4326), 4326);
  assert.equal(code(1, 1, 0, 1, 3072, 34_736, 1, 0), null);
  assert.equal(code(1, 1, 0, 65_535, 3072, 0, 1), null, 'a lying count ends with the list');
  assert.equal(code(), null);
});

test('if there are a scale and a matrix, the scale is used, as in GDAL', () => {
  const matrix = [1, 0, 0, 5, 0, -1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1];
  const { transform } = toGeoreference({ ...none, ...toModelTags(northUp), matrix });
  assert.deepEqual(transform, northUp);
});

test('tie points without scale are control points, shifted by half a pixel if pixels are points', () => {
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

const points: readonly ControlPoint[] = [
  { column: 0.5, row: 0.5, x: -122.25, y: 48.5, z: 12.5 },
  { column: 39.5, row: 0.5, x: -122.2, y: 48.51, z: 0 },
  { column: 0.5, row: 19.5, x: -122.24, y: 48.4, z: 800 },
  { column: 39.5, row: 19.5, x: -122.19, y: 48.41, z: 3 },
];

const options: CogOptions = {
  width: 40,
  height: 20,
  bandCount: 1,
  type: 'uint16',
  epsg: 4326,
  transform: null,
  controlPoints: points,
  nodata: 0,
  compression: 'none',
  predictor: 1,
};

test('control points read back unchanged', async () => {
  const bytes = await writeCogBytes(options, [new Uint16Array(800).fill(7)]);
  const { epsg, transform, gcps } = await openTiff(makeMemorySource(bytes));
  assert.equal(epsg, 4326);
  assert.equal(transform, null);
  assert.deepEqual(gcps, points);
});

test('unusable control points are refused', () => {
  const wrong: Partial<CogOptions>[] = [
    { transform: [0, 1, 0, 0, 0, -1] },
    { controlPoints: points.slice(0, 3) },
    { controlPoints: [...points.slice(0, 3), { ...points[3]!, x: Number.NaN }] },
    { controlPoints: Array.from({ length: 5_000 }, () => points[0]!) },
  ];
  for (const one of wrong) {
    assert.throws(
      () => planCog({ ...options, ...one }),
      (error) => isSwathError(error) && error.code === 'bad-control-points',
    );
  }
});

const unitOf = (...keys: (readonly [number, number])[]) => toVerticalUnit(new Map(keys));

test('the unit of heights follows its key, or the vertical CRS', () => {
  assert.equal(unitOf([4099, 9001]), 9001);
  assert.equal(unitOf([4099, 9003]), 9003);
  assert.equal(unitOf([4096, 6360]), 9003, 'NAVD88 height (ftUS)');
  assert.equal(unitOf([4096, 8228]), 9002, 'NAVD88 height (ft)');
  assert.equal(unitOf([4096, 6360], [4099, 9001]), 9001, 'the key of the unit comes first');
});

test('without either, and for a user-defined unit, the unit is unknown', () => {
  assert.equal(unitOf(), null);
  assert.equal(unitOf([4096, 5773]), null, 'EGM96 height, in metres');
  assert.equal(unitOf([4099, 32_767]), null);
  assert.equal(unitOf([4099, 0]), null);
});
