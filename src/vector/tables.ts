/** What writers of tables have in common. */

/**
 * The type of a column. A `date` is a string YYYY-MM-DD; a `timestamp` is a string of ISO 8601 or the milliseconds since
 * 1970 in UTC; a `geometry` is a GeoJSON geometry in longitude and latitude.
 */
export type ColumnType = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'timestamp' | 'geometry';

/** A column of a table that is written. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** The values of one column, null where there is none. In a Float64Array NaN is null. */
export type ColumnValues = readonly (string | number | boolean | object | null)[] | Float64Array | Int32Array;

/** Rows that are written together, column by column in the order of the table. */
export interface TableBatch {
  readonly rows: number;
  readonly columns: readonly ColumnValues[];
}

/** Formats whose bytes can be sent while rows are still computed. */
export const STREAM_FORMATS = ['parquet', 'geoparquet', 'csv', 'geojson', 'arrow'] as const;
export type StreamFormat = (typeof STREAM_FORMATS)[number];

/** Formats of tables that are written. */
export const TABLE_FORMATS = [...STREAM_FORMATS, 'geopackage', 'shapefile'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Writes a table in parts: memory is bounded by a batch, or by a row group of some megabytes. */
export interface TableWriter {
  write(batch: TableBatch): Promise<void>;
  /** Publishes the file; until then the path does not exist. */
  finish(): Promise<void>;
  /** Removes what was written; does nothing after `finish`. */
  discard(): Promise<void>;
}

/** A format as a function from batches to bytes. A table is its beginning, its batches and its end, one after another. */
export interface TableEncoder {
  begin(): Uint8Array;
  encode(batch: TableBatch): Uint8Array;
  end(): Uint8Array;
}

/** The value of a cell; null where there is none. */
export function cellOf(values: ColumnValues, row: number): string | number | boolean | object | null {
  const value = values[row];
  if (value === undefined || (typeof value === 'number' && Number.isNaN(value))) return null;
  return value;
}

/** Milliseconds since 1970 of a cell of a `date` or `timestamp`; null if it is not one. */
export function toMilliseconds(value: string | number | boolean | object | null): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** The text of a `timestamp` in UTC; null if it is not one. */
export function toIsoTime(value: string | number | boolean | object | null): string | null {
  const time = toMilliseconds(value);
  return time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString();
}
