import type { SchemaElement } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import type { Box } from '../geometry/bounds.ts';
import { boxOf } from '../geometry/bounds.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, ColumnValues, TableBatch, TableEncoder } from '../tables.ts';
import { cellOf, toMilliseconds } from '../tables.ts';
import type { GeoMetadata } from './geo-metadata.ts';
import { makeGeoMetadata } from './geo-metadata.ts';
import { writeChunk } from './parquet-chunk.ts';
import type { StoredColumn, StoredValue, StoredValues } from './parquet-columns.ts';
import { makeCoded, makeNumbers } from './parquet-columns.ts';
import { Drain, ELEMENTS } from './parquet-types.ts';

/** A row group is written when it has this many rows or bytes of text and geometry: readers skip row groups by their statistics. */
const GROUP = { rows: 50_000, bytes: 32 * 2 ** 20 } as const;

/**
 * Writes Parquet, compressed with Zstandard, row group by row group. With `isGeo` it is GeoParquet 1.1: geometries as
 * well-known binary, a column `bbox` that readers use to skip rows, and the metadata `geo`.
 */
export function makeParquetEncoder(columns: readonly Column[], isGeo: boolean): TableEncoder {
  const output = new Drain(1 << 20);
  const geometry = columns.findIndex(({ type }) => type === 'geometry');
  const geo = isGeo ? makeGeoMetadata(columns[geometry]!.name) : null;
  const boxes = geo === null ? [] : geo.boxElements(columns);
  const stored: StoredColumn[] = [
    ...columns.map(({ name, type }) =>
      type === 'number'
        ? makeNumbers([name], GROUP.rows)
        : makeCoded({ path: [name], type: ELEMENTS[type].type! }, GROUP.rows),
    ),
    ...boxes.slice(1).map(({ name }) => makeNumbers([boxes[0]!.name, name], GROUP.rows)),
  ];
  const elements = columns.map(
    ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }),
  );
  const fields = columns.length + (boxes.length === 0 ? 0 : 1);
  const writer = new ParquetWriter({
    writer: output,
    schema: [{ name: 'schema', num_children: fields }, ...elements, ...boxes],
    createdBy: 'swath',
  });
  const converters = columns.map(({ type }) => makeConvert(type));
  let rows = 0;
  let bytes = 0;

  /** Writes a row group: pages are our own, what the file says of them at its end is the library's. */
  function flush(): void {
    if (rows === 0) return;
    const from = output.offset;
    const chunks = stored.map((column) => writeChunk(output, column.take(rows)));
    const sizes = chunks.map(({ chunk }) => chunk.meta_data!.total_uncompressed_size);
    writer.pendingIndexes.push(...chunks);
    writer.num_rows += BigInt(rows);
    writer.row_groups.push({
      columns: chunks.map(({ chunk }) => chunk),
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(output.offset - from),
    });
    rows = 0;
    bytes = 0;
  }

  /** Appends rows of a batch whose columns are converted. */
  function add(converted: readonly StoredValues[], from: number, until: number): void {
    for (const [i, column] of stored.entries()) column.put(rows, converted[i]!, { from, until });
    rows += until - from;
  }

  /** Column by column: cell by cell takes several times as long. */
  function convert(batch: TableBatch): readonly StoredValues[] {
    const converted = columns.map((_, i) => converters[i]!(batch.columns[i]!, batch.rows));
    return geo === null ? converted : [...converted, ...toBoxes(batch.columns[geometry]!, batch.rows, geo)];
  }

  return {
    begin: () => output.drain(),
    encode: (batch) => {
      const converted = convert(batch);
      const sizes = countBytes(converted, batch.rows);
      let from = 0;
      for (let row = 0; row < batch.rows; row++) {
        bytes += sizes[row]!;
        if (rows + row + 1 - from < GROUP.rows && bytes < GROUP.bytes) continue;
        add(converted, from, row + 1);
        flush();
        from = row + 1;
      }
      add(converted, from, batch.rows);
      return output.drain();
    },
    end: () => {
      flush();
      if (geo !== null) writer.kvMetadata = [{ key: 'geo', value: JSON.stringify(geo.toJson(columns)) }];
      void writer.finish();
      return output.drain();
    },
  };
}

