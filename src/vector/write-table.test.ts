import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Column, TableBatch, TableFormat } from './index.ts';
import { STREAM_FORMATS, streamTable, writeTable } from './index.ts';
import { anyShape } from './testing/any-shape.ts';
import { askDuckDb } from './testing/duckdb.ts';
import { collect, readRows, withFolder } from './testing/read-rows.ts';
import { COLUMNS, cornerOf, makeBatch, ROW_3, squareOf } from './testing/table.ts';

/** Writes batches and returns the path. */
async function write(
  folder: string,
  format: TableFormat,
  columns: readonly Column[],
  batches: readonly TableBatch[],
) {
  const path = join(folder, `table.${format.replace('geoparquet', 'parquet')}`);
  const writer = await writeTable(path, format, columns);
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  return path;
}

const BATCHES = [makeBatch(0, 10), makeBatch(10, 1), makeBatch(11, 0), makeBatch(11, 9)];

test('DuckDB reads each type of a Parquet file, including nulls', () =>
  withFolder(async (folder) => {
    const path = await write(folder, 'parquet', COLUMNS, BATCHES);
    const types = await askDuckDb(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${path}')`);
    assert.deepEqual(
      types.map((row) => row.column_type),
      ['VARCHAR', 'DOUBLE', 'BIGINT', 'BOOLEAN', 'DATE', 'TIMESTAMP WITH TIME ZONE', 'BLOB'],
    );
    const rows = await askDuckDb(
      `SELECT field, mean, count, clear, day::VARCHAR AS day, epoch_ms(time) AS time FROM '${path}'`,
    );
    const row = (i: number) => Object.values(rows[i] ?? {});
    assert.equal(rows.length, 20);
    assert.deepEqual(row(3), [
      'Feld "3", ä',
      0.75,
      3_000_000_021n,
      false,
      '2024-01-04',
      BigInt(Date.UTC(2024, 5, 1, 0, 0, 3, 3)),
    ]);
    assert.deepEqual(row(6), ['Feld "6", ä', null, null, null, null, null]);
    assert.equal(row(19)[1], 19 / 4);
  }));

test('DuckDB reads GeoParquet: shapes, boxes and metadata', () =>
  withFolder(async (folder) => {
    const path = await write(folder, 'geoparquet', COLUMNS, BATCHES);
    const [first, , , , , , empty] = await askDuckDb(`SELECT bbox FROM '${path}'`);
    const [xmin, ymin] = cornerOf(0);
    assert.deepEqual(first?.bbox, { xmin, ymin, xmax: xmin + 0.01, ymax: ymin + 0.01 });
    assert.equal(empty?.bbox, null);
    const [geo] = await askDuckDb(
      `SELECT decode(value) AS geo FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'geo'`,
    );
    const metadata = JSON.parse(String(geo?.geo));
    assert.deepEqual(metadata, {
      version: '1.1.0',
      primary_column: 'shape',
      columns: {
        shape: {
          encoding: 'WKB',
          geometry_types: ['Polygon'],
          bbox: [10, 48, 10 + 1.9 + 0.01, 48 + 0.00019 + 0.01],
          covering: {
            bbox: {
              xmin: ['bbox', 'xmin'],
              ymin: ['bbox', 'ymin'],
              xmax: ['bbox', 'xmax'],
              ymax: ['bbox', 'ymax'],
            },
          },
        },
      },
    });
  }));

test('a large table has several row groups, and small batches share one', () =>
  withFolder(async (folder) => {
    const path = await write(folder, 'parquet', COLUMNS.slice(0, 2), [
      ...Array.from({ length: 12 }, (_, i) => {
        const { rows, columns } = makeBatch(i * 10_000, 10_000);
        return { rows, columns: columns.slice(0, 2) };
      }),
    ]);
    const groups = await askDuckDb(
      `SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata('${path}') ORDER BY 1`,
    );
    assert.deepEqual(
      groups.map((group) => group.row_group_num_rows),
      [50_000n, 50_000n, 20_000n],
    );
    const [sum] = await askDuckDb(
      `SELECT count(*) AS n, count(DISTINCT field) AS names, sum(mean) AS total FROM '${path}'`,
    );
    const total = Array.from({ length: 120_000 }, (_, i) => (i % 7 === 6 ? 0 : i / 4)).reduce(
      (a, b) => a + b,
      0,
    );
    assert.deepEqual(sum, { n: 120_000n, names: 120_000n, total });
  }));

test('strings that repeat, are missing or fill several pages of Parquet are read by DuckDB', () =>
  withFolder(async (folder) => {
    const rows = 20_000;
    const columns: Column[] = [
      { name: 'place', type: 'text' },
      { name: 'nothing', type: 'text' },
      { name: 'value', type: 'number' },
      { name: 'long', type: 'text' },
      { name: 'clear', type: 'boolean' },
      { name: 'shape', type: 'geometry' },
    ];
    const shapes = Array.from({ length: 4 }, (_, i) => squareOf(i));
    const listOf = <T>(toCell: (row: number) => T): T[] => Array.from({ length: rows }, (_, i) => toCell(i));
    const toLong = (row: number): string => `${row}-${'ä'.repeat(100)}`;
    const batch: TableBatch = {
      rows,
      columns: [
        listOf((row) => ['Nord', 'Süd', null][Math.floor(row / 100) % 3] ?? null),
        listOf(() => null),
        Float64Array.from(listOf((row) => (row % 5 === 0 ? Number.NaN : row === 1 ? -0 : row))),
        listOf(toLong),
        listOf((row) => (row % 4 === 0 ? null : row % 2 === 0)),
        listOf((row) => shapes[Math.floor(row / 5_000)] ?? null),
      ],
    };
    const path = await write(folder, 'geoparquet', columns, [batch]);
    const [found] = await askDuckDb(
      `SELECT count(*) FILTER (place = 'Süd') AS south, count(nothing) AS none, count(value) AS valid, sum(value) AS total,
        count(DISTINCT long) AS long, any_value(long) FILTER (file_row_number = 19999) AS last,
        count(*) FILTER (clear) AS clear, count(clear) AS known, count(DISTINCT shape) AS shapes, min(bbox.xmin) AS west
      FROM read_parquet('${path}', file_row_number = true)`,
    );
    const some = listOf((row) => row).filter((row) => row % 5 !== 0);
    assert.deepEqual(found, {
      south: 6_700n,
      none: 0n,
      valid: 16_000n,
      total: some.reduce((sum, row) => sum + (row === 1 ? 0 : row), 0),
      long: 20_000n,
      last: toLong(19_999),
      clear: 5_000n,
      known: 15_000n,
      shapes: 4n,
      west: cornerOf(0)[0],
    });
    const chunks = await askDuckDb(
      `SELECT path_in_schema AS name, encodings LIKE '%DICTIONARY%' AS coded, stats_null_count AS nulls,
        stats_min_value AS least, stats_max_value AS most FROM parquet_metadata('${path}')`,
    );
    const chunkOf = (name: string) => chunks.find((chunk) => chunk.name === name);
    assert.deepEqual(chunkOf('place'), {
      name: 'place',
      coded: true,
      nulls: 6_600n,
      least: 'Nord',
      most: 'Süd',
    });
    assert.deepEqual(chunkOf('nothing'), {
      name: 'nothing',
      coded: false,
      nulls: 20_000n,
      least: null,
      most: null,
    });
    assert.deepEqual(chunkOf('value'), {
      name: 'value',
      coded: false,
      nulls: 4_000n,
      least: '-0.0',
      most: '19999.0',
    });
    assert.equal(chunkOf('long')?.coded, false);
    assert.equal(chunkOf('shape')?.coded, true);
  }));

test('CSV and GeoJSON are read back', () =>
  withFolder(async (folder) => {
    const csv = await readRows(await write(folder, 'csv', COLUMNS, BATCHES));
    // The column is named `shape`, which the reader knows.
    assert.deepEqual(csv[3], {
      row: 4,
      id: null,
      geometry: squareOf(3),
      fault: null,
      properties: Object.fromEntries(Object.entries(ROW_3).map(([name, value]) => [name, String(value)])),
    });
    assert.deepEqual(Object.values(csv[6]?.properties ?? {}), ['Feld "6", ä', null, null, null, null, null]);
    const geojson = await readRows(await write(folder, 'geojson', COLUMNS, BATCHES));
    assert.equal(geojson.length, 20);
    assert.deepEqual(geojson[3], {
      row: 4,
      id: null,
      geometry: squareOf(3),
      fault: null,
      properties: ROW_3,
    });
    assert.deepEqual([geojson[6]?.geometry, geojson[6]?.properties.mean], [null, null]);
  }));

test('any shapes and strings survive a CSV and GeoJSON round trip', async () => {
  const columns: Column[] = [
    { name: 'a "b", c', type: 'text' },
    { name: 'geometry', type: 'geometry' },
  ];
  const row = fc.tuple(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== ''),
    fc.option(anyShape),
  );
  for (const format of ['csv', 'geojson'] as const)
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) =>
        withFolder(async (folder) => {
          const batch = {
            rows: rows.length,
            columns: [rows.map(([text]) => text), rows.map(([, shape]) => shape)],
          };
          const read = await readRows(await write(folder, format, columns, [batch]), format);
          assert.deepEqual(
            read.map(({ properties, geometry }) => [properties['a "b", c'], geometry]),
            rows.map(([text, shape]) => [text, shape]),
          );
        }),
      ),
      { numRuns: 20 },
    );
});

