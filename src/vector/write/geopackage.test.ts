import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeProjection } from '../../proj/index.ts';
import type { Column, TableBatch } from '../index.ts';
import { writeTable } from '../index.ts';
import { anyShape } from '../testing/any-shape.ts';
import { checkDamaged } from '../testing/damage.ts';
import { readBytes, readRows, withFolder } from '../testing/read-rows.ts';
import { COLUMNS, makeBatch, ROW_3, squareOf } from '../testing/table.ts';

async function write(
  folder: string,
  columns: readonly Column[],
  batches: readonly TableBatch[],
): Promise<string> {
  const path = join(folder, 'a.gpkg');
  const writer = await writeTable(path, 'geopackage', columns, { layer: 'fields' });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  assert.deepEqual(await readdir(folder), ['a.gpkg']);
  return path;
}

/** What the triggers of the index call, in programs that read geometries. */
function addFunctions(database: DatabaseSync): void {
  for (const name of ['ST_MinX', 'ST_MaxX', 'ST_MinY', 'ST_MaxY']) database.function(name, (_shape) => 7);
  database.function('ST_IsEmpty', (_shape) => 0);
}

/** Rows of a GeoPackage that SQL has changed. */
const readChanged = (sql: string, limits = {}) =>
  withFolder(async (folder) => {
    const path = await write(folder, COLUMNS, [makeBatch(0, 5)]);
    const database = new DatabaseSync(path);
    addFunctions(database);
    database.exec(sql);
    database.close();
    return readRows(path, null, limits);
  });

test('each type of column is read back, including nulls and ids', () =>
  withFolder(async (folder) => {
    const rows = await readRows(await write(folder, COLUMNS, [makeBatch(0, 5), makeBatch(5, 5)]));
    assert.equal(rows.length, 10);
    assert.deepEqual(rows[3], {
      row: 4,
      id: '4',
      geometry: squareOf(3),
      fault: null,
      properties: ROW_3,
    });
    assert.deepEqual(
      [rows[6]?.geometry, Object.values(rows[6]?.properties ?? {})],
      [null, ['Feld "6", ä', null, null, null, null, null]],
    );
  }));

test('any shapes and column names survive a GeoPackage round trip', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(anyShape), { minLength: 1, maxLength: 5 }),
      fc.stringMatching(/^[A-Za-z"';, äß-]{1,12}$/),
      (shapes, name) =>
        withFolder(async (folder) => {
          const columns: Column[] = [
            { name, type: 'text' },
            { name: 'geom', type: 'geometry' },
          ];
          fc.pre(name.toLowerCase() !== 'geom' && name.toLowerCase() !== 'fid');
          const batch = { rows: shapes.length, columns: [shapes.map(() => 'x'), shapes] };
          const rows = await readRows(await write(folder, columns, [batch]));
          assert.deepEqual(
            rows.map(({ geometry, properties }) => [geometry, properties]),
            shapes.map((shape) => [shape, { [name]: 'x' }]),
          );
        }),
    ),
    { numRuns: 25 },
  );
});

test('names that differ only in case, and fid, get another name', () =>
  withFolder(async (folder) => {
    const columns: Column[] = [
      { name: 'A', type: 'text' },
      { name: 'a', type: 'text' },
      { name: 'fid', type: 'text' },
      { name: 'geom', type: 'geometry' },
    ];
    const [row] = await readRows(
      await write(folder, columns, [{ rows: 1, columns: [['1'], ['2'], ['3'], [null]] }]),
    );
    assert.deepEqual([row?.id, row?.properties], ['1', { A: '1', a_1: '2', fid_1: '3' }]);
  }));

test('other programs recognise the file as a GeoPackage: id, version, contents, bounds', () =>
  withFolder(async (folder) => {
    const database = new DatabaseSync(await write(folder, COLUMNS, [makeBatch(0, 5)]), { readOnly: true });
    assert.equal(database.prepare('PRAGMA application_id').get()?.application_id, 0x47504b47);
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
    const { table_name, min_x, max_x, srs_id } = database.prepare('SELECT * FROM gpkg_contents').get() ?? {};
    assert.deepEqual([table_name, min_x, max_x, srs_id], ['fields', 10, 10 + 0.4 + 0.01, 4326]);
    database.close();
  }));

