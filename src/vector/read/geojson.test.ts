import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeProjection } from '../../proj/index.ts';
import type { ShapeRow } from '../shapes.ts';
import { anyShape } from '../testing/any-shape.ts';
import { readBytes } from '../testing/read-rows.ts';
import type { JsonPart } from './cut-features.ts';
import { FeatureCutter } from './cut-features.ts';

const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates });
const feature = (geometry: unknown, rest: object = {}) => ({
  type: 'Feature',
  properties: {},
  geometry,
  ...rest,
});
const collection = (features: readonly unknown[], before: object = {}, after: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...before, features, ...after });
const faultsOf = async (features: readonly unknown[], limits = {}) =>
  (await readBytes(collection(features), null, limits)).map(({ fault }) => fault);

const placeOf = (row: ShapeRow | undefined): readonly number[] =>
  row?.geometry?.type === 'Point' ? row.geometry.coordinates : [];

test('features come with their number, id, geometry and properties', async () => {
  const properties = {
    name: 'Acker "Ä" }]',
    ha: 2.5,
    ok: true,
    none: null,
    list: [1, { a: 2 }],
    ['__proto__']: 'x',
  };
  const text = collection([
    feature(point(11, 48), { id: 7, properties }),
    feature(null, { id: 'b', properties: null }),
  ]);
  const [first, second, ...others] = await readBytes(`\ufeff ${text}\n`);
  assert.deepEqual(others, []);
  assert.deepEqual(
    Object.entries(first!.properties),
    Object.entries({ ...properties, list: '[1,{"a":2}]', ['__proto__']: 'x' }),
  );
  assert.deepEqual([first!.row, first!.id, first!.geometry, first!.fault], [1, '7', point(11, 48), null]);
  assert.deepEqual(second, { row: 2, id: 'b', geometry: null, properties: {}, fault: null });
});

test('the parts of a document are the same however its bytes are split', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.array(json, { maxLength: 5 }),
      json,
      fc.nat(40),
      fc.boolean(),
      (features, other, size, isPretty) => {
        const document = { type: 'FeatureCollection', '': other, other, features, crs: other };
        const text = Buffer.from(JSON.stringify(document, null, isPretty ? 2 : 0));
        const cutter = new FeatureCutter(1e6);
        const parts: (JsonPart | null)[] = [];
        for (let at = 0; at < text.length; at += size + 1)
          parts.push(...cutter.push(text.subarray(at, at + size + 1)));
        const read = parts.map((part) => [part?.member, JSON.parse(part!.text!.toString())]);
        const wanted = JSON.parse(JSON.stringify(features)) as unknown[];
        assert.deepEqual(read, [
          ['type', 'FeatureCollection'],
          ...wanted.map((value) => [null, value]),
          ['crs', JSON.parse(JSON.stringify(other))],
        ]);
        assert.ok(cutter.isComplete);
      },
    ),
  );
});

test('geometries of every type are read unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyShape, { maxLength: 5 }), async (shapes) => {
      const rows = await readBytes(collection(shapes.map((shape) => feature(shape))));
      assert.deepEqual(
        rows.map(({ geometry }) => geometry),
        JSON.parse(JSON.stringify(shapes)),
      );
    }),
    { numRuns: 30 },
  );
});

test('a feature or a geometry alone is one row', async () => {
  const [row] = await readBytes(JSON.stringify(feature(point(1, 2), { id: 'a' })));
  assert.deepEqual([row?.id, row?.geometry], ['a', point(1, 2)]);
  const [bare] = await readBytes(JSON.stringify(point(1, 2)));
  assert.deepEqual(bare?.geometry, point(1, 2));
  assert.deepEqual(await readBytes(collection([])), []);
});

test('lines of features are read, with record separators too', async () => {
  const lines = [feature(point(1, 2)), feature(point(3, 4))].map((one) => JSON.stringify(one));
  for (const text of [
    lines.join('\n'),
    `${lines.join('\r\n\r\n')}\n`,
    lines.map((one) => `\x1e${one}\n`).join(''),
  ]) {
    const rows = await readBytes(text);
    assert.deepEqual(
      rows.map(({ row, geometry }) => [row, geometry]),
      [
        [1, point(1, 2)],
        [2, point(3, 4)],
      ],
    );
  }
  const [first, second] = await readBytes(`${JSON.stringify(point(1, 2))}\nnot json\n`);
  assert.deepEqual([first?.geometry, second?.fault], [point(1, 2), 'The row is not valid JSON.']);
});

