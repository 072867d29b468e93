/** What readers of files of shapes have in common. */
import { MIB } from '../units.ts';

/** The value of a property: what all formats can hold. Lists and objects are written as JSON text. */
export type PropertyValue = string | number | boolean | null;

/** One row of a table of shapes, as the file has it; the shape is not checked yet. */
export interface ShapeRow {
  /** 1 for the first row of data. */
  readonly row: number;
  /** The feature's own id, if the format has one. */
  readonly id: string | null;
  /**
   * A GeoJSON geometry of any type, in longitude and latitude (WGS 84), with two finite numbers a position; it may be
   * empty, self-crossing or outside of the world. Null if the row has none or cannot be read.
   */
  readonly geometry: ShapeGeometry | null;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Why the row cannot be read, as a sentence; null if it can. */
  readonly fault: string | null;
}

/** A position of a shape: longitude and latitude. */
export type Place = readonly [number, number];

/** A GeoJSON geometry whose coordinates are nested as its type requires, and not checked further. */
export type ShapeGeometry =
  | { readonly type: 'Point'; readonly coordinates: Place | readonly [] }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: readonly Place[] }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly (readonly Place[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Place[])[])[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly ShapeGeometry[] };

/** Formats of files that can be read. */
export type ShapeFormat =
  | 'geojson'
  | 'geojsonseq'
  | 'geopackage'
  | 'shapefile'
  | 'geoparquet'
  | 'kml'
  | 'csv';

/** What a file of shapes may cost. A file beyond its limits is refused; a row beyond its own is a fault. */
export interface VectorLimits {
  /** Of the file as it was sent. */
  readonly maxBytes: number;
  /** Of an archive after unpacking, and of parts that are unpacked in memory. */
  readonly maxUnpackedBytes: number;
  /** How many times its stored size a file of an archive may unpack to, if it is long. */
  readonly maxZipRatio: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Of one row as the file has it: memory is bounded by it. */
  readonly maxRowBytes: number;
  /** Positions of one shape. */
  readonly maxVertices: number;
}

/** Enough for a million fields. */
export const defaultVectorLimits: VectorLimits = {
  maxBytes: 2_048 * MIB,
  maxUnpackedBytes: 4_096 * MIB,
  maxZipRatio: 500,
  maxRows: 1_000_000,
  maxColumns: 1_000,
  maxRowBytes: 32 * MIB,
  maxVertices: 100_000,
};

/** A row without its number: what the reader of a format yields. */
export type FoundRow = Omit<ShapeRow, 'row'>;

/** A row that cannot be read. */
export const toFault = (fault: string, rest: Partial<FoundRow> = {}): FoundRow => ({
  id: null,
  properties: {},
  ...rest,
  geometry: null,
  fault,
});

/** Properties of any JSON or database values, as values that every format can hold. */
export const toProperties = (entries: Iterable<readonly [string, unknown]>): FoundRow['properties'] =>
  // Not by assignment: a column may be named `__proto__`.
  Object.fromEntries(Array.from(entries, ([name, value]) => [name, toPropertyValue(value)]));

function toPropertyValue(value: unknown): PropertyValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // Bytes say nothing to a reader of properties.
  if (ArrayBuffer.isView(value)) return null;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  ) as string;
}
