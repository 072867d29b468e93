import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { deltaBinaryUnpack, deltaLengthByteArray } from 'hyparquet/src/delta.js';
import { byteStreamSplit } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { snappyUncompress } from 'hyparquet/src/snappy.js';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { DAY_MS } from '../../units.ts';
import { unsupported } from '../errors.ts';
import { toIsoTime } from '../tables.ts';
import { readRuns } from './rle-runs.ts';

/** Values as properties have them; shapes are parsed later. */
const PARSERS = {
  ...DEFAULT_PARSERS,
  dateFromDays: (days: number) => toIsoTime(days * DAY_MS)?.slice(0, 10) ?? null,
  jsonFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

/** Numbers of the format (parquet.thrift). */
const PAGE = { data: 0, dictionary: 2, dataV2: 3 } as const;
const ENCODING = {
  plain: 0,
  plainDictionary: 2,
  runs: 3,
  delta: 5,
  deltaLength: 6,
  dictionary: 8,
  split: 9,
} as const;

type Values = ArrayLike<unknown>;

/** A column chunk of a row group. */
interface ColumnChunk {
  readonly element: SchemaElement;
  readonly codec: string;
  /** Bytes that its pages may have after unpacking. */
  readonly maxBytes: number;
}

/** A column chunk with its levels (Dremel): which part of a document each entry belongs to. */
export interface NestedChunk extends ColumnChunk {
  /** Values and nulls. */
  readonly entries: number;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** The entries of a column chunk. */
export interface ColumnEntries {
  /** Values without nulls. */
  readonly values: unknown[];
  /** The level of each entry, `maxDefinition` where there is a value; null if every entry has one. */
  readonly definitions: Uint8Array | null;
  /** 0 where a row begins; null if every entry is a row. */
  readonly repetitions: Uint8Array | null;
  readonly unpackedBytes: number;
}

/** The values of a column chunk whose column holds one value a row, null where there is none. */
export function readColumnChunk(
  bytes: Uint8Array,
  chunk: ColumnChunk & { readonly rows: number },
): { values: unknown[]; unpackedBytes: number } {
  const { element, rows } = chunk;
  const maxDefinition = element.repetition_type === 'OPTIONAL' ? 1 : 0;
  const read = readEntries(bytes, { ...chunk, entries: rows, maxDefinition, maxRepetition: 0 });
  const { values, definitions, unpackedBytes } = read;
  if (definitions === null || values.length === rows) return { values, unpackedBytes };
  let next = 0;
  return { values: Array.from(definitions, (level) => (level === 1 ? values[next++] : null)), unpackedBytes };
}

/**
 * The entries of a column chunk. Nothing is believed that a page claims: a damaged or hostile one throws an error of any
 * kind before it takes more memory than the limits allow.
 */
export function readEntries(bytes: Uint8Array, chunk: NestedChunk): ColumnEntries {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const { entries, maxDefinition, maxRepetition } = chunk;
  const column: OpenColumn = {
    chunk,
    dictionary: [],
    values: [],
    definitions: maxDefinition === 0 ? null : new Uint8Array(entries),
    repetitions: maxRepetition === 0 ? null : new Uint8Array(entries),
    seen: 0,
  };
  const { values, definitions, repetitions } = column;
  let unpackedBytes = 0;
  while (column.seen < entries) {
    const header = deserializeTCompactProtocol(reader);
    const [size, stored] = [Number(header.field_2), Number(header.field_3)];
    if (!(size >= 0 && stored >= 0 && reader.offset + stored <= bytes.length))
      throw new RangeError('a page outside of its column');
    const page = bytes.subarray(reader.offset, reader.offset + stored);
    reader.offset += stored;
    unpackedBytes += size;
    if (unpackedBytes > chunk.maxBytes) break;
    if (header.field_1 === PAGE.dictionary) {
      const body = unpack(page, size, chunk.codec);
      const count = Number(header.field_7?.field_1);
      // Each value has bytes of its own, or at least a bit.
      if (!(count >= 0 && count <= 8 * size)) throw new RangeError('a dictionary of too many values');
      column.dictionary = toRich(readPlainValues(body, count, chunk.element), chunk.element);
    } else if (header.field_1 === PAGE.data) readPage(page, size, header.field_5, column);
    else if (header.field_1 === PAGE.dataV2) readPageV2(page, size, header.field_8, column);
  }
  return { values, definitions, repetitions, unpackedBytes };
}

/** A column that is read: what it has so far. */
interface OpenColumn extends Omit<ColumnEntries, 'unpackedBytes'> {
  readonly chunk: NestedChunk;
  dictionary: Values;
  /** Entries so far. */
  seen: number;
}

type Header = Readonly<Record<string, unknown>> | undefined;

/** The number of entries of a page, which are at most those that are missing. */
function countOf(header: Header, { chunk, seen }: OpenColumn): number {
  const count = Number(header?.field_1);
  if (!(count > 0 && seen + count <= chunk.entries)) throw new RangeError('a page of too many values');
  return count;
}

/** The bits that a level takes. */
const widthOf = (max: number): number => 32 - Math.clz32(max);

function readPage(stored: Uint8Array, size: number, header: Header, column: OpenColumn): void {
  const { maxDefinition, maxRepetition, codec } = column.chunk;
  const count = countOf(header, column);
  let page = unpack(stored, size, codec);
  const takeLevels = (max: number, encoding: unknown): Uint32Array | null => {
    if (max === 0) return null;
    if (Number(encoding) !== ENCODING.runs) throw new RangeError('levels of an old encoding');
    const length = new DataView(page.buffer, page.byteOffset, page.byteLength).getUint32(0, true);
    const levels = readRuns(page.subarray(4, 4 + length), widthOf(max), count);
    page = page.subarray(4 + length);
    return levels;
  };
  const repetitions = takeLevels(maxRepetition, header?.field_4);
  const definitions = takeLevels(maxDefinition, header?.field_3);
  append({ page, encoding: Number(header?.field_2), count, definitions, repetitions }, column);
}

function readPageV2(stored: Uint8Array, size: number, header: Header, column: OpenColumn): void {
  const { maxDefinition, maxRepetition, codec } = column.chunk;
  const count = countOf(header, column);
  const [defined, repeated] = [Number(header?.field_5 ?? 0), Number(header?.field_6 ?? 0)];
  const start = defined + repeated;
  if (!(defined >= 0 && repeated >= 0 && start <= stored.length && start <= size))
    throw new RangeError('levels outside of their page');
  const takeLevels = (from: number, until: number, max: number): Uint32Array | null =>
    max === 0 ? null : readRuns(stored.subarray(from, until), widthOf(max), count);
  const repetitions = takeLevels(0, repeated, maxRepetition);
  const definitions = takeLevels(repeated, start, maxDefinition);
  const body = stored.subarray(start);
  const page = header?.field_7 === false ? body : unpack(body, size - start, codec);
  append({ page, encoding: Number(header?.field_4), count, definitions, repetitions }, column);
}

/** A page after unpacking. */
interface OpenPage {
  readonly page: Uint8Array;
  readonly encoding: number;
  readonly count: number;
  readonly definitions: Uint32Array | null;
  readonly repetitions: Uint32Array | null;
}

/** Adds the entries of a page. */
function append({ page, encoding, count, definitions, repetitions }: OpenPage, column: OpenColumn): void {
  const { chunk, dictionary, values, seen } = column;
  let present = count;
  if (definitions !== null) {
    present = 0;
    for (const level of definitions) if (level === chunk.maxDefinition) present += 1;
    column.definitions?.set(definitions, seen);
  }
  if (repetitions !== null) column.repetitions?.set(repetitions, seen);
  const found = decode(page, encoding, present, chunk.element, dictionary);
  if (found.length < present) throw new RangeError('a page of too few values');
  for (let i = 0; i < present; i++) values.push(found[i]);
  column.seen = seen + count;
}

function decode(
  page: Uint8Array,
  encoding: number,
  count: number,
  element: SchemaElement,
  dictionary: Values,
): Values {
  if (count === 0) return [];
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
  switch (encoding) {
    case ENCODING.plain:
      return toRich(readPlainValues(page, count, element), element);
    case ENCODING.plainDictionary:
    case ENCODING.dictionary: {
      const indexes = readRuns(page.subarray(1), page[0] ?? 99, count);
      return Array.from(indexes, (index) => {
        if (index >= dictionary.length) throw new RangeError('a value that is not in the dictionary');
        return dictionary[index];
      });
    }
    case ENCODING.runs:
      if (element.type !== 'BOOLEAN') break;
      return Array.from(readRuns(page.subarray(4), 1, count), Boolean);
    case ENCODING.delta: {
      const values = element.type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, values);
      return toRich(values, element);
    }
    case ENCODING.deltaLength: {
      const values = new Array<Uint8Array>(count);
      deltaLengthByteArray(reader, count, values);
      return toRich(values, element);
    }
    case ENCODING.split:
      return toRich(byteStreamSplit(reader, count, element.type!, element.type_length), element);
  }
  throw unsupported('shape-encoding', 'A column of the Parquet file has an encoding that is not read.');
}

type Plain = ReturnType<typeof readPlain>;

function readPlainValues(page: Uint8Array, count: number, { type, type_length }: SchemaElement): Plain {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  return readPlain({ view, offset: 0 }, type!, count, type_length);
}

const toRich = (values: Plain, element: SchemaElement): Values =>
  // Only the element and the parsers count for columns of the top level.
  convert(values, { element, parsers: PARSERS, utf8: false } as never);

/** Unpacks a page; it cannot become longer than its header says. */
function unpack(stored: Uint8Array, size: number, codec: string): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  const options = { maxOutputLength: size };
  switch (codec) {
    case 'UNCOMPRESSED':
      return stored;
    case 'SNAPPY': {
      const page = new Uint8Array(size);
      snappyUncompress(stored, page);
      return page;
    }
    case 'GZIP':
      return gunzipSync(stored, options);
    case 'BROTLI':
      return brotliDecompressSync(stored, options);
    case 'ZSTD':
      return zstdDecompressSync(stored, options);
    default:
      throw unsupported(
        'shape-encoding',
        `Parquet files that are compressed with ${codec} are not read; use ZSTD or SNAPPY.`,
      );
  }
}
