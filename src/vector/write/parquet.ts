import type { SchemaElement } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import { boxOf } from '../geometry/bounds.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, ColumnValues, TableBatch, TableEncoder } from '../tables.ts';
import { cellOf, toMilliseconds } from '../tables.ts';
import { makeGeoMetadata } from './geo-metadata.ts';
import { COMPRESSORS, Drain, ELEMENTS } from './parquet-types.ts';

/** A row group is written when it has this many rows or bytes of text and geometry: readers skip row groups by their statistics. */
const GROUP = { rows: 50_000, bytes: 32 * 2 ** 20 } as const;

/** A column of the file with the values of the row group that is collected. */
interface Leaf {
  readonly name: string;
  readonly elements: readonly SchemaElement[];
  values: unknown[];
}

/**
 * Writes Parquet, compressed with Zstandard, row group by row group. With `isGeo` it is GeoParquet 1.1: geometries as
 * well-known binary, a column `bbox` that readers use to skip rows, and the metadata `geo`.
 */
export function makeParquetEncoder(columns: readonly Column[], isGeo: boolean): TableEncoder {
  const output = new Drain(1 << 20);
  const geometry = columns.findIndex(({ type }) => type === 'geometry');
  const geo = isGeo ? makeGeoMetadata(columns[geometry]!.name) : null;
  const leaves: Leaf[] = columns.map(({ name, type }) => ({
    name,
    elements: [{ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }],
    values: [],
  }));
  const boxes: Leaf | null = geo && {
    name: geo.boxName(columns),
    elements: geo.boxElements(columns),
    values: [],
  };
  const all = boxes === null ? leaves : [...leaves, boxes];
  const writer = new ParquetWriter({
    writer: output,
    schema: [{ name: 'schema', num_children: all.length }, ...all.flatMap(({ elements }) => elements)],
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'swath',
  });
  const converters = columns.map(({ type }) => makeConvert(type));
  let rows = 0;
  let bytes = 0;

  function flush(): void {
    if (rows === 0) return;
    void writer.write({
      columnData: all.map(({ name, values }) => ({ name, data: values })),
      rowGroupSize: rows,
    });
    for (const leaf of all) leaf.values = [];
    rows = 0;
    bytes = 0;
  }

  /** Appends rows of a batch whose columns are converted. */
  function add(converted: readonly (readonly unknown[])[], from: number, until: number): void {
    for (const [i, { values }] of all.entries()) {
      const column = converted[i]!;
      for (let row = from; row < until; row++) values.push(column[row]);
    }
    rows += until - from;
  }

  /** Column by column: cell by cell takes several times as long. */
  function convert(batch: TableBatch): readonly (readonly unknown[])[] {
    const converted = columns.map((_, i) => converters[i]!(batch.columns[i]!, batch.rows));
    if (boxes === null) return converted;
    const bounds = Array.from({ length: batch.rows }, (_, row) => {
      const shape = cellOf(batch.columns[geometry]!, row) as ShapeGeometry | null;
      const box = shape && boxOf(shape);
      geo?.note(shape, box);
      return box;
    });
    return [...converted, bounds];
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

/** The bytes of texts and geometries in each row. */
function countBytes(columns: readonly (readonly unknown[])[], rows: number): Float64Array {
  const sizes = new Float64Array(rows);
  for (const column of columns) {
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
function makeConvert(type: ColumnType): (cells: ColumnValues, rows: number) => readonly unknown[] {
  const toStored = makeToStored(type);
  return (cells, rows) => {
    const stored = new Array<unknown>(rows);
    for (let row = 0; row < rows; row++) {
      const cell = cellOf(cells, row);
      stored[row] = cell === null ? null : toStored(cell);
    }
    return stored;
  };
}

function makeToStored(type: ColumnType): (cell: Cell) => unknown {
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
      return (cell) => toWkb(cell as ShapeGeometry);
    default:
      return (cell) => cell;
  }
}

const DAY_MS = 86_400_000;

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
