import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeArchive } from '../testing/archive.ts';
import { readBytes } from '../testing/read-rows.ts';

const kml = (...placemarks: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>x</name><Folder>${placemarks.join('\n')}</Folder></Document></kml>`;
const placemark = (content: string): string => `<Placemark>${content}</Placemark>`;
const RING =
  '<LinearRing><coordinates> 11,48,500 12,48,500\n12, 49,500 11,48,500 </coordinates></LinearRing>';
const POLYGON = `<Polygon><outerBoundaryIs>${RING}</outerBoundaryIs></Polygon>`;
const SQUARE = [
  [
    [11, 48],
    [12, 48],
    [12, 49],
    [11, 48],
  ],
];

test('placemarks come with their id, shape and data', async () => {
  const data =
    '<ExtendedData><Data name="crop"><value>wheat</value></Data><SchemaData><SimpleData name="ha">2.5</SimpleData><SimpleData name="none"/></SchemaData></ExtendedData>';
  const rows = await readBytes(
    kml(
      `<Placemark id="a"><name>Feld &amp; Ä</name><description><![CDATA[<b>x</b></Placemark>]]></description>${data}${POLYGON}</Placemark>`,
      '<!-- <Placemark><name>comment</name></Placemark> -->',
      placemark('<name>bare</name><TimeStamp><when>2024-05-01</when></TimeStamp>'),
    ),
  );
  assert.deepEqual(rows, [
    {
      row: 1,
      id: 'a',
      geometry: { type: 'Polygon', coordinates: SQUARE },
      properties: {
        name: 'Feld & Ä',
        description: '<b>x</b></Placemark>',
        crop: 'wheat',
        ha: '2.5',
        none: null,
      },
      fault: null,
    },
    { row: 2, id: null, geometry: null, properties: { name: 'bare', when: '2024-05-01' }, fault: null },
  ]);
});

test('holes, points, lines and multi-geometries are read', async () => {
  const hole = POLYGON.replace('</Polygon>', `<innerBoundaryIs>${RING}</innerBoundaryIs></Polygon>`);
  const point = '<Point><coordinates>11,48</coordinates></Point>';
  const line = '<LineString><coordinates>11,48 12,49</coordinates></LineString>';
  const shapes = [
    hole,
    point,
    line,
    `<MultiGeometry>${POLYGON}${POLYGON}</MultiGeometry>`,
    `<MultiGeometry>${point}<MultiGeometry>${line}</MultiGeometry></MultiGeometry>`,
    '<Polygon/>',
    '<Point><coordinates/></Point>',
  ];
  const rows = await readBytes(kml(...shapes.map(placemark)));
  const ends = [
    [11, 48],
    [12, 49],
  ];
  assert.deepEqual(
    rows.map(({ geometry }) => geometry),
    [
      { type: 'Polygon', coordinates: [SQUARE[0], SQUARE[0]] },
      { type: 'Point', coordinates: [11, 48] },
      { type: 'LineString', coordinates: ends },
      { type: 'MultiPolygon', coordinates: [SQUARE, SQUARE] },
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [11, 48] },
          { type: 'MultiLineString', coordinates: [ends] },
        ],
      },
      { type: 'Polygon', coordinates: [] },
      { type: 'Point', coordinates: [] },
    ],
  );
});

test('a placemark that cannot be read has a fault, and the others are read', async () => {
  const nested = `${'<MultiGeometry>'.repeat(9)}${'</MultiGeometry>'.repeat(9)}`;
  const rows = await readBytes(
    kml(
      placemark('<Point><coordinates>11</coordinates></Point>'),
      placemark('<Point><coordinates>x,NaN</coordinates></Point>'),
      placemark('<Model/>'),
      placemark(nested),
      placemark('<name>&unknown;</name>'),
      placemark(POLYGON),
    ),
  );
  assert.deepEqual(
    rows.map(({ fault }) => fault),
    [
      'Position 1 is not two finite numbers.',
      'Position 1 is not two finite numbers.',
      'A <Model> of KML is not read.',
      'Geometries are nested too deeply.',
      'The placemark cannot be read: it is not well-formed XML.',
      null,
    ],
  );
});

test('KMZ is read, whichever file is first', async () => {
  for (const files of [
    { 'doc.kml': kml(placemark(POLYGON)) },
    { 'icon.png': 'x', 'doc.kml': kml(placemark(POLYGON)) },
  ])
    assert.equal((await readBytes(await makeArchive(files)))[0]?.geometry?.type, 'Polygon');
  await assert.rejects(readBytes(await makeArchive({ 'a.txt': 'x' }), 'kml'), { message: /no \.kml file/ });
  const bomb = await makeArchive({ 'doc.kml': Buffer.alloc(1_000_000, 0x20) });
  await assert.rejects(readBytes(bomb, null, { maxUnpackedBytes: 10_000 }), { code: 'shape-file-too-large' });
});

test('a million blanks between two positions cost no more than a million characters', async () => {
  const line = `<LineString><coordinates>1,2${' '.repeat(1_000_000)}3,4</coordinates></LineString>`;
  const [row] = await readBytes(kml(placemark(line)));
  assert.deepEqual(row?.geometry, {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  });
});

test('limits apply, and entities are refused', async () => {
  const limits = { maxVertices: 3, maxRowBytes: 300 };
  const rows = await readBytes(
    kml(placemark(POLYGON), placemark(`<name>${'x'.repeat(400)}</name>`)),
    null,
    limits,
  );
  assert.match(rows[0]?.fault ?? '', /more than 3 vertices/);
  assert.match(rows[1]?.fault ?? '', /more than 300 bytes/);
  const entity = kml(placemark('<name>&x;</name>')).replace('<kml', '<!DOCTYPE kml [<!ENTITY x "y">]><kml');
  await assert.rejects(readBytes(entity), { code: 'bad-shape-file', message: /document type/ });
});

test('a file that is not KML is refused', async () => {
  for (const text of ['<html></html>', '<kml>', '<kml><Placemark></kml>', '<', '<kml></kml><kml></kml>'])
    await assert.rejects(readBytes(text), { tag: 'bad-input', code: 'bad-shape-file' }, text);
});

test('truncated and damaged documents give rows or a refusal', async () => {
  const bytes = Buffer.from(kml(placemark(POLYGON), placemark(POLYGON)));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.constantFrom(...'<>/"&! a'),
      fc.boolean(),
      async (at, value, isCut) => {
        const copy = Buffer.from(bytes);
        copy.write(value, at);
        try {
          await readBytes(isCut ? copy.subarray(0, at) : copy, 'kml');
        } catch (error) {
          assert.equal((error as { tag?: string }).tag, 'bad-input', String(error));
        }
      },
    ),
    { numRuns: 200 },
  );
});
