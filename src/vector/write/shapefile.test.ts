import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Ring } from '../geometry/rings.ts';
import { signedArea } from '../geometry/rings.ts';
import type { Column, ShapeGeometry, TableBatch } from '../index.ts';
import { defaultVectorLimits, readShapes, writeTable } from '../index.ts';
import { listArchive, readSmallEntry } from '../read/archive.ts';
import { anyPolygon } from '../testing/any-shape.ts';
import { makeArchive } from '../testing/archive.ts';
import { checkDamaged } from '../testing/damage.ts';
import { collect, readBytes, readRows, withFolder } from '../testing/read-rows.ts';
import { COLUMNS, makeBatch, ROW_3, squareOf } from '../testing/table.ts';

const SHAPE: Column = { name: 'shape', type: 'geometry' };

async function write(
  folder: string,
  columns: readonly Column[],
  batches: readonly TableBatch[],
): Promise<string> {
  const path = join(folder, 'a.zip');
  const writer = await writeTable(path, 'shapefile', columns, { layer: 'fields' });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  assert.deepEqual(await readdir(folder), ['a.zip']);
  return path;
}

/** The files of an archive by their extension. */
async function unpack(path: string): Promise<Record<string, Buffer>> {
  const entries = await listArchive(path);
  const files = entries.map(async (entry) => [
    entry.name.split('.')[1],
    await readSmallEntry(path, entry, 1e8, defaultVectorLimits),
  ]);
  return Object.fromEntries(await Promise.all(files));
}

/** The same shapes whatever the direction and order of their rings: polygons as sorted lists of absolute areas. */
function areasOf(geometry: ShapeGeometry | null): number[] {
  const rings: Ring[] = [];
  if (geometry?.type === 'Polygon') rings.push(...geometry.coordinates);
  if (geometry?.type === 'MultiPolygon') for (const polygon of geometry.coordinates) rings.push(...polygon);
  return rings.map((ring) => Math.abs(signedArea(ring))).sort((a, b) => a - b);
}

test('each type of column is read back, including nulls', () =>
  withFolder(async (folder) => {
    const rows = await readRows(await write(folder, COLUMNS, [makeBatch(0, 5), makeBatch(5, 5)]));
    assert.equal(rows.length, 10);
    assert.deepEqual(rows[3]?.properties, ROW_3);
    assert.deepEqual(areasOf(rows[3]?.geometry ?? null), areasOf(squareOf(3)));
    assert.deepEqual(
      [rows[6]?.geometry, Object.values(rows[6]?.properties ?? {})],
      [null, ['Feld "6", ä', null, null, null, null, null]],
    );
  }));

test('shapes survive a Shapefile round trip, and outlines run clockwise', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyPolygon), { minLength: 1, maxLength: 4 }), (shapes) =>
      withFolder(async (folder) => {
        const rows = await readRows(
          await write(folder, [SHAPE], [{ rows: shapes.length, columns: [shapes] }]),
        );
        for (const [i, shape] of shapes.entries()) {
          const [read, written] = [areasOf(rows[i]?.geometry ?? null), areasOf(shape)];
          assert.equal(read.length, written.length);
          // Turned rings add their corners in another order.
          for (const [j, area] of read.entries())
            assert.ok(Math.abs(area - written[j]!) <= 1e-9 * Math.max(1, area));
        }
      }),
    ),
    { numRuns: 25 },
  );
});

test('points and lines are read back; kinds cannot be mixed', () =>
  withFolder(async (folder) => {
    const shapes: ShapeGeometry[][] = [
      [{ type: 'Point', coordinates: [11, 48] }],
      [
        {
          type: 'MultiPoint',
          coordinates: [
            [11, 48],
            [12, 49],
          ],
        },
      ],
      [
        {
          type: 'LineString',
          coordinates: [
            [11, 48],
            [12, 49],
          ],
        },
        {
          type: 'MultiLineString',
          coordinates: [
            [
              [11, 48],
              [12, 49],
            ],
            [
              [1, 2],
              [3, 4],
            ],
          ],
        },
      ],
    ];
    for (const kind of shapes) {
      const rows = await readRows(await write(folder, [SHAPE], [{ rows: kind.length, columns: [kind] }]));
      assert.deepEqual(
        rows.map(({ geometry }) => geometry),
        kind,
      );
    }
    const writer = await writeTable(join(folder, 'b.zip'), 'shapefile', [SHAPE]);
    const mixed = [shapes[0]![0]!, shapes[2]![0]!];
    await assert.rejects(writer.write({ rows: 2, columns: [mixed] }), { code: 'bad-column' });
    const collection = [{ type: 'GeometryCollection', geometries: [shapes[0]![0]!] }];
    await assert.rejects(writer.write({ rows: 1, columns: [collection] }), { code: 'bad-column' });
    await writer.discard();
    assert.deepEqual(await readdir(folder), ['a.zip']);
  }));