test('writing a file again gives the same bytes', () =>
  withFolder(async (folder) => {
    const bytes = await readFile(await write(folder, COLUMNS, [makeBatch(0, 50)]));
    assert.deepEqual(await readFile(await write(folder, COLUMNS, [makeBatch(0, 50)])), bytes);
  }));

test('an empty table is a valid file, and discard leaves nothing', () =>
  withFolder(async (folder) => {
    assert.deepEqual(await readRows(await write(folder, COLUMNS, [])), []);
    const writer = await writeTable(join(folder, 'b.gpkg'), 'geopackage', COLUMNS);
    await writer.write(makeBatch(0, 3));
    await writer.discard();
    assert.deepEqual(await readdir(folder), ['a.gpkg']);
  }));

test('other CRSs are converted to longitude and latitude', async () => {
  const [x, y] = makeProjection(4326, 25833).forward(13, 51);
  const blob = Buffer.alloc(29);
  blob.set([0x47, 0x50, 0, 1]);
  blob.writeInt32LE(25833, 4);
  blob.set([1, 1], 8);
  blob.writeDoubleLE(x, 13);
  blob.writeDoubleLE(y, 21);
  const change = (code: number, definition: string) => `
    INSERT INTO gpkg_spatial_ref_sys VALUES ('x', 100, 'EPSG', ${code}, '${definition}', NULL);
    UPDATE gpkg_geometry_columns SET srs_id = 100;
    UPDATE fields SET shape = x'${blob.toString('hex')}'`;
  const utm = '+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs';
  for (const sql of [change(25833, 'undefined'), change(9999, utm)]) {
    const [row] = await readChanged(sql);
    const [lon = 0, lat = 0] = row?.geometry?.type === 'Point' ? row.geometry.coordinates : [];
    assert.ok(Math.abs(lon - 13) < 1e-8 && Math.abs(lat - 51) < 1e-8, `${lon} ${lat}`);
  }
  await assert.rejects(readChanged(change(9999, 'undefined')), { code: 'shape-crs' });
  await assert.rejects(readChanged('UPDATE gpkg_geometry_columns SET srs_id = -1'), { code: 'shape-crs' });
  assert.equal((await readChanged('UPDATE gpkg_geometry_columns SET srs_id = 0')).length, 5);
});

test('blobs that are not geometries are faults, and later rows are read', async () => {
  const rows = await readChanged(`
    UPDATE fields SET shape = 'text' WHERE fid = 1;
    UPDATE fields SET shape = x'00' WHERE fid = 2;
    UPDATE fields SET shape = x'4750002000000000' WHERE fid = 3;
    UPDATE fields SET shape = x'47500001e610000001' WHERE fid = 4`);
  assert.deepEqual(
    rows.map(({ fault }) => fault),
    [
      'The geometry is not one of a GeoPackage.',
      'The geometry is not one of a GeoPackage.',
      'The geometry has a header that is not read.',
      'The geometry is truncated: its bytes end too early.',
      null,
    ],
  );
});

test('files that compute their rows are refused', async () => {
  const asView = (query: string) => `ALTER TABLE fields RENAME TO old; CREATE VIEW fields AS ${query}`;
  const endless =
    'WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT i AS fid, NULL AS shape FROM t';
  await assert.rejects(readChanged(asView(endless)), { code: 'geopackage-code' });
  const rows = 'CREATE TABLE other AS SELECT * FROM fields; DROP TABLE fields;';
  await assert.rejects(
    readChanged(
      `${rows} CREATE TABLE fields (fid INTEGER PRIMARY KEY, shape BLOB, bomb TEXT AS (hex(zeroblob(100000))) VIRTUAL); INSERT INTO fields(fid) VALUES (1)`,
    ),
    { code: 'geopackage-code' },
  );
  await assert.rejects(readChanged(`${rows} CREATE VIRTUAL TABLE fields USING fts5(shape)`), {
    code: 'geopackage-code',
  });
  await assert.rejects(
    readChanged('ALTER TABLE gpkg_contents RENAME TO x; CREATE VIEW gpkg_contents AS SELECT * FROM x'),
    { code: 'bad-shape-file' },
  );
});

