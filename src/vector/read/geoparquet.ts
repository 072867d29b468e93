import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { AsyncBuffer } from 'hyparquet';
import { throwIfCancelled } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import { badInput, tooLarge, unsupported } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { parseWkb } from '../geometry/wkb.ts';
import type { FoundRow, VectorLimits } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import type { ShapeColumn } from './geo-columns.ts';
import { findShapeColumn, listColumns } from './geo-columns.ts';
import { checkGroup, DECOMPRESSORS } from './parquet-pages.ts';
import type { Reading } from './reading.ts';

/** The footer with the places of all pages; that of a million rows has some megabytes. */
const MAX_FOOTER_BYTES = 64 * 2 ** 20;

const DAY_MS = 86_400_000;

/** Values as properties have them; text and shapes are checked later. */
const PARSERS = {
  dateFromDays: (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10),
  jsonFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

/**
 * Reads GeoParquet, and Parquet with a column of well-known binary. Memory is bounded by one row group, whose size is
 * limited. Columns of lists and structures are left out.
 */
export async function* readGeoParquet({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const { parquetMetadataAsync, parquetRead } = await import('hyparquet');
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  const file = toAsyncBuffer(handle, size);
  await checkFooter(file);
  const metadata = await tried(() => parquetMetadataAsync(file, { geoparquet: false }));
  if (Number(metadata.num_rows) > limits.maxRows)
    throw tooLarge('too-many-rows', `The file has more than ${limits.maxRows} rows.`, {
      details: { maxRows: limits.maxRows },
    });
  const shape = findShapeColumn(metadata);
  const columns = listColumns(metadata, shape.name, limits.maxColumns);
  const rules = { toLonLat: shape.toLonLat, maxVertices: limits.maxVertices };
  const table = { shape, columns, rules, limits, shapeBytes: 0 };
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    throwIfCancelled(signal);
    const rowEnd = rowStart + Number(group.num_rows);
    await tried(() => checkGroup(file, group, new Set(columns), limits));
    let rows: readonly unknown[][] = [];
    await tried(() =>
      parquetRead({
        file,
        metadata,
        columns,
        rowStart,
        rowEnd,
        rowFormat: 'array',
        utf8: false,
        compressors: DECOMPRESSORS,
        parsers: PARSERS,
        onComplete: (found) => {
          rows = found;
        },
      }),
    );
    for (const values of rows) yield readRow(values, table);
    rowStart = rowEnd;
  }
}

/** A library on untrusted bytes throws errors of all kinds; those of the file system are not the file's fault. */
async function tried<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isSwathError(error) || (error instanceof Error && 'syscall' in error)) throw error;
    throw badInput('bad-shape-file', 'The file cannot be read as Parquet: it is damaged.', { cause: error });
  }
}

function toAsyncBuffer(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const length = end - start;
      if (!(start >= 0 && length >= 0 && end <= byteLength))
        throw new RangeError('a range outside of the file');
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) throw new RangeError('the file has become shorter');
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

async function checkFooter(file: AsyncBuffer): Promise<void> {
  const tail = file.byteLength < 12 ? null : Buffer.from(await file.slice(file.byteLength - 8));
  if (tail?.toString('latin1', 4) !== 'PAR1')
    throw badInput('bad-shape-file', 'The file is not Parquet, or truncated.');
  if (tail.readUInt32LE(0) > MAX_FOOTER_BYTES)
    throw tooLarge('shape-file-too-large', 'The footer of the Parquet file is too large.');
}

interface Table {
  readonly shape: ShapeColumn;
  readonly columns: readonly string[];
  readonly rules: GeometryRules;
  readonly limits: VectorLimits;
  /** Bytes of all shapes so far: one in a dictionary can stand for a million. */
  shapeBytes: number;
}

function readRow(values: readonly unknown[], table: Table): FoundRow {
  const { shape, columns, rules, limits } = table;
  const index = columns.indexOf(shape.name);
  const entries = columns.map((name, i) => [name, values[i]] as const).filter((_, i) => i !== index);
  const row = { id: null, properties: toProperties(entries) };
  const bytes = values[index];
  if (bytes === null || bytes === undefined) return { ...row, geometry: null, fault: null };
  if (!(bytes instanceof Uint8Array))
    throw unsupported('shape-encoding', 'The column of shapes does not hold bytes.');
  table.shapeBytes += bytes.length;
  if (table.shapeBytes > limits.maxUnpackedBytes)
    throw tooLarge('shape-file-too-large', 'The shapes of the file are too large in all.');
  if (bytes.length > limits.maxRowBytes)
    return toFault(`The row has more than ${limits.maxRowBytes} bytes.`, row);
  try {
    return { ...row, geometry: cleanGeometry(parseWkb(bytes).geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}
