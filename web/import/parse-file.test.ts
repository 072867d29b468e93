import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import type { Position, Shape } from '../shapes/shape.ts';
import { readFile } from './parse-file.ts';
import type { RefusalReason } from './refusal.ts';
import { MAX_FILE_BYTES, MAX_FILE_POSITIONS, Refusal } from './refusal.ts';

const [LINE, POLYGON, POINT] = [3, 5, 1];

/** A `.shp` of records, as the technical description lays it out. */
const makeShp = (type: number, records: readonly (readonly (readonly Position[])[])[]): Uint8Array => {
  const bodies = records.map((parts) => {
    const points = parts.flat();
    const view = new DataView(new ArrayBuffer(44 + parts.length * 4 + points.length * 16));
    view.setInt32(0, type, true);
    view.setInt32(36, parts.length, true);
    view.setInt32(40, points.length, true);
    let start = 0;
    parts.forEach((part, i) => {
      view.setInt32(44 + i * 4, start, true);
      start += part.length;
    });
    points.forEach(([x, y], i) => {
      view.setFloat64(44 + parts.length * 4 + i * 16, x, true);
      view.setFloat64(52 + parts.length * 4 + i * 16, y, true);
    });
    return view;
  });
  const bytes = new Uint8Array(100 + bodies.reduce((sum, body) => sum + 8 + body.byteLength, 0));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  view.setInt32(32, type, true);
  let at = 100;
  bodies.forEach((body, i) => {
    view.setInt32(at, i + 1);
    view.setInt32(at + 4, body.byteLength / 2);
    bytes.set(new Uint8Array(body.buffer), at + 8);
    at += 8 + body.byteLength;
  });
  return bytes;
};

/** A table with one text field. */
const makeDbf = (field: string, values: readonly Uint8Array[], width = 16): Uint8Array => {
  const bytes = new Uint8Array(65 + values.length * (1 + width)).fill(0x20);
  bytes.fill(0, 0, 64);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, values.length, true);
  view.setUint16(8, 65, true);
  view.setUint16(10, 1 + width, true);
  bytes.set(strToU8(field), 32);
  bytes[43] = 'C'.charCodeAt(0);
  bytes[48] = width;
  bytes[64] = 0x0d;
  for (const [i, value] of values.entries()) bytes.set(value, 65 + i * (1 + width) + 1);
  return bytes;
};

const PRJ = strToU8(
  'PROJCS["WGS_1984_UTM_Zone_10N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-123.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
);
/** Clockwise, as outer rings are. */
const OUTER: readonly Position[] = [
  [500_000, 5_300_000],
  [500_000, 5_301_000],
  [501_000, 5_301_000],
  [501_000, 5_300_000],
  [500_000, 5_300_000],
];
const HOLE: readonly Position[] = [
  [500_200, 5_300_200],
  [500_400, 5_300_200],
  [500_400, 5_300_400],
  [500_200, 5_300_200],
];
const FAR = OUTER.map(([x, y]): Position => [x + 5000, y]);
const DEGREES = OUTER.map(([x, y]): Position => [(x - 500_000) / 1000, (y - 5_300_000) / 1000]);

const KML: readonly Shape[] = [
  {
    kind: 'line',
    positions: [
      [0, 0],
      [1, 1],
    ],
    name: 'from KML',
  },
];
const parseFileOf = (bytes: Uint8Array): readonly Shape[] => readFile(bytes, () => KML);

const refusalOf = (bytes: Uint8Array): RefusalReason | null => {
  try {
    parseFileOf(bytes);
    return null;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.reason;
  }
};

test('a zipped Shapefile in UTM gives its areas, with holes, parts and names', () => {
  const shp = makeShp(POLYGON, [[OUTER, HOLE, FAR], [FAR]]);
  const dbf = makeDbf('FieldName', [strToU8('Nord'), new Uint8Array([0xd6, 0x73, 0x74])]);
  const zip = zipSync({
    'data/a.shp': shp,
    'data/a.prj': PRJ,
    'data/a.dbf': dbf,
    'data/a.cpg': strToU8('ISO-8859-1'),
  });
  const [first, second] = parseFileOf(zip) as [Shape, Shape];
  assert.deepEqual([first.name, second.name], ['Nord', 'Öst']);
  assert.ok(first.kind === 'area' && first.outline.type === 'MultiPolygon');
  assert.deepEqual(
    first.outline.coordinates.map((rings) => rings.length),
    [2, 1],
  );
  // gdaltransform -s_srs EPSG:32610 -t_srs EPSG:4326: the central meridian is at 500 km.
  assert.deepEqual(first.outline.coordinates[0]?.[0]?.[0], [-123, 47.853342]);
});

