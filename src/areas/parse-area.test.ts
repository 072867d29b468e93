import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLat } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { areaLimits, parseArea } from './parse-area.ts';

type Corner = readonly unknown[];
const closed = (...corners: Corner[]): Corner[] => [...corners, corners[0]!];
const box = (west: number, south: number, east: number, north: number): Corner[] =>
  closed([west, south], [east, south], [east, north], [west, north]);
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });
const many = (...polygons: unknown[]) => ({ type: 'MultiPolygon', coordinates: polygons });
const feature = (geometry: unknown, more: object = {}) => ({
  type: 'Feature',
  properties: {},
  geometry,
  ...more,
});

const refused = (untrusted: unknown, rule: string, words: RegExp, kind: string): void =>
  assert.throws(
    () => parseArea(untrusted),
    (error: Error & { code: string; tag: string; details: { kind: string } }) => {
      assert.deepEqual([error.tag, error.code, error.details.kind], ['unsupported', `area-${rule}`, kind]);
      assert.match(error.message, words);
      return true;
    },
  );

test('a feature, a feature without properties, an object with a geometry and a geometry are all areas', () => {
  const geometry = polygon(box(2, 42, 3, 43));
  for (const sent of [
    feature(geometry),
    { type: 'Feature', geometry },
    { geometry },
    geometry,
    feature(geometry, { properties: null }),
  ]) {
    const area = parseArea(sent);
    assert.deepEqual(area.feature, { type: 'Feature', properties: {}, geometry });
    assert.deepEqual(area.geometry, { type: 'MultiPolygon', coordinates: [[box(2, 42, 3, 43)]] });
  }
});

test('properties are stored as they were sent, up to a limit, and never interpreted', () => {
  const properties = JSON.parse('{"name": "Föld", "__proto__": {"x": 1}, "constructor": null}') as object;
  const area = parseArea(feature(polygon(box(0, 0, 1, 1)), { properties }));
  assert.equal(JSON.stringify(area.feature.properties), JSON.stringify(properties));
  const filled = (length: number) =>
    feature(polygon(box(0, 0, 1, 1)), { properties: { x: 'x'.repeat(length) } });
  const frame = JSON.stringify({ x: '' }).length;
  parseArea(filled(areaLimits.propertiesBytes - frame));
  refused(filled(areaLimits.propertiesBytes - frame + 1), 'properties', /16384 bytes/, 'too-large');
  refused(feature(polygon(box(0, 0, 1, 1)), { properties: [] }), 'properties', /JSON object/, 'malformed');
});

test('the numbers of positions, rings and polygons are checked before anything is built from them', () => {
  const round = (count: number): Corner[] =>
    closed(
      ...Array.from({ length: count - 1 }, (_, i) => [
        Math.cos((6.283 * i) / count),
        Math.sin((6.283 * i) / count),
      ]),
    );
  parseArea(polygon(round(areaLimits.vertices)));
  refused(polygon(round(areaLimits.vertices + 1)), 'vertices', /more than 10000 positions/, 'too-large');
  const halves = [round(5001), round(5001)].map((ring, i) => [
    ring.map(([lon, lat]) => [(lon as number) + 3 * i, lat]),
  ]);
  refused(many(...halves), 'vertices', /more than 10000 positions/, 'too-large');
  const boxes = (count: number) => Array.from({ length: count }, (_, i) => box(i, 0, i + 0.5, 0.5));
  const holed = (count: number) => polygon(box(-1, -1, 120, 2), ...boxes(count));
  parseArea(holed(areaLimits.rings - 1));
  refused(holed(areaLimits.rings), 'rings', /more than 100 rings/, 'too-large');
  parseArea(many(...boxes(areaLimits.polygons).map((ring) => [ring])));
  refused(
    many(...boxes(areaLimits.polygons + 1).map((ring) => [ring])),
    'polygons',
    /more than 20 polygons/,
    'too-large',
  );
  const spread = Array.from({ length: 11 }, (_, i) => [
    box(0, 10 * i - 80, 120, 10 * i - 75),
    ...boxes(10).map((ring) => ring.map(([x, y]) => [x, (y as number) + 10 * i - 79])),
  ]);
  refused(many(...spread), 'rings', /more than 100 rings/, 'too-large');
});