/** The sides of the boxes around shapes, a column each. Rows of one shape often follow each other. */
function toBoxes(cells: ColumnValues, rows: number, geo: GeoMetadata): readonly Float64Array[] {
  const sides = Array.from({ length: 4 }, () => new Float64Array(rows).fill(Number.NaN));
  let [last, box]: [ShapeGeometry | null, Box | null] = [null, null];
  for (let row = 0; row < rows; row++) {
    const shape = cellOf(cells, row) as ShapeGeometry | null;
    if (shape !== last) {
      box = shape && boxOf(shape);
      geo.note(shape, box);
      last = shape;
    }
    if (box === null) continue;
    for (const [i, side] of [box.xmin, box.ymin, box.xmax, box.ymax].entries()) sides[i]![row] = side;
  }
  return sides;
}

/** The bytes of texts and geometries in each row. */
function countBytes(columns: readonly StoredValues[], rows: number): Float64Array {
  const sizes = new Float64Array(rows);
  for (const column of columns) {
    if (column instanceof Float64Array) continue;
    for (let row = 0; row < rows; row++) {
      const value = column[row];
      if (typeof value === 'string' || value instanceof Uint8Array) sizes[row]! += value.length;
    }
  }
  return sizes;
}

type Cell = NonNullable<ReturnType<typeof cellOf>>;

/** Texts of times whose numbers are remembered. */
const MAX_TIMES = 1_000;

/** Converts the cells of a column to what Parquet stores. */
function makeConvert(type: ColumnType): (cells: ColumnValues, rows: number) => StoredValues {
  if (type === 'number') return toNumbers;
  const toStored = makeToStored(type);
  return (cells, rows) => {
    const stored = new Array<StoredValue | null>(rows);
    for (let row = 0; row < rows; row++) {
      const cell = cellOf(cells, row);
      stored[row] = cell === null ? null : toStored(cell);
    }
    return stored;
  };
}

const toNumbers = (cells: ColumnValues, rows: number): Float64Array =>
  cells instanceof Float64Array
    ? cells
    : Float64Array.from({ length: rows }, (_, row) => (cellOf(cells, row) as number | null) ?? Number.NaN);

function makeToStored(type: ColumnType): (cell: Cell) => StoredValue | null {
  switch (type) {
    case 'text':
      return (cell) => (typeof cell === 'string' ? cell : String(cell));
    case 'integer':
      return (cell) => (Number.isFinite(cell) ? BigInt(Math.trunc(cell as number)) : null);
    case 'date':
      return rememberTimes((time) => Math.floor(time / DAY_MS));
    case 'timestamp':
      return rememberTimes((time) => BigInt(Math.trunc(time)));
    case 'geometry':
      return rememberLast((cell) => toWkb(cell as ShapeGeometry));
    default:
      return (cell) => cell as boolean;
  }
}

const DAY_MS = 86_400_000;

/** Converts a cell once for all rows that follow each other with it. */
function rememberLast<T>(toStored: (cell: Cell) => T): (cell: Cell) => T {
  let known: { readonly cell: Cell; readonly stored: T } | null = null;
  return (cell) => {
    if (known?.cell !== cell) known = { cell, stored: toStored(cell) };
    return known.stored;
  };
}

/** Converts times: a table has few different ones, and parsing their texts takes longer than all else. */
function rememberTimes(toStored: (time: number) => number | bigint): (cell: Cell) => number | bigint | null {
  const known = new Map<Cell, number | bigint | null>();
  return (cell) => {
    const found = known.get(cell);
    if (found !== undefined) return found;
    const time = toMilliseconds(cell);
    const stored = time === null || Math.abs(time) > MAX_TIME_MS ? null : toStored(time);
    if (known.size >= MAX_TIMES) known.clear();
    known.set(cell, stored);
    return stored;
  };
}

/** The range of JavaScript's dates. */
const MAX_TIME_MS = 8.64e15;