test('names have ten letters and are unique; strings are cut at a whole character and no wider than needed', () =>
  withFolder(async (folder) => {
    const names = ['Größe des Feldes', 'Größe des Weges', 'größe des x', '2024', 'ok'];
    const columns = [...names.map((name) => ({ name, type: 'text' as const })), SHAPE];
    const long = `${'x'.repeat(253)}ä`;
    const values = [[long], ['abc'], ['ä'], [null], ['z'], [null]];
    const path = await write(folder, columns, [{ rows: 1, columns: values }]);
    const [row] = await readRows(path);
    assert.deepEqual(Object.entries(row?.properties ?? {}), [
      ['Gro_e_des_', 'x'.repeat(253)],
      ['Gro_e_de_1', 'abc'],
      ['gro_e_de_2', 'ä'],
      ['f2024', null],
      ['ok', 'z'],
    ]);
    const { dbf, cpg, prj } = await unpack(path);
    assert.equal(dbf?.readUInt16LE(10), 1 + 253 + 3 + 2 + 1 + 1);
    assert.equal(cpg?.toString(), 'UTF-8');
    assert.match(prj?.toString() ?? '', /^GEOGCS\["GCS_WGS_1984"/);
  }));

test('an empty table is a valid file', () =>
  withFolder(async (folder) => {
    assert.deepEqual(await readRows(await write(folder, COLUMNS, [])), []);
  }));

/** The files of a Shapefile with some rows. */
const makeFiles = () => withFolder(async (folder) => unpack(await write(folder, COLUMNS, [makeBatch(0, 5)])));

const pack = (files: Readonly<Record<string, Buffer | string | undefined>>) =>
  makeArchive(
    Object.fromEntries(
      Object.entries(files).flatMap(([extension, bytes]) =>
        bytes === undefined ? [] : [[`a.${extension}`, bytes]],
      ),
    ),
  );

test('another CRS and another code page are read', async () => {
  const { shp, dbf } = await makeFiles();
  const utm =
    'PROJCS["ETRS_1989_UTM_Zone_33N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
  const [row] = await readBytes(await pack({ shp, dbf, prj: utm, cpg: '1252' }));
  // Metres near the origin of the zone: on the equator, four and a half degrees west of its meridian.
  const [[lon, lat] = [Number.NaN, Number.NaN]] =
    row?.geometry?.type === 'Polygon' ? row.geometry.coordinates[0]! : [];
  assert.ok(Math.abs(lon - 10.5) < 0.02 && Math.abs(lat - 0.00043) < 0.0001, `${lon} ${lat}`);
  assert.equal(row?.properties.field, 'Feld "0", Ã¤');
  const gauss = utm
    .replaceAll('ETRS', 'DHDN')
    .replace('"GRS_1980",6378137.0,298.257222101', '"Bessel_1841",6377397.155,299.1528128');
  await assert.rejects(readBytes(await pack({ shp, dbf, prj: gauss })), {
    code: 'shape-crs',
    message: /datum is shifted/,
  });
  await assert.rejects(readBytes(await pack({ shp, dbf, prj: 'LOCAL_CS["x"]' })), { code: 'shape-crs' });
});

test('several Shapefiles in folders are read in the order of their names; a table is optional', async () => {
  const { shp, dbf } = await makeFiles();
  const bytes = await makeArchive({
    'b/b.SHP': shp!,
    'a/a.shp': shp!,
    'a/a.DBF': dbf!,
    '__MACOSX/a/._a.shp': 'x',
    'readme.txt': 'x',
  });
  const rows = await readBytes(bytes);
  assert.equal(rows.length, 10);
  assert.equal(rows[0]?.properties.field, 'Feld "0", ä');
  assert.deepEqual([rows[9]?.row, rows[9]?.properties], [10, {}]);
});

test('deleted rows are omitted, and missing ones are faults', async () => {
  const { shp, dbf } = await makeFiles();
  const [header, row] = [dbf!.readUInt16LE(8), dbf!.readUInt16LE(10)];
  const deleted = Buffer.from(dbf!);
  deleted[header + row] = 0x2a;
  const rows = await readBytes(await pack({ shp, dbf: deleted.subarray(0, header + 3 * row) }));
  assert.deepEqual(
    rows.map(({ properties, fault }) => properties.field ?? fault),
    [
      'Feld "0", ä',
      'Feld "2", ä',
      'The table has no row for this shape.',
      'The table has no row for this shape.',
    ],
  );
});

test('tables with wrong lengths are refused', async () => {
  const { shp, dbf } = await makeFiles();
  const withByte = (at: number, ...bytes: number[]): Buffer => {
    const copy = Buffer.from(dbf!);
    copy.set(bytes, at);
    return copy;
  };
  for (const lying of [
    withByte(32 + 16, 255),
    withByte(8, 0, 0),
    withByte(8, 0xff, 0xff),
    withByte(10, 0, 0),
    dbf!.subarray(0, 20),
  ])
    await assert.rejects(readBytes(await pack({ shp, dbf: lying })), {
      tag: 'bad-input',
      code: 'bad-shape-file',
    });
});

test('shapes with wrong lengths are faults', async () => {
  const { shp } = await makeFiles();
  const withInt = (at: number, value: number): Buffer => {
    const copy = Buffer.from(shp!);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  const record = 100 + 8;
  for (const [lying, fault] of [
    [withInt(record + 36, 0xffff_ffff), /truncated/],
    [withInt(record + 40, 0x7fff_ffff), /truncated/],
    [withInt(record + 44, 99), /out of order/],
    [withInt(record, 31), /type 31/],
    [withInt(record, 77), /type 77/],
  ] as const) {
    const [first, second] = await readBytes(await pack({ shp: lying }));
    assert.match(first?.fault ?? '', fault);
    assert.equal(second?.fault, null);
  }
  const nan = Buffer.from(shp!);
  nan.writeDoubleLE(Number.NaN, record + 48);
  assert.match((await readBytes(await pack({ shp: nan })))[0]?.fault ?? '', /not two finite numbers/);
  const long = Buffer.from(shp!);
  long.writeUInt32BE(0x7fff_ffff, 104);
  await assert.rejects(readBytes(await pack({ shp: long })), { code: 'bad-shape-file' });
});

test('truncated and damaged archives give rows or a refusal', async () => {
  const bytes = await pack(await makeFiles());
  await checkDamaged(bytes, 'shapefile', 300);
});

test('archives that unpack to too many bytes are refused', async () => {
  const { shp } = await makeFiles();
  const bytes = await pack({ shp: Buffer.concat([shp!, Buffer.alloc(200_000)]) });
  await assert.rejects(readBytes(bytes, null, { maxUnpackedBytes: 100_000 }), {
    code: 'shape-file-too-large',
  });
  // One record of 80 MiB, which is skipped.
  const head = Buffer.alloc(8);
  head.writeUInt32BE(40 * 2 ** 20, 4);
  const bomb = await pack({ shp: Buffer.concat([shp!, head, Buffer.alloc(80 * 2 ** 20)]) });
  assert.ok(bomb.length < 2 ** 18);
  await assert.rejects(readBytes(bomb), {
    code: 'shape-file-too-large',
    message: /500 times/,
  });
  await assert.rejects(readBytes(await makeArchive({ 'a.txt': 'x' }), 'shapefile'), {
    message: /no \.shp file/,
  });
  await assert.rejects(readBytes(shp!), { message: /zip archive/ });
});

test('a reader that stops early closes its files', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.zip');
    await writeFile(path, await pack(await makeFiles()));
    for await (const { row } of readShapes(path, { format: null, limits: defaultVectorLimits })) {
      assert.equal(row, 1);
      break;
    }
    const stopped = new AbortController();
    stopped.abort();
    await assert.rejects(
      collect(readShapes(path, { format: null, limits: defaultVectorLimits, signal: stopped.signal })),
      { tag: 'cancelled' },
    );
  }));
