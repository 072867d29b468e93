import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyShape } from '../testing/any-shape.ts';
import { cleanGeometry, RowFault } from './clean-geometry.ts';
import { parseWkb, toWkb } from './wkb.ts';

const RULES = { toLonLat: null, maxVertices: 1_000 };
const read = (hex: string) => parseWkb(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

test('a geometry survives a round trip', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      assert.deepEqual(cleanGeometry(parseWkb(toWkb(shape)).geometry, RULES), shape);
    }),
  );
});

test('bytes that end too early are a fault, wherever they end', () => {
  fc.assert(
    fc.property(anyShape, fc.nat(), (shape, seed) => {
      const bytes = toWkb(shape);
      assert.throws(() => parseWkb(bytes.subarray(0, seed % bytes.length)), RowFault);
    }),
  );
});

test('any bytes give a geometry or a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        cleanGeometry(parseWkb(bytes).geometry, RULES);
      } catch (error) {
        assert.ok(error instanceof RowFault, String(error));
      }
    }),
  );
});

test('heights and measures are dropped, in ISO and PostGIS notation', () => {
  const z = '000000000000f03f 0000000000000040 0000000000000840';
  assert.deepEqual(read(`01 e9030000 ${z}`).geometry, { type: 'Point', coordinates: [1, 2] });
  assert.deepEqual(read(`01 01000080 ${z}`).geometry, { type: 'Point', coordinates: [1, 2] });
  assert.deepEqual(read(`01 d1070000 ${z}`).geometry, { type: 'Point', coordinates: [1, 2] });
  assert.deepEqual(read(`01 b90b0000 ${z} 0000000000001040`).geometry, {
    type: 'Point',
    coordinates: [1, 2],
  });
});

test('PostGIS states the CRS in the geometry; either byte order is read', () => {
  const point = read('00 20000001 000064e9 3ff0000000000000 4000000000000000');
  assert.deepEqual(point, { geometry: { type: 'Point', coordinates: [1, 2] }, srid: 25833 });
});

test('wrong counts are refused before memory is allocated', () => {
  for (const hex of [
    '01 02000000 ffffffff',
    '01 03000000 ffffffff 00000000',
    '01 03000000 01000000 ffffff7f',
    '01 07000000 ffffff0f 0101000000',
  ])
    assert.throws(() => read(hex), { message: /truncated/ });
});

test('types that GeoJSON does not have, deep nesting and wrong parts are faults', () => {
  assert.throws(() => read('01 08000000 00000000'), { message: /type 8 .* is not read/ });
  assert.throws(() => read('02 01000000'), { message: /not well-known binary/ });
  assert.throws(() => read(`${'01 07000000 01000000'.repeat(20)}`), { message: /nested too deeply/ });
  assert.throws(() => read('01 06000000 01000000 01 02000000 00000000'), { message: /not a Polygon/ });
});
