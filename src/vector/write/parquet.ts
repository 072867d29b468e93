import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { boxOf } from '../geometry/bounds.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, TableBatch, TableEncoder } from '../tables.ts';
import { cellOf, toMilliseconds } from '../tables.ts';
import { makeGeoMetadata } from './geo-metadata.ts';

/** A row group is written when it has this many rows or bytes of text and geometry: readers skip row groups by their statistics. */
const GROUP = { rows: 50_000, bytes: 32 * 2 ** 20 } as const;

/** The types of Parquet; integers have 64 bits, and times are in UTC. */
const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  geometry: { type: 'BYTE_ARRAY' },
};

/** Hands out what has been written so far. */
class Drain extends ByteWriter {
  drain(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

/** A column of the file with the values of the row group that is collected. */
interface Leaf {
  readonly name: string;
  readonly elements: readonly SchemaElement[];
  values: unknown[];
}

const COMPRESSORS = {
  ZSTD: (bytes: Uint8Array): Uint8Array =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
};

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

  function add(batch: TableBatch, row: number): void {
    columns.forEach(({ type }, i) => {
      const value = toParquet(cellOf(batch.columns[i]!, row), type);
      leaves[i]!.values.push(value);
      if (value instanceof Uint8Array || typeof value === 'string') bytes += value.length;
    });
    if (boxes !== null) {
      const shape = cellOf(batch.columns[geometry]!, row) as ShapeGeometry | null;
      const box = shape && boxOf(shape);
      geo?.note(shape, box);
      boxes.values.push(box);
    }
    rows++;
  }

  return {
    begin: () => output.drain(),
    encode: (batch) => {
      for (let row = 0; row < batch.rows; row++) {
        add(batch, row);
        if (rows >= GROUP.rows || bytes >= GROUP.bytes) flush();
      }
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

function toParquet(value: ReturnType<typeof cellOf>, type: ColumnType): unknown {
  if (value === null) return null;
  switch (type) {
    case 'text':
      return String(value);
    case 'integer':
      return Number.isFinite(value) ? BigInt(Math.trunc(value as number)) : null;
    case 'date':
    case 'timestamp': {
      const time = toMilliseconds(value);
      return time === null ? null : new Date(time);
    }
    case 'geometry':
      return toWkb(value as ShapeGeometry);
    default:
      return value;
  }
}
