import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { ColumnSource } from 'hyparquet-writer';
import { ByteWriter, ParquetWriter, parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer';
import { makeProjection } from '../../proj/index.ts';
import { toWkb } from '../geometry/wkb.ts';
import { writeTable } from '../index.ts';
import { anyShape } from '../testing/any-shape.ts';
import { checkDamaged } from '../testing/damage.ts';
import { askDuckDb } from '../testing/duckdb.ts';
import { readBytes, readRows, withFolder } from '../testing/read-rows.ts';
import { COLUMNS, makeBatch, ROW_3, squareOf } from '../testing/table.ts';

const POINT = toWkb({ type: 'Point', coordinates: [11, 48] });

/** A file with these columns and this metadata. */
const makeParquet = (columnData: ColumnSource[], geo: unknown = null): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData,
      ...(geo === null ? {} : { kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }] }),
    }),
  );
const geoOf = (column: object) => ({
  version: '1.1.0',
  primary_column: 'g',
  columns: { g: { encoding: 'WKB', ...column } },
});
const shapes = (...data: unknown[]): ColumnSource => ({ name: 'g', data, type: 'BYTE_ARRAY' });

test('our own output is read back, including nulls', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.parquet');
    const writer = await writeTable(path, 'geoparquet', COLUMNS);
    await writer.write(makeBatch(0, 20));
    await writer.finish();
    const rows = await readRows(path);
    assert.equal(rows.length, 20);
    assert.deepEqual(rows[3], {
      row: 4,
      id: null,
      geometry: squareOf(3),
      fault: null,
      properties: ROW_3,
    });
    assert.deepEqual([rows[6]?.geometry, rows[6]?.properties.mean], [null, null]);
  }));

test('output of DuckDB is read, with any codec', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.parquet');
    for (const codec of ['snappy', 'zstd', 'gzip', 'brotli', 'uncompressed']) {
      await askDuckDb(
        `COPY (SELECT i AS id, 'field ' || i AS name, DATE '2024-05-01' + i::INT AS sown, i / 4 AS ha, [1, 2] AS list, unhex('${Buffer.from(POINT).toString('hex')}') AS geometry FROM range(5000) t(i)) TO '${path}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 2048)`,
      );
      const rows = await readRows(path);
      assert.equal(rows.length, 5_000);
      assert.deepEqual(rows[4_999]?.geometry, { type: 'Point', coordinates: [11, 48] });
      assert.deepEqual(rows[7]?.properties, { id: 7, name: 'field 7', sown: '2024-05-08', ha: 1.75 });
    }
    await askDuckDb(`COPY (SELECT unhex('00') AS geometry) TO '${path}' (FORMAT parquet, CODEC 'lz4_raw')`);
    await assert.rejects(readRows(path), { code: 'shape-encoding', message: /LZ4_RAW/ });
    await askDuckDb(
      `COPY (SELECT i AS id, i / 8 AS half, 'a' || i AS name, i % 3 = 0 AS flag, unhex('${Buffer.from(POINT).toString('hex')}') AS geometry FROM range(3000) t(i)) TO '${path}' (FORMAT parquet, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1)`,
    );
    const rows = await readRows(path);
    assert.deepEqual(rows[2_999]?.properties, { id: 2_999, half: 2_999 / 8, name: 'a2999', flag: false });
  }));

test('any shapes survive a GeoParquet round trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyShape), { minLength: 1, maxLength: 5 }), (list) =>
      withFolder(async (folder) => {
        const path = join(folder, 'a.parquet');
        const writer = await writeTable(path, 'geoparquet', [{ name: 'shape', type: 'geometry' }]);
        await writer.write({ rows: list.length, columns: [list] });
        await writer.finish();
        assert.deepEqual(
          (await readRows(path)).map(({ geometry }) => geometry),
          list,
        );
      }),
    ),
    { numRuns: 25 },
  );
});

