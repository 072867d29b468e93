import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { TableFormat } from '../vector/index.ts';
import type { StatisticsOrder } from '../zonal/index.ts';
import type { Weights } from './cover-shapes.ts';
import type { JoinedColumn } from './joined-days.ts';

/** Formats in which numbers of shapes are written. */
export const BULK_FORMATS = [
  'parquet',
  'geoparquet',
  'csv',
  'geojson',
  'arrow',
] as const satisfies readonly TableFormat[];
export type BulkFormat = (typeof BULK_FORMATS)[number];

/** A row for each shape, scene and expression, or one for each shape and scene with columns for each expression. */
export const BULK_LAYOUTS = ['long', 'wide'] as const;
export type BulkLayout = (typeof BULK_LAYOUTS)[number];

/** Which shapes are measured. */
export type OrderedShapes =
  /** Fields of the owner: a group, some by their ids, or all. */
  | { readonly kind: 'fields'; readonly group?: string; readonly ids?: readonly string[] }
  /** The collection that came with the order; its text is the area of the task. */
  | { readonly kind: 'collection' }
  /** A file that came with the order, by the digest of its bytes; its rows are a blob of the task. */
  | { readonly kind: 'file'; readonly digest: string };

/** An order of numbers of many shapes over time; plain JSON. */
export interface BulkOrder
  extends Pick<StatisticsOrder, 'from' | 'to' | 'datasets' | 'expressions' | 'clouds'> {
  readonly shapes: OrderedShapes;
  readonly weights: Weights;
  /** Max scenes of each shape, newest first; null for all. */
  readonly limit: number | null;
  readonly format: BulkFormat;
  readonly layout: BulkLayout;
  /** Columns of weather, soil moisture and growing degrees; orders from before these lack it. */
  readonly joined?: readonly JoinedColumn[];
}

/** A task of numbers of many shapes. */
export interface BulkTask {
  readonly id: string;
  readonly owner: string;
  readonly order: BulkOrder;
  /** The collection that came with the order; null if it named fields. */
  readonly collection: unknown;
}

/** A shape as it comes from a store or a file, checked. */
export interface OrderedShape {
  readonly id: string;
  /** The caller's own id; null for none. */
  readonly externalId: string | null;
  readonly name: string;
  /** As 2026-05-02; null if it is not known. */
  readonly sownOn: string | null;
  /** In the normal form of areas. */
  readonly geometry: MultiPolygonGeometry;
}

const FILES: Readonly<Record<BulkFormat, { readonly suffix: string; readonly contentType: string }>> = {
  parquet: { suffix: 'parquet', contentType: 'application/vnd.apache.parquet' },
  geoparquet: { suffix: 'parquet', contentType: 'application/vnd.apache.parquet' },
  csv: { suffix: 'csv', contentType: 'text/csv; charset=utf-8' },
  geojson: { suffix: 'geojson', contentType: 'application/geo+json' },
  arrow: { suffix: 'arrows', contentType: 'application/vnd.apache.arrow.stream' },
};

/** What the file of a result is called. */
export function toBulkFile({ format, from, to }: BulkOrder): {
  readonly fileName: string;
  readonly contentType: string;
} {
  const { suffix, contentType } = FILES[format];
  return { fileName: `statistics-${from}-${to}.${suffix}`, contentType };
}