test('the error names an invalid position by its index', () => {
  const wrong: unknown[] = [
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    ['1', '2'],
    [1],
    [],
    null,
    7,
    [1, 2, 3, 4, 5],
    [1, null],
    [1, 2, 'z'],
    { 0: 1, 1: 2 },
    [[1, 2]],
    [true, 1],
  ];
  for (const position of wrong) {
    const ring = closed([0, 0], [1, 0], position as Corner, [0, 1]);
    refused(polygon(ring), 'position', /ring 1, position 3 is not \[longitude, latitude\]/, 'malformed');
  }
  refused(polygon(closed([0, 0], [1, 0], [1, 1e308])), 'range', /position 3 lies outside/, 'malformed');
  refused(polygon(closed([0, 0], [541, 0], [1, 1])), 'range', /±540 .* longitude comes first/, 'malformed');
  refused(polygon(closed([0, 0], [1, 0], [1, 90.1])), 'range', /latitudes ±90/, 'malformed');
  refused(
    many([box(0, 0, 1, 1)], [box(2, 0, 3, 1), closed([0, 0], [1, 'x'])]),
    'position',
    /polygon 2, ring 2, position 2/,
    'malformed',
  );
});

test('an open ring is closed, in the area and in the feature', () => {
  const open = box(0, 0, 1, 1).slice(0, -1);
  assert.deepEqual(parseArea(polygon(open)), parseArea(polygon(box(0, 0, 1, 1))));
  assert.deepEqual(parseArea(many([open])), parseArea(many([box(0, 0, 1, 1)])));
});

test('short or empty rings are refused', () => {
  refused(
    polygon([
      [0, 0],
      [1, 0],
      [0, 0],
    ]),
    'ring-short',
    /fewer than four/,
    'malformed',
  );
  refused(polygon(closed([1, 1], [1, 1], [1, 1], [1, 1])), 'ring-short', /fewer than four/, 'malformed');
  refused(polygon(closed([0, 0], [1e-300, 0], [0, 1e-320])), 'ring-short', /fewer than four/, 'malformed');
  refused(polygon(), 'rings-missing', /lacks its list of rings/, 'malformed');
  refused(polygon([]), 'positions-missing', /ring 1 lacks/, 'malformed');
  refused(many(), 'polygons-missing', /polygons/, 'malformed');
  refused(many([]), 'rings-missing', /rings/, 'malformed');
  for (const coordinates of [undefined, null, 5, 'x', {}]) {
    refused({ type: 'Polygon', coordinates }, 'rings-missing', /rings/, 'malformed');
  }
});

test('invalid rings are refused with the broken rule, never repaired', () => {
  refused(
    polygon(closed([0, 0], [1, 1], [1, 0], [0, 1])),
    'self-crossing',
    /ring 1 crosses itself, near \[0\.5, 0\.5\]/,
    'invalid',
  );
  refused(polygon(closed([0, 0], [1, 0], [2, 0])), 'no-area', /encloses nothing/, 'invalid');
  refused(polygon(closed([0, 0], [1, 0], [1, 1], [1, 0.5])), 'spike', /turns back onto itself/, 'invalid');
  refused(polygon(box(0, 0, 2, 2), box(5, 5, 6, 6)), 'hole-outside', /ring 2 is a hole outside/, 'invalid');
  refused(polygon(box(0, 0, 2, 2), box(1, 1, 3, 3)), 'rings-cross', /ring 2 crosses another/, 'invalid');
  refused(
    many([box(0, 0, 2, 2)], [box(1, 1, 3, 3)]),
    'polygons-overlap',
    /polygon 2 covers ground/,
    'invalid',
  );
  refused(many([box(179, 0, 181, 2)], [box(-179.5, 1, -178, 3)]), 'polygons-overlap', /polygon 2/, 'invalid');
});

test('duplicate positions, exponents, heights and direction do not matter', () => {
  const plain = parseArea(polygon(box(0, 0, 10, 10), box(2, 2, 4, 4))).geometry;
  const odd = polygon(
    closed([1e1, 1e1, 300], [1e1, 1e1, 301], [10, 0], [-0, 0, 5], [0, 0], [0, 10]),
    closed([4, 4], [2, 4], [2, 2], [4, 2], [4, 2]),
  );
  assert.deepEqual(parseArea(odd).geometry, plain);
  const [outer, hole] = plain.coordinates[0]!;
  assert.deepEqual(outer, box(0, 0, 10, 10), 'counter-clockwise, begun in the south-west');
  assert.deepEqual(hole, closed([2, 2], [2, 4], [4, 4], [4, 2]), 'clockwise');
});

test('an area is cut at the antimeridian, however it is written', () => {
  const wanted = parseArea(many([box(179, -1, 180, 1)], [box(-180, -1, -179, 1)])).geometry;
  for (const ring of [
    box(179, -1, 181, 1),
    box(-181, -1, -179, 1),
    box(539, -1, 540, 1).map(([lon, lat]) => [lon === 540 ? 541 - 360 : lon, lat]),
    closed([179, -1], [-179, -1], [-179, 1], [179, 1]),
  ]) {
    assert.deepEqual(parseArea(polygon(ring)).geometry, wanted, JSON.stringify(ring));
  }
  const holed = parseArea(polygon(box(178, -2, 182, 2), closed([179, -1], [-179, -1], [-179, 1], [179, 1])));
  assert.equal(holed.geometry.coordinates.length, 2);
});