test('other CRSs are converted to longitude and latitude', async () => {
  const position = makeProjection(4326, 25833).forward(13, 51);
  const columns = [shapes(toWkb({ type: 'Point', coordinates: position }))];
  const [row] = await readBytes(
    makeParquet(columns, geoOf({ crs: { id: { authority: 'EPSG', code: 25833 } } })),
  );
  const [lon = 0, lat = 0] = row?.geometry?.type === 'Point' ? row.geometry.coordinates : [];
  assert.ok(Math.abs(lon - 13) < 1e-9 && Math.abs(lat - 51) < 1e-9);
  for (const crs of [undefined, null, { id: { authority: 'OGC', code: 'CRS84' } }]) {
    const [same] = await readBytes(makeParquet([shapes(POINT)], geoOf(crs === undefined ? {} : { crs })));
    assert.deepEqual(same?.geometry, { type: 'Point', coordinates: [11, 48] });
  }
  await assert.rejects(readBytes(makeParquet(columns, geoOf({ crs: { name: 'x' } }))), { code: 'shape-crs' });
});

test('the shape column is found by its type or name', async () => {
  const typed = makeParquet([
    { name: 'outline', data: [{ type: 'Point', coordinates: [11, 48] }], type: 'GEOMETRY' },
  ]);
  assert.deepEqual((await readBytes(typed))[0]?.geometry, { type: 'Point', coordinates: [11, 48] });
  const none = makeParquet([{ name: 'a', data: [1], type: 'INT32' }]);
  await assert.rejects(readBytes(none), { code: 'no-shapes' });
  await assert.rejects(readBytes(makeParquet([shapes(POINT)], { columns: {} })), { code: 'bad-shape-file' });
  await assert.rejects(
    readBytes(makeParquet([shapes(POINT)], { primary_column: 'x', columns: { x: { encoding: 'WKB' } } })),
    { code: 'no-shapes' },
  );
  await assert.rejects(readBytes(makeParquet([shapes(POINT)], geoOf({ encoding: 'polygon' }))), {
    code: 'shape-encoding',
  });
});

test('a shape that cannot be read is a fault', async () => {
  const nan = toWkb({
    type: 'LineString',
    coordinates: [
      [Number.NaN, 1],
      [1, 2],
    ],
  });
  const rows = await readBytes(
    makeParquet([shapes(POINT, POINT.subarray(0, 9), nan, null, Uint8Array.of(9))], geoOf({})),
  );
  assert.deepEqual(
    rows.map(({ fault }) => fault?.split(/[:.]/)[0] ?? null),
    [
      null,
      'The geometry is truncated',
      'Position 1 is not two finite numbers',
      null,
      'The geometry is truncated',
    ],
  );
});

test('rows, columns and the bytes of all shapes are limited', async () => {
  const many = makeParquet(
    [shapes(...Array(100).fill(POINT)), { name: 'a', data: Array(100).fill(1), type: 'INT32' }],
    geoOf({}),
  );
  await assert.rejects(readBytes(many, null, { maxRows: 99 }), { code: 'too-many-rows' });
  await assert.rejects(readBytes(many, null, { maxColumns: 1 }), { code: 'too-many-columns' });
  // One shape in the dictionary stands for all.
  await assert.rejects(readBytes(many, null, { maxUnpackedBytes: 1_000 }), { code: 'shape-file-too-large' });
});

test('pages that claim more values than rows are refused before memory is allocated', async () => {
  const writer = new ByteWriter();
  const columnData = [shapes(...Array(1_000).fill(POINT))];
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData }) });
  await file.write({ columnData });
  file.row_groups[0]!.num_rows = 10n;
  file.num_rows = 10n;
  file.kvMetadata = [{ key: 'geo', value: JSON.stringify(geoOf({})) }];
  await file.finish();
  await assert.rejects(readBytes(Buffer.from(writer.getBuffer())), { code: 'bad-shape-file' });
});

test('truncated and damaged files give rows or a refusal', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.parquet');
    const table = await writeTable(path, 'geoparquet', COLUMNS);
    await table.write(makeBatch(0, 50));
    await table.finish();
    const bytes = await readFile(path);
    await checkDamaged(bytes, 'geoparquet', 400);
  }));