test('a row that cannot be read has a fault, and later rows are read', async () => {
  const faults = await faultsOf([
    7,
    { type: 'Feature' },
    { type: 'Polygon', coordinates: [] },
    feature({ type: 'Circle', coordinates: [] }),
    feature({ type: 'Polygon', coordinates: [1, 2] }),
    feature({ type: 'Polygon', coordinates: [[['1', '2']]] }),
    feature(point(null, 1)),
    feature({ type: 'GeometryCollection' }),
    feature('POINT(1 2)'),
    feature(point(1, 2)),
  ]);
  assert.deepEqual(faults, [
    'The row is not a feature.',
    null,
    null,
    "'Circle' is not a geometry type of GeoJSON.",
    'The coordinates are not nested as the type requires.',
    'Position 1 is not two finite numbers.',
    'Position 1 is not two finite numbers.',
    'The geometry collection has no list of geometries.',
    'The geometry has no type.',
    null,
  ]);
});

test('heights are dropped; positions outside the world and swapped ones are accepted', async () => {
  const [high, far] = await readBytes(collection([feature(point(1, 2, 300)), feature(point(52, 1e6))]));
  assert.deepEqual([high?.geometry, far?.geometry], [point(1, 2), point(52, 1e6)]);
  const [infinite] = await readBytes(
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1e999,1]}}]}',
  );
  assert.match(infinite?.fault ?? '', /not two finite numbers/);
});

test('shapes and rows beyond their limits are faults', async () => {
  const line = { type: 'LineString', coordinates: Array.from({ length: 5 }, (_, i) => [i, i]) };
  const nested = { type: 'MultiPolygon', coordinates: Array.from({ length: 5 }, () => [[]]) };
  assert.deepEqual(
    await faultsOf([feature(line), feature(nested), feature(point(1, 2))], { maxVertices: 4 }),
    ['The shape has more than 4 vertices.', 'The shape has more than 4 vertices.', null],
  );
  const long = feature(point(1, 2), { properties: { text: 'x'.repeat(1_000) } });
  assert.deepEqual(await faultsOf([long, feature(point(1, 2))], { maxRowBytes: 200 }), [
    'The row has more than 200 bytes.',
    null,
  ]);
});

test('files beyond their limits are refused', async () => {
  const text = collection([feature(point(1, 2)), feature(point(1, 2))]);
  await assert.rejects(readBytes(text, null, { maxBytes: 10 }), { code: 'shape-file-too-large' });
  await assert.rejects(readBytes(text, null, { maxRows: 1 }), { code: 'too-many-rows' });
});

test('a crs in the file is converted to longitude and latitude', async () => {
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } };
  const [x, y] = makeProjection(4326, 25833).forward(13, 51);
  const [row] = await readBytes(collection([feature(point(x, y))], { crs }));
  const [lon, lat] = placeOf(row);
  assert.ok(Math.abs(lon! - 13) < 1e-9 && Math.abs(lat! - 51) < 1e-9, `${lon} ${lat}`);
  const crs84 = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } };
  const [same] = await readBytes(collection([feature(point(13.1, 51.2))], {}, { crs: crs84 }));
  assert.deepEqual(same?.geometry, point(13.1, 51.2));
  await assert.rejects(readBytes(collection([feature(point(x, y))], {}, { crs })), {
    message: /'crs' must come before/,
  });
  const unknown = { type: 'name', properties: { name: 'EPSG:9999' } };
  await assert.rejects(readBytes(collection([], { crs: unknown })), { code: 'shape-crs' });
  await assert.rejects(readBytes(collection([], { crs: { type: 'link' } })), { code: 'shape-crs' });
});

test('a file that is not GeoJSON is refused', async () => {
  for (const text of [
    '{',
    '{"type":"FeatureCollection","features":[',
    '{"a":1}',
    '{"features":[}]}',
    '{"type":1}',
    '{} {}',
    '[1]',
  ])
    await assert.rejects(readBytes(text, 'geojson'), { tag: 'bad-input', code: 'bad-shape-file' }, text);
  const deep = `{"type":"FeatureCollection","features":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
  const [row] = await readBytes(deep);
  assert.equal(row?.fault, 'The row is not a feature.');
});

test('any string gives rows or a refusal', async () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', '"', ',', ':', '\\', '"type"', '"features"', '"Feature"', '1', ' ', '\n'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 40 }), async (tokens) => {
      try {
        await readBytes(`{${tokens.join('')}`, 'geojson');
      } catch (error) {
        assert.equal((error as { tag?: string }).tag, 'bad-input', String(error));
      }
    }),
  );
});
