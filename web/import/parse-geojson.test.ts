import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseGeoJson } from './parse-geojson.ts';
import { Refusal } from './refusal.ts';

const RING = [
  [1, 2],
  [3, 2],
  [3, 4],
  [1, 2],
];
const POLYGON = { type: 'Polygon', coordinates: [RING] };
const feature = (geometry: unknown, properties: unknown = {}) => ({ type: 'Feature', properties, geometry });
const parse = (value: unknown) => parseGeoJson(JSON.stringify(value));

test('a geometry, a feature and a collection give their areas and lines, with names', () => {
  assert.deepEqual(parse(POLYGON), [{ kind: 'area', outline: POLYGON, name: null }]);
  assert.deepEqual(parse(feature(POLYGON, { NAME: 'North field' })), [
    { kind: 'area', outline: POLYGON, name: 'North field' },
  ]);
  const line = { type: 'MultiLineString', coordinates: [RING.slice(0, 2), RING.slice(1, 3)] };
  const point = { type: 'Point', coordinates: [1, 2] };
  const collection = {
    type: 'FeatureCollection',
    features: [feature(POLYGON, { title: 'a' }), feature(point), feature(line), feature(null), 7],
  };
  assert.deepEqual(
    parse(collection).map(({ kind, name }) => [kind, name]),
    [
      ['area', 'a'],
      ['line', null],
      ['line', null],
    ],
  );
});

test('an open ring is closed, as on the server; two corners are not an area', () => {
  const open = RING.slice(0, -1);
  assert.deepEqual(parse({ type: 'Polygon', coordinates: [open] }), parse(POLYGON));
  assert.deepEqual(parse({ type: 'MultiPolygon', coordinates: [[open]] }), parse(POLYGON));
  const square = [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 9],
    [0, 0],
  ];
  assert.deepEqual(
    parse({ type: 'Polygon', coordinates: [square.slice(0, -1), open] }),
    parse({ type: 'Polygon', coordinates: [square, RING] }),
  );
  assert.deepEqual(parse({ type: 'Polygon', coordinates: [open.slice(0, 2)] }), []);
  assert.deepEqual(parse({ type: 'Polygon', coordinates: [[...open.slice(0, 2), open[0]]] }), []);
});

test('heights are dropped, and positions rounded to 0.1 m', () => {
  const ring = RING.map(([lon = 0, lat = 0]) => [lon + 1e-8, lat, 120]);
  assert.deepEqual(parse({ type: 'Polygon', coordinates: [ring] }), parse(POLYGON));
});

test('projected coordinates and other CRSs are refused with an explanation', () => {
  const projected = { type: 'Polygon', coordinates: [RING.map(([x = 0, y = 0]) => [x * 1e5, y * 1e6])] };
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
  assert.throws(() => parse(projected), new Refusal('not-degrees'));
  assert.throws(() => parse({ ...POLYGON, crs }), new Refusal('projection', 'urn:ogc:def:crs:EPSG::25832'));
  const known = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } };
  assert.equal(parse({ ...POLYGON, crs: known }).length, 1);
  assert.throws(() => parseGeoJson('{"type": '), new Refusal('bad-json'));
});

test('any JSON is read or refused, and never crashes', () => {
  const deep = `${'{"type":"GeometryCollection","geometries":['.repeat(500)}${']}'.repeat(500)}`;
  assert.deepEqual(parseGeoJson(deep), []);
  const geometry = fc.record({
    type: fc.constantFrom(
      'Polygon',
      'MultiPolygon',
      'LineString',
      'Feature',
      'FeatureCollection',
      'GeometryCollection',
    ),
    coordinates: fc.jsonValue(),
    geometry: fc.jsonValue(),
    features: fc.jsonValue(),
    geometries: fc.jsonValue(),
    properties: fc.jsonValue(),
  });
  fc.assert(
    fc.property(geometry, (value) => {
      try {
        parse(value);
      } catch (error) {
        assert.ok(error instanceof Refusal);
      }
    }),
  );
});