test('lines are read too; points and empty records are skipped', () => {
  const lines = zipSync({ 'a.SHP': makeShp(LINE, [[DEGREES.slice(0, 2)], [DEGREES]]) });
  assert.deepEqual(
    parseFileOf(lines).map(({ kind }) => kind),
    ['line', 'line'],
  );
  assert.deepEqual(parseFileOf(zipSync({ 'a.shp': makeShp(POINT, [[DEGREES]]) })), []);
});

test('without a CRS degrees are accepted, and metres are refused', () => {
  assert.equal(parseFileOf(zipSync({ 'a.shp': makeShp(POLYGON, [[DEGREES]]) })).length, 1);
  assert.equal(refusalOf(zipSync({ 'a.shp': makeShp(POLYGON, [[OUTER]]) })), 'not-degrees');
});

test('KML is read plain and zipped, GeoJSON too', () => {
  const [kml, json] = [strToU8('\ufeff<kml/>'), strToU8('{"type":"LineString","coordinates":[[0,0],[1,1]]}')];
  assert.equal(parseFileOf(kml), KML);
  assert.deepEqual(parseFileOf(zipSync({ 'doc.kml': kml, '__MACOSX/._doc.kml': kml })), KML);
  assert.equal(parseFileOf(zipSync({ 'a.geojson': json, 'b.kml': kml })).length, 2);
});

test('each kind of invalid file has its own reason', () => {
  const shp = makeShp(POLYGON, [[OUTER]]);
  assert.equal(refusalOf(new Uint8Array(MAX_FILE_BYTES + 1)), 'too-large');
  assert.equal(refusalOf(zipSync({ 'a.shp': new Uint8Array(100_000_001) }, { level: 1 })), 'too-large');
  assert.equal(refusalOf(shp), 'lone-shp');
  assert.equal(refusalOf(strToU8('PK but no archive')), 'bad-zip');
  assert.equal(refusalOf(zipSync({ 'readme.txt': strToU8('x') })), 'empty-zip');
  assert.equal(refusalOf(zipSync({ 'a.shp': shp.subarray(0, 150) })), 'bad-shapefile');
  assert.equal(refusalOf(zipSync({ 'a.shp': shp, 'a.prj': strToU8('LOCAL_CS["x"]') })), 'projection');
  assert.equal(refusalOf(strToU8('name;lat;lon')), 'unknown-format');
  assert.equal(refusalOf(new Uint8Array()), 'unknown-format');
});

test('a record that promises more points than it has is refused before it is parsed', () => {
  const shp = makeShp(POLYGON, [[OUTER]]);
  for (const at of [136, 140]) {
    const broken = shp.slice();
    new DataView(broken.buffer).setInt32(at + 8, 0x7fffffff, true);
    assert.equal(refusalOf(zipSync({ 'a.shp': broken })), 'bad-shapefile');
  }
});

test('no bytes of a Shapefile make the reader crash or hang', () => {
  const shp = makeShp(POLYGON, [[DEGREES, DEGREES], [DEGREES]]);
  const dbf = makeDbf('NAME', [strToU8('a'), strToU8('b')]);
  const change = fc.tuple(fc.nat({ max: shp.length - 1 }), fc.nat({ max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const [brokenShp, brokenDbf] = [shp.slice(), dbf.slice()];
      for (const [at, value] of changes) {
        brokenShp[at] = value;
        brokenDbf[at % dbf.length] = value;
      }
      refusalOf(zipSync({ 'a.shp': brokenShp, 'a.dbf': brokenDbf }, { level: 0 }));
    }),
  );
});

test('heights and measures are ignored: Z and M types give the same shapes', () => {
  const plain = parseFileOf(zipSync({ 'a.shp': makeShp(POLYGON, [[DEGREES]]) }));
  for (const type of [15, 25])
    assert.deepEqual(parseFileOf(zipSync({ 'a.shp': makeShp(type, [[DEGREES]]) })), plain);
  for (const type of [13, 23])
    assert.equal(parseFileOf(zipSync({ 'a.shp': makeShp(type, [[DEGREES]]) }))[0]?.kind, 'line');
});

test('all layers of an archive are read, each with its own parts, in folders and next to macOS copies', () => {
  const zip = zipSync({
    'fields/north/a.shp': makeShp(POLYGON, [[OUTER]]),
    'fields/north/a.prj': PRJ,
    'fields/north/a.dbf': makeDbf('NAME', [strToU8('Nord')]),
    'fields/south/a.SHP': makeShp(POLYGON, [[DEGREES]]),
    'fields/south/a.DBF': makeDbf('NAME', [strToU8('Süd')]),
    '__MACOSX/fields/north/._a.shp': strToU8('attributes'),
    'fields/readme.txt': strToU8('nothing to read'),
  });
  assert.deepEqual(
    parseFileOf(zip).map(({ name }) => name),
    ['Nord', 'Süd'],
  );
});

