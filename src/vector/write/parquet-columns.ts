/** Columns of the row group that is collected, in typed arrays: as objects their values would keep the garbage collector busy. */
import type { ParquetType, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import type { ChunkPage, ColumnChunk } from './parquet-chunk.ts';

/** A value as Parquet stores it; texts are encoded when they are written. */
export type StoredValue = string | number | bigint | boolean | Uint8Array;

/** Values of a column; in a Float64Array NaN is null. */
export type StoredValues = readonly (StoredValue | null)[] | Float64Array;

/** Rows of a batch, and the one after the last. */
export interface RowRange {
  readonly from: number;
  readonly until: number;
}

/** The values of a column in the row group that is collected. */
export interface StoredColumn {
  /** Puts rows of a batch, after as many as there are. */
  put(rows: number, values: StoredValues, range: RowRange): void;
  /** All rows, valid until more are put; the next row group begins without any. */
  take(rows: number): ColumnChunk;
}

/** A leaf of the schema. */
export interface Leaf {
  /** The names from the column to the leaf. */
  readonly path: readonly string[];
  readonly type: ParquetType;
}

/** Numbers: their bytes are a page of Parquet, on machines of either kind that Node.js runs on. */
export function makeNumbers(path: readonly string[], maxRows: number): StoredColumn {
  let numbers = new Float64Array(0);
  return {
    put(rows, values, { from, until }) {
      if (numbers.length === 0) numbers = new Float64Array(maxRows);
      numbers.set((values as Float64Array).subarray(from, until), rows);
    },
    take(rows) {
      const levels = new Uint8Array(rows).fill(1);
      let [min, max, count] = [Infinity, -Infinity, 0];
      for (let row = 0; row < rows; row += 1) {
        const value = numbers[row] as number;
        if (Number.isNaN(value)) {
          levels[row] = 0;
          continue;
        }
        if (value < min) min = value;
        if (value > max) max = value;
        numbers[count] = value;
        count += 1;
      }
      const bytes = new Uint8Array(numbers.buffer, 0, 8 * count);
      return {
        path,
        type: 'DOUBLE',
        dictionary: null,
        pages: [{ rows, levels, nulls: rows - count, bytes }],
        // Both zeros are equal: the bounds have to hold either.
        statistics: {
          null_count: BigInt(rows - count),
          ...(count === 0 ? {} : { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max }),
        },
      };
    },
  };
}

/** Bytes of values in a page. */
const PAGE_BYTES = 2 ** 20;

/** Everything else: each distinct value once, and for each row its number; 0 is null. */
export function makeCoded({ path, type }: Leaf, maxRows: number): StoredColumn {
  let codes = new Uint32Array(0);
  let values: StoredValue[] = [];
  let known = new Map<StoredValue, number>();

  return {
    put(rows, cells, { from, until }) {
      if (codes.length === 0) codes = new Uint32Array(maxRows);
      let [last, code]: [unknown, number] = [null, 0];
      for (let row = from; row < until; row += 1) {
        const value = cells[row] as StoredValue | null;
        if (value !== last) {
          last = value;
          code = value === null ? 0 : (known.get(value) ?? 0);
          if (code === 0 && value !== null) {
            code = values.push(value);
            known.set(value, code);
          }
        }
        codes[rows + row - from] = code;
      }
    },
    take(rows) {
      const own = codes.subarray(0, rows);
      const stored = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
      values = [];
      known = new Map();
      const encoded = encode(own, stored, type);
      const nulls = encoded.pages.reduce((sum, page) => sum + page.nulls, 0);
      return { path, type, ...encoded, statistics: toStatistics(stored, nulls) };
    },
  };
}

function encode(
  codes: Uint32Array,
  values: readonly StoredValue[],
  type: ParquetType,
): Pick<ColumnChunk, 'dictionary' | 'pages'> {
  const sizes = Float64Array.from(values, (value) => sizeOf(value, type));
  const bitWidth = Math.ceil(Math.log2(values.length));
  let [plainBytes, count] = [0, 0];
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    if (code === 0) continue;
    plainBytes += sizes[code - 1] as number;
    count += 1;
  }
  const codedBytes = sizes.reduce((sum, size) => sum + size, 0) + (count * bitWidth) / 8;
  // Readers and the compression take the plain values as well: a dictionary has to be worth it.
  if (count === 0 || type === 'BOOLEAN' || 2 * codedBytes > plainBytes)
    return { dictionary: null, pages: toPlainPages(codes, { values, sizes, type }) };
  const dictionary = new ByteWriter();
  writePlain(dictionary, [...values], type, undefined);
  const page = toPage(codes, (own) => {
    const bytes = new ByteWriter(own.length);
    bytes.appendUint8(bitWidth);
    const positions = own.map((code) => code - 1);
    writeRleBitPackedHybrid(bytes, positions, bitWidth);
    return bytes.getBytes();
  });
  return { dictionary: { count: values.length, bytes: dictionary.getBytes() }, pages: [page] };
}

/** Bytes of a value without compression. */
function sizeOf(value: StoredValue, type: ParquetType): number {
  if (value instanceof Uint8Array) return 4 + value.length;
  if (type === 'BOOLEAN') return 1 / 8;
  return type === 'INT32' ? 4 : 8;
}

interface PlainValues {
  readonly values: readonly StoredValue[];
  readonly sizes: Float64Array;
  readonly type: ParquetType;
}

function toPlainPages(codes: Uint32Array, { values, sizes, type }: PlainValues): readonly ChunkPage[] {
  const pages: ChunkPage[] = [];
  const add = (from: number, until: number): void => {
    const page = toPage(codes.subarray(from, until), (own) => {
      const bytes = new ByteWriter();
      const stored = Array.from(own, (code) => values[code - 1]);
      writePlain(bytes, stored, type, undefined);
      return bytes.getBytes();
    });
    pages.push(page);
  };
  let [from, bytes] = [0, 0];
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    bytes += sizes[code - 1] ?? 0;
    if (bytes < PAGE_BYTES || row === from) continue;
    add(from, row);
    from = row;
    bytes = sizes[code - 1] ?? 0;
  }
  add(from, codes.length);
  return pages;
}

/** A page of rows; `write` gets the codes of those that have a value. */
function toPage(codes: Uint32Array, write: (codes: Uint32Array) => Uint8Array): ChunkPage {
  const levels = new Uint8Array(codes.length).fill(1);
  for (let row = 0; row < codes.length; row += 1) if (codes[row] === 0) levels[row] = 0;
  const own = levels.includes(0) ? codes.filter((code) => code > 0) : codes;
  return { rows: codes.length, levels, nulls: codes.length - own.length, bytes: write(own) };
}

function toStatistics(values: readonly StoredValue[], nulls: number): Statistics {
  const [first] = values;
  if (first === undefined) return { null_count: BigInt(nulls) };
  let [min_value, max_value] = [first, first];
  for (const value of values) {
    if (isLess(value, min_value)) min_value = value;
    if (isLess(max_value, value)) max_value = value;
  }
  return { null_count: BigInt(nulls), min_value, max_value };
}

/** Bytes are compared one by one, also those of texts. */
const isLess = (one: StoredValue, other: StoredValue): boolean =>
  one instanceof Uint8Array ? Buffer.compare(one, other as Uint8Array) < 0 : one < other;
