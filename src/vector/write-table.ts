import { openUnfinished, toSystemCode, toWriteError } from '../files/index.ts';
import { badInput, internal, tooLarge } from './errors.ts';
import type { Column, StreamFormat, TableBatch, TableEncoder, TableFormat, TableWriter } from './tables.ts';
import { makeArrowEncoder } from './write/arrow.ts';
import { makeCsvEncoder } from './write/csv.ts';
import { makeGeoJsonEncoder } from './write/geojson.ts';
import { writeGeoPackage } from './write/geopackage.ts';
import { makeParquetEncoder } from './write/parquet.ts';
import { writeShapefile } from './write/shapefile.ts';

/** Formats without shapes are tables of values alone. */
const NEEDS_SHAPES: ReadonlySet<TableFormat> = new Set(['geoparquet', 'geopackage', 'shapefile']);

/** Columns that the formats can hold, with their shape: 255 texts of 254 bytes still fit into a row of a Shapefile. */
const MAX_COLUMNS: Partial<Record<TableFormat, number>> = { geopackage: 1_999, shapefile: 256 };

const ENCODERS: Readonly<Record<StreamFormat, (columns: readonly Column[]) => TableEncoder>> = {
  arrow: makeArrowEncoder,
  csv: makeCsvEncoder,
  geojson: makeGeoJsonEncoder,
  parquet: (columns) => makeParquetEncoder(columns, false),
  geoparquet: (columns) => makeParquetEncoder(columns, true),
};

/** Options of `writeTable`. */
export interface WriteTableOptions {
  /** The name of the table in formats that have one: letters, digits, underscores and dashes. */
  readonly layer?: string;
}

/**
 * Begins a table at a path. Rows come in batches of any size; the file appears when `finish` resolves. Columns that the
 * format cannot hold throw `bad-column`.
 */
export async function writeTable(
  path: string,
  format: TableFormat,
  columns: readonly Column[],
  { layer = 'swath' }: WriteTableOptions = {},
): Promise<TableWriter> {
  checkColumns(format, columns);
  if (!/^[\w-]{1,60}$/.test(layer))
    throw badInput('bad-column', 'The name of a table has letters, digits, underscores and dashes.');
  if (format === 'geopackage') return withChecks(await writeGeoPackage(path, columns, layer), columns);
  if (format === 'shapefile') return withChecks(await writeShapefile(path, columns, layer), columns);
  return withChecks(await writeEncoded(path, ENCODERS[format](columns)), columns);
}

/** The same as bytes in order, while the batches are made. */
export async function* streamTable(
  format: StreamFormat,
  columns: readonly Column[],
  batches: AsyncIterable<TableBatch>,
): AsyncGenerator<Uint8Array> {
  checkColumns(format, columns);
  const encoder = ENCODERS[format](columns);
  yield encoder.begin();
  for await (const batch of batches) {
    checkBatch(batch, columns);
    const bytes = encoder.encode(batch);
    // A row group collects several batches.
    if (bytes.length > 0) yield bytes;
  }
  yield encoder.end();
}

/** A writer that refuses batches of another shape and says what the disk lacks. */
const withChecks = (writer: TableWriter, columns: readonly Column[]): TableWriter => ({
  async write(batch) {
    checkBatch(batch, columns);
    await writer.write(batch).catch(rethrow);
  },
  finish: () => writer.finish().catch(rethrow),
  discard: () => writer.discard(),
});

function rethrow(error: unknown): never {
  throw toSystemCode(error) === null ? error : toWriteError(error);
}

async function writeEncoded(path: string, encoder: TableEncoder): Promise<TableWriter> {
  const unfinished = await openUnfinished(path);
  let size = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await unfinished.file.write(bytes, size);
    size += bytes.length;
  };
  await append(encoder.begin());
  return {
    write: (batch) => append(encoder.encode(batch)),
    async finish() {
      await append(encoder.end());
      await unfinished.publish();
    },
    discard: () => unfinished.discard(),
  };
}

function checkColumns(format: TableFormat, columns: readonly Column[]): void {
  if (columns.length === 0) throw badInput('bad-column', 'A table has at least one column.');
  const max = MAX_COLUMNS[format];
  if (max !== undefined && columns.length > max)
    throw tooLarge('too-many-columns', `The format ${format} holds at most ${max} columns. Use geoparquet.`, {
      details: { maxColumns: max },
    });
  const names = new Set<string>();
  for (const { name } of columns) {
    if (name === '' || !name.isWellFormed())
      throw badInput('bad-column', 'Each column of a table has a name of valid text.');
    if (names.has(name)) throw badInput('bad-column', `Two columns of the table are named '${name}'.`);
    names.add(name);
  }
  if (NEEDS_SHAPES.has(format) && !columns.some(({ type }) => type === 'geometry'))
    throw badInput('bad-column', `The format ${format} needs a column of geometries.`);
}

function checkBatch({ rows, columns: values }: TableBatch, columns: readonly Column[]): void {
  if (values.length !== columns.length || values.some(({ length }) => length < rows))
    throw internal('bad-batch', 'The columns of a batch do not match those of its table.');
}