test('an index or a table alone is not a Shapefile; shapes without both are read without names', () => {
  const [shp, dbf] = [makeShp(POLYGON, [[DEGREES]]), makeDbf('NAME', [strToU8('a')])];
  assert.equal(refusalOf(zipSync({ 'a.dbf': dbf, 'a.shx': shp.subarray(0, 100) })), 'empty-zip');
  assert.deepEqual(
    parseFileOf(zipSync({ 'a.shp': shp })).map(({ name }) => name),
    [null],
  );
});

/** Where the directory of an archive begins. */
const directoryOf = (zip: Uint8Array): number =>
  new DataView(zip.buffer, zip.byteOffset, zip.byteLength).getUint32(zip.length - 6, true);

test('an archive with a password is refused for that reason, unless its shapes have none', () => {
  const shp = makeShp(POLYGON, [[DEGREES]]);
  const lock = (zip: Uint8Array): Uint8Array => {
    for (const at of [6, directoryOf(zip) + 8]) zip[at] = (zip[at] ?? 0) | 1;
    return zip;
  };
  assert.equal(refusalOf(lock(zipSync({ 'a.shp': shp }))), 'encrypted-zip');
  assert.equal(parseFileOf(lock(zipSync({ 'readme.txt': strToU8('x'), 'a.shp': shp }))).length, 1);
});

test('an archive that unpacks to more than it states gives no more than it states', () => {
  const zip = zipSync({ 'a.shp': new Uint8Array(5_000_000) });
  assert.ok(zip.length < 10_000);
  new DataView(zip.buffer, zip.byteOffset).setUint32(directoryOf(zip) + 24, 200, true);
  assert.ok(['bad-zip', 'bad-shapefile'].includes(refusalOf(zip) ?? ''));
  new DataView(zip.buffer, zip.byteOffset).setUint32(directoryOf(zip) + 24, 0xfffffff0, true);
  assert.equal(refusalOf(zip), 'too-large');
});

test('an archive truncated anywhere is refused', () => {
  const zip = zipSync({ 'a.shp': makeShp(POLYGON, [[DEGREES]]), 'a.prj': PRJ });
  for (let length = 4; length < zip.length; length += 7)
    assert.equal(refusalOf(zip.slice(0, length)), 'bad-zip', `${length} of ${zip.length} bytes`);
});

test('a Shapefile that ends between two records is detected by its own length', () => {
  const shp = makeShp(POLYGON, [[DEGREES], [DEGREES]]);
  new DataView(shp.buffer).setInt32(24, shp.length / 2);
  const isHalf = shp.slice(0, 100 + (shp.length - 100) / 2);
  assert.equal(parseFileOf(zipSync({ 'a.shp': shp })).length, 2);
  assert.equal(refusalOf(zipSync({ 'a.shp': isHalf })), 'bad-shapefile');
});

test('millions of points are refused before they are created', () => {
  const contentBytes = 48 + (MAX_FILE_POSITIONS + 10) * 16;
  const shp = new Uint8Array(108 + contentBytes);
  const view = new DataView(shp.buffer);
  view.setInt32(0, 9994);
  view.setInt32(104, contentBytes / 2);
  view.setInt32(108, POLYGON, true);
  view.setInt32(144, 1, true);
  view.setInt32(148, MAX_FILE_POSITIONS + 1, true);
  assert.equal(refusalOf(zipSync({ 'a.shp': shp }, { level: 1 })), 'too-many-positions');
});

/** The archive with its directory in the 64-bit form, at `offset`. */
const toZip64 = (zip: Uint8Array, files: number, offset: number): Uint8Array => {
  const body = zip.length - 22;
  const bytes = new Uint8Array(body + 56 + 20 + 22);
  bytes.set(zip.subarray(0, body));
  const view = new DataView(bytes.buffer);
  view.setUint32(body, 0x06064b50, true);
  view.setUint32(body + 32, files, true);
  view.setUint32(body + 48, offset, true);
  view.setUint32(body + 56, 0x07064b50, true);
  view.setUint32(body + 64, body, true);
  view.setUint32(body + 76, 0x06054b50, true);
  view.setUint16(body + 84, 0xffff, true);
  view.setUint32(body + 92, 0xffffffff, true);
  return bytes;
};

test('an archive in the 64-bit form is read, and refused where its directory is not', () => {
  const zip = zipSync({ 'a.shp': makeShp(POLYGON, [[DEGREES]]) });
  assert.equal(parseFileOf(toZip64(zip, 1, directoryOf(zip))).length, 1);
  assert.ok(['bad-zip', 'empty-zip'].includes(refusalOf(toZip64(zip, 1, 0xfffffff0)) ?? ''));
  // It says that it has four billion files.
  assert.equal(refusalOf(toZip64(zip, 0xfffffff0, 0xfffffff0)), 'too-large');
});