test('names in the file are never executed', async () => {
  const name = 'a"; DROP TABLE fields; --';
  const [row] = await readChanged(`
    ALTER TABLE fields RENAME COLUMN shape TO "${name.replaceAll('"', '""')}";
    UPDATE gpkg_geometry_columns SET column_name = '${name}';
    ALTER TABLE fields RENAME TO "${name.replaceAll('"', '""')} 2";
    PRAGMA foreign_keys = OFF;
    UPDATE gpkg_geometry_columns SET table_name = '${name} 2';
    UPDATE gpkg_contents SET table_name = '${name} 2'`);
  assert.deepEqual(row?.geometry, squareOf(0));
});

test('rows, columns, the bytes of a row and vertices are limited', async () => {
  await assert.rejects(readChanged('SELECT 1', { maxRows: 4 }), { code: 'too-many-rows' });
  await assert.rejects(readChanged('SELECT 1', { maxColumns: 5 }), { tag: 'too-large' });
  await assert.rejects(readChanged('UPDATE fields SET field = zeroblob(200000)', { maxRowBytes: 100_000 }), {
    code: 'shape-file-too-large',
  });
  assert.match((await readChanged('SELECT 1', { maxVertices: 4 }))[0]?.fault ?? '', /more than 4 vertices/);
});

test('databases and bytes that are not a GeoPackage are refused', async () => {
  await assert.rejects(readChanged('DROP TABLE gpkg_geometry_columns'), { code: 'bad-shape-file' });
  await assert.rejects(readChanged("UPDATE gpkg_contents SET data_type = 'tiles'"), { code: 'no-shapes' });
  await assert.rejects(readChanged("UPDATE gpkg_geometry_columns SET column_name = 'x'"), {
    code: 'bad-shape-file',
  });
  await assert.rejects(readBytes('SQLite format 3\0 and nothing'), { code: 'bad-shape-file' });
  await assert.rejects(readBytes('hello', 'geopackage'), { code: 'bad-shape-file' });
});

test('truncated and damaged files give rows or a refusal', () =>
  withFolder(async (folder) => {
    const bytes = await readFile(await write(folder, COLUMNS, [makeBatch(0, 50)]));
    await checkDamaged(bytes, 'geopackage', 300);
  }));

test('an R-tree has the box of each shape, and stays in sync with the layer', () =>
  withFolder(async (folder) => {
    const path = await write(folder, COLUMNS, [makeBatch(0, 50)]);
    const database = new DatabaseSync(path);
    try {
      const [extension] = database.prepare('SELECT * FROM gpkg_extensions').all();
      assert.equal(extension?.extension_name, 'gpkg_rtree_index');
      const index = `rtree_fields_${String(extension?.column_name)}`;
      const shaped = database.prepare(
        `SELECT count(*) AS n FROM fields WHERE ${extension?.column_name} NOT NULL`,
      );
      const { n } = database.prepare(`SELECT count(*) AS n FROM ${index}`).get() as { n: number };
      assert.ok(n > 40 && n === shaped.get()?.n, String(n));
      const square = squareOf(3).coordinates[0] as readonly (readonly [number, number])[];
      const [x, y] = [square[0]![0], square[0]![1]];
      const found = database
        .prepare(`SELECT id FROM ${index} WHERE minx <= ? AND maxx >= ? AND miny <= ? AND maxy >= ?`)
        .all(x, x, y, y);
      assert.ok(found.some(({ id }) => id === 4));
      addFunctions(database);
      database.exec(
        `UPDATE fields SET ${extension?.column_name} = x'00' WHERE fid = 4; DELETE FROM fields WHERE fid = 1`,
      );
      assert.deepEqual(
        { ...database.prepare(`SELECT minx, maxy FROM ${index} WHERE id = 4`).get() },
        { minx: 7, maxy: 7 },
      );
      assert.equal(database.prepare(`SELECT id FROM ${index} WHERE id = 1`).get(), undefined);
      assert.deepEqual(database.prepare(`SELECT rtreecheck('${index}') AS said`).get()?.said, 'ok');
    } finally {
      database.close();
    }
  }));
