import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeProjection } from '../../proj/index.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeRow } from '../shapes.ts';
import { readBytes } from '../testing/read-rows.ts';

const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [11, 48],
      [12, 48],
      [12, 49],
      [11, 48],
    ],
  ],
} as const;
const WKT = 'POLYGON((11 48,12 48,12 49,11 48))';

const placeOf = (row: ShapeRow | undefined): readonly number[] =>
  row?.geometry?.type === 'Point' ? row.geometry.coordinates : [];

test('values are strings as written, an empty cell is null; the shape is not a property', async () => {
  const rows = await readBytes(`\ufeffid,name,wkt\r\n007,"a ""b"", c\nd","${WKT}"\r\n\r\n8,,\r\n`);
  assert.deepEqual(rows, [
    { row: 1, id: null, properties: { id: '007', name: 'a "b", c\nd' }, geometry: SQUARE, fault: null },
    { row: 2, id: null, properties: { id: '8', name: null }, geometry: null, fault: null },
  ]);
});

test('the delimiter is detected', async () => {
  for (const delimiter of [';', '\t', '|'])
    assert.deepEqual((await readBytes(`id${delimiter}WKT\n1${delimiter}${WKT}\n`))[0]?.geometry, SQUARE);
});

test('shapes may be well-known text, GeoJSON, hexadecimal well-known binary or corners', async () => {
  const cells = [
    WKT,
    JSON.stringify(SQUARE).replaceAll('"', '""'),
    Buffer.from(toWkb(SQUARE)).toString('hex'),
    '11 48, 12 48, 12 49',
    '11,48;12,48;12,49;11,48',
    '11,48 12,48 12,49',
    '[[11,48],[12,48],[12,49]]',
    '[[[11,48],[12,48],[12,49],[11,48]]]',
  ];
  const rows = await readBytes(`geometry\n${cells.map((cell) => `"${cell}"`).join('\n')}`, 'csv');
  for (const { row, geometry, fault } of rows)
    assert.deepEqual([geometry, fault], [SQUARE, null], cells[row - 1]);
  assert.equal(rows.length, cells.length);
});

test('the shape column is found by its name or its first value; two columns are points', async () => {
  assert.deepEqual((await readBytes(`a;b\n1;${WKT}`))[0], {
    row: 1,
    id: null,
    fault: null,
    geometry: SQUARE,
    properties: { a: '1' },
  });
  const [point] = await readBytes('Lat,Lon,name\n48,11,x');
  assert.deepEqual(point?.geometry, { type: 'Point', coordinates: [11, 48] });
  await assert.rejects(readBytes('a,b\n1,2'), { code: 'no-shapes' });
  await assert.rejects(readBytes('a,b\n'), { code: 'no-shapes' });
  await assert.rejects(readBytes('a,b\n1,2,POINT(1 2)'), { code: 'no-shapes' });
});

test('the CRS of a cell is converted to longitude and latitude', async () => {
  const [x, y] = makeProjection(4326, 25833).forward(13, 51);
  const [row, unknown, next] = await readBytes(
    `wkt\nSRID=25833;POINT(${x} ${y})\nSRID=9999;POINT(1 2)\nPOINT(1 2)`,
  );
  const [lon, lat] = placeOf(row);
  assert.ok(Math.abs(lon! - 13) < 1e-9 && Math.abs(lat! - 51) < 1e-9);
  assert.match(unknown?.fault ?? '', /EPSG:9999 is unknown/);
  assert.deepEqual(next?.geometry, { type: 'Point', coordinates: [1, 2] });
});

test('a row that cannot be read has a fault, and later rows are read', async () => {
  const rows = await readBytes(`id,wkt\n1,POLYGON((\n2\n3,hello\n4,1 2 3\n5,"${WKT}"\n6,"POINT(`, 'csv');
  assert.deepEqual(
    rows.map(({ properties, fault }) => [properties.id ?? null, fault]),
    [
      ['1', 'The well-known text ends too early.'],
      [null, 'The row has 1 values where the header has 2.'],
      ['3', "'HELLO' of well-known text is not read."],
      ['4', 'The shape is neither well-known text nor a list of longitudes and latitudes.'],
      ['5', null],
      [null, 'A quote is opened in this row and never closed.'],
    ],
  );
});

test('long rows and many columns are limited; old code pages are read', async () => {
  const limits = { maxRowBytes: 100, maxColumns: 3 };
  const [long, next] = await readBytes(`wkt\n"${'x'.repeat(1_000)}"\nPOINT(1 2)`, 'csv', limits);
  assert.equal(long?.fault, 'The row is too long.');
  assert.equal(next?.fault, null);
  await assert.rejects(readBytes('a,b,c,wkt\n', 'csv', limits), { code: 'too-many-columns' });
  await assert.rejects(readBytes('', 'csv'), { code: 'bad-shape-file' });
  const [old] = await readBytes(Buffer.from('name,wkt\nM\u00fcller,POINT(1 2)\n', 'latin1'));
  assert.equal(old?.properties.name, 'Müller');
});

test('columns with the same name or without one get unique names', async () => {
  const [row] = await readBytes('a,a,,wkt\n1,2,3,POINT(1 2)');
  assert.deepEqual(row?.properties, { a: '1', a_2: '2', column_3: '3' });
});

test('any table is read as it was written', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (cells) => {
      const lines = cells.map((text) => `"${text.replaceAll('"', '""')}",POINT(1 2)`);
      const rows = await readBytes(`name,wkt\n${lines.join('\n')}`, 'csv');
      assert.deepEqual(
        rows.map(({ properties }) => properties.name),
        cells.map((text) => (text.trim() === '' ? null : text)),
      );
    }),
    { numRuns: 50 },
  );
});