test('an area shifted by 360° is the same area', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -180, max: 179 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 3, maxLength: 12 }),
      (lon, radii) => {
        const around = (turn: number) =>
          closed(
            ...radii.map((radius, i) => {
              const angle = (2 * Math.PI * i) / radii.length;
              const at = Math.round((lon + radius * Math.cos(angle)) * 1024) / 1024;
              return [at + 360 * turn, Math.round(radius * Math.sin(angle) * 1024) / 1024];
            }),
          );
        const wanted = parseArea(polygon(around(0))).geometry;
        for (const turn of [-1, 1]) {
          const moved = around(turn);
          if (moved.every(([at]) => Math.abs(at as number) <= 540)) {
            assert.deepEqual(parseArea(polygon(moved)).geometry, wanted);
          }
        }
      },
    ),
  );
});

test('an area around a pole is refused, unless it is closed over the pole', () => {
  refused(
    polygon(closed([-120, 80], [0, 80], [120, 80])),
    'round-pole',
    /ring 1 goes round the globe.*antimeridian/,
    'invalid',
  );
  const belt = [-300, -150, 0, 150, 300].map((lon) => [lon, 0]);
  const wide = polygon(closed(...belt, ...belt.toReversed().map(([lon]) => [lon, 5])));
  refused(wide, 'round-pole', /globe/, 'invalid');
  const cap = closed([-180, -90], [180, -90], [180, -70], [90, -75], [0, -70], [-90, -75], [-180, -70]);
  assert.equal(parseArea(polygon(cap)).geometry.coordinates.length, 1);
  const world: LonLat[] = [
    [-180, -90],
    [180, -90],
    [180, 90],
    [-180, 90],
    [-180, -90],
  ];
  assert.deepEqual(parseArea(polygon(world)).geometry.coordinates, [[world]]);
});

test('other types are refused, however deep', () => {
  const deep = Array.from({ length: 30 }).reduce<unknown>(
    (inner) => ({ type: 'GeometryCollection', geometries: [inner] }),
    polygon(box(0, 0, 1, 1)),
  );
  refused(deep, 'type', /Polygon or MultiPolygon/, 'type');
  refused(feature(deep), 'type', /Polygon or MultiPolygon/, 'type');
  for (const type of ['Point', 'LineString', 'polygon', 5, null, { toString: 1 }]) {
    refused({ type, coordinates: [0, 0], features: [] }, 'type', /Feature/, 'type');
    refused(feature({ type, coordinates: [0, 0] }), 'type', /Polygon/, 'type');
  }
  for (const nothing of [null, undefined, 5, 'Polygon', [], true])
    refused(nothing, 'not-feature', /Feature/, 'malformed');
  refused({}, 'geometry-missing', /lacks its geometry/, 'malformed');
  refused(feature(null), 'geometry-missing', /lacks its geometry/, 'malformed');
});

test('a crs member is ignored and not stored', () => {
  const crs = { type: 'link', properties: { href: 'http://127.0.0.1/steal' } };
  const area = parseArea(feature({ ...polygon(box(0, 0, 1, 1)), crs }, { crs, bbox: [9, 9, 9, 9], id: 3 }));
  assert.equal(JSON.stringify(area).includes('crs'), false);
  assert.deepEqual(Object.keys(area.feature), ['type', 'properties', 'geometry']);
});

test('any JSON is accepted or refused with a sentence', () => {
  const names = fc.constantFrom('type', 'geometry', 'coordinates', 'properties', '__proto__');
  const words = fc.constantFrom('Feature', 'Polygon', 'MultiPolygon', 'Point');
  const corner = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(corner, { maxLength: 8 }).map((corners) => (corners.length > 0 ? closed(...corners) : [])),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const rings = fc.array(
    fc.array(corner, { minLength: 3, maxLength: 7 }).map((corners) => closed(...corners)),
    { minLength: 1, maxLength: 3 },
  );
  const anything = fc.oneof(
    value,
    rings.map((list) => polygon(...list)),
    fc.array(rings, { minLength: 1, maxLength: 3 }).map((list) => many(...list)),
  );
  fc.assert(
    fc.property(anything, (untrusted) => {
      try {
        parseArea(untrusted);
      } catch (error) {
        assert.match((error as { code?: string }).code ?? String(error), /^area-/);
      }
    }),
    { numRuns: casesOf(3000) },
  );
});
