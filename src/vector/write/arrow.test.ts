import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import * as fc from 'fast-check';
import { parseWkb } from '../geometry/wkb.ts';
import type { TableBatch } from '../index.ts';
import { streamTable } from '../index.ts';
import { collect } from '../testing/read-rows.ts';
import { COLUMNS, makeBatch, squareOf } from '../testing/table.ts';

async function toTable(columns: typeof COLUMNS, batches: readonly TableBatch[]) {
  const stream = (async function* () {
    yield* batches;
  })();
  return tableFromIPC(Buffer.concat(await collect(streamTable('arrow', columns, stream))));
}

test('the Arrow library reads each type, including nulls', async () => {
  const table = await toTable(COLUMNS, [makeBatch(0, 10), makeBatch(10, 0), makeBatch(10, 11)]);
  assert.deepEqual(
    table.schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable]),
    [
      ['field', 'Utf8', true],
      ['mean', 'Float64', true],
      ['count', 'Int64', true],
      ['clear', 'Bool', true],
      ['day', 'Date32<DAY>', true],
      ['time', 'Timestamp<MILLISECOND, UTC>', true],
      ['shape', 'Binary', true],
    ],
  );
  assert.equal(table.schema.fields[6]?.metadata.get('ARROW:extension:name'), 'geoarrow.wkb');
  assert.equal(table.numRows, 21);
  const { field, mean, count, clear, day, time, shape } = table.get(3)?.toJSON() ?? {};
  assert.deepEqual([field, mean, count, clear], ['Feld "3", ä', 0.75, 3_000_000_021n, false]);
  assert.equal(new Date(Number(day)).toISOString().slice(0, 10), '2024-01-04');
  assert.equal(Number(time), Date.UTC(2024, 5, 1, 0, 0, 3, 3));
  assert.deepEqual(parseWkb(shape as Uint8Array).geometry, squareOf(3));
  assert.deepEqual(Object.values(table.get(20)?.toJSON() ?? {}).slice(1), Array(6).fill(null));
  assert.equal(table.get(19)?.toJSON().field, 'Feld "19", ä');
});

test('a stream without rows has its schema', async () => {
  const table = await toTable(COLUMNS, []);
  assert.deepEqual([table.numRows, table.schema.fields.length], [0, 7]);
});

test('any values are read back', async () => {
  const row = fc.tuple(
    fc.option(fc.string({ unit: 'grapheme' })),
    fc.option(fc.double({ noNaN: true })),
    fc.option(fc.maxSafeInteger()),
    fc.option(fc.boolean()),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 4 }), async (groups) => {
      const batches = groups.map((rows) => ({
        rows: rows.length,
        columns: [0, 1, 2, 3].map((i) => rows.map((values) => values[i] ?? null)),
      }));
      const table = await toTable(COLUMNS.slice(0, 4), batches);
      const read = table.toArray().map((one) => Object.values(one?.toJSON() ?? {}));
      const written = groups
        .flat()
        .map(([text, number, integer, flag]) => [
          ...[text, number],
          ...[integer === null ? null : BigInt(integer), flag],
        ]);
      assert.deepEqual(read, written);
    }),
    { numRuns: 50 },
  );
});
