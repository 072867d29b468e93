import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyShape } from '../testing/any-shape.ts';
import { cleanGeometry, RowFault } from './clean-geometry.ts';
import { parseWkt, toWkt } from './wkt.ts';

const RULES = { toLonLat: null, maxVertices: 1_000 };

test('a geometry survives a round trip', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      assert.deepEqual(cleanGeometry(parseWkt(toWkt(shape)).geometry, RULES), shape);
    }),
  );
});

test('dialects are read: lower case, Z and M, brackets in multi-points, SRID', () => {
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const polygon = { type: 'Polygon', coordinates: [square] };
  for (const text of [
    'polygon((0 0,1 0,1 1,0 0))',
    ' POLYGON ( ( 0 0 , 1 0 , 1 1 , 0 0 ) ) ',
    'POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 0 5))',
    'POLYGONZ((0 0 5, 1 0 5, 1 1 5, 0 0 5))',
    'POLYGON ZM ((0 0 5 6, 1 0 5 6, 1 1 5 6, 0 0 5 6))',
    'POLYGON((0 0, 1e0 .0, +1.0 1., -0e5 0))'.replace('-0e5', '0e5'),
  ])
    assert.deepEqual(parseWkt(text), { geometry: polygon, srid: null }, text);
  assert.equal(parseWkt('SRID=25833; POINT(1 2)').srid, 25833);
  const points = { type: 'MultiPoint', coordinates: square.slice(0, 2) };
  assert.deepEqual(parseWkt('MULTIPOINT(0 0, 1 0)').geometry, points);
  assert.deepEqual(parseWkt('MULTIPOINT((0 0), (1 0))').geometry, points);
  assert.deepEqual(parseWkt('MULTIPOLYGON(EMPTY, ((0 0,1 0,1 1,0 0)))').geometry, {
    type: 'MultiPolygon',
    coordinates: [[], [square]],
  });
});

test('a string that is not well-known text is a fault with its position', () => {
  for (const [text, message] of [
    ['', /ends too early/],
    ['POLYGON', /ends too early/],
    ['POLYGON((0 0, 1 0', /ends too early/],
    ['POLYGON((0 0, nan 0, 1 1))', /unexpected 'nan 0, 1 1' at character 15/],
    ['POLYGON((0 0)) x', /unexpected 'x'/],
    ['CIRCULARSTRING(0 0, 1 1)', /'CIRCULARSTRING' .* is not read/],
    ['POLYGON HELLO', /'HELLO'/],
    ['GEOMETRYCOLLECTION('.repeat(50), /nested too deeply/],
  ] as const)
    assert.throws(() => parseWkt(text), { message }, text);
});

test('any string gives a geometry or a fault', () => {
  const token = fc.constantFrom(
    ...['POLYGON', 'MULTIPOINT', 'Z', 'EMPTY', '(', ')', ',', ' ', '1', '-2.5', 'e', ';'],
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 30 }), (tokens) => {
      try {
        cleanGeometry(parseWkt(tokens.join('')).geometry, RULES);
      } catch (error) {
        assert.ok(error instanceof RowFault, String(error));
      }
    }),
  );
});