test('a table without rows is a valid file', () =>
  withFolder(async (folder) => {
    for (const format of ['parquet', 'geoparquet', 'csv', 'geojson'] as const) {
      const path = await write(folder, format, COLUMNS, []);
      if (format === 'geojson' || format === 'csv') assert.deepEqual(await readRows(path), []);
      else assert.deepEqual(await askDuckDb(`SELECT count(*)::INT AS n FROM '${path}'`), [{ n: 0 }]);
    }
  }));

test('a stream has the same bytes as the file', () =>
  withFolder(async (folder) => {
    for (const format of STREAM_FORMATS) {
      const written = await readFile(await write(folder, format, COLUMNS, BATCHES));
      const batches = (async function* () {
        yield* BATCHES;
      })();
      assert.deepEqual(Buffer.concat(await collect(streamTable(format, COLUMNS, batches))), written, format);
    }
  }));

test('the file appears when it is finished, and discard leaves nothing', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.csv');
    const writer = await writeTable(path, 'csv', COLUMNS);
    await writer.write(makeBatch(0, 3));
    assert.ok(!(await readdir(folder)).includes('a.csv'));
    await writer.discard();
    assert.deepEqual(await readdir(folder), []);
  }));

test('invalid columns are refused', async () => {
  const text: Column = { name: 'a', type: 'text' };
  for (const columns of [[], [text, text], [{ name: '', type: 'text' } as const]])
    await assert.rejects(writeTable('/nowhere/a.csv', 'csv', columns), { code: 'bad-column' });
  await assert.rejects(writeTable('/nowhere/a', 'geoparquet', [text]), { code: 'bad-column' });
  const shape: Column = { name: 'shape', type: 'geometry' };
  const texts = (count: number) =>
    Array.from({ length: count }, (_, i): Column => ({ name: `c${i}`, type: 'text' }));
  for (const [format, max] of [
    ['geopackage', 1_999],
    ['shapefile', 256],
  ] as const) {
    await withFolder(async (folder) => {
      const path = join(folder, 'a');
      await assert.rejects(writeTable(path, format, [...texts(max), shape]), { code: 'too-many-columns' });
      const writer = await writeTable(path, format, [...texts(max - 1), shape]);
      await writer.write({ rows: 1, columns: [...texts(max - 1).map(() => ['x']), [null]] });
      await writer.finish();
      assert.equal(
        Object.keys((await readRows(path, null, { maxColumns: 3_000 }))[0]?.properties ?? {}).length,
        max - 1,
      );
    });
  }
  const long = 'x'.repeat(254);
  await withFolder(async (folder) => {
    const writer = await writeTable(join(folder, 'a'), 'shapefile', [...texts(255), shape]);
    await writer.write({ rows: 1, columns: [...texts(255).map(() => [long]), [null]] });
    await writer.finish();
    assert.equal((await readRows(join(folder, 'a')))[0]?.properties.c254, long);
  });
  await withFolder(async (folder) => {
    const writer = await writeTable(join(folder, 'a.csv'), 'csv', [text]);
    await assert.rejects(async () => writer.write({ rows: 1, columns: [] }), { code: 'bad-batch' });
    await assert.rejects(async () => writer.write({ rows: 2, columns: [['x']] }), { code: 'bad-batch' });
    await writer.discard();
  });
});
