import type { Dem, DemFile } from '../../terrain/index.ts';

/** A file of an elevation model as it is stored: what it is looked up by in columns, the whole as JSON. */
export interface DemFileRow {
  readonly id: string;
  readonly dem: string;
  readonly overview: number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
  readonly resolution: number;
  readonly record: string;
}

/** Prepares a file for its table. */
export function toDemFileRow(file: DemFile): DemFileRow {
  const { west, east, south, north } = file.bounds;
  return {
    id: file.id,
    dem: file.dem,
    overview: file.overview,
    west,
    east,
    south,
    north,
    resolution: file.resolutionM,
    record: JSON.stringify({ ...file, nodata: toJsonNodata(file.nodata) }),
  };
}

/** JSON has neither NaN nor infinities, and NaN is the void of most models in floating point. */
const toJsonNodata = (nodata: number | null): number | string | null =>
  nodata === null || Number.isFinite(nodata) ? nodata : String(nodata);

/** Reads the record of a file. */
export function parseDemFile(record: string): DemFile {
  const file = JSON.parse(record) as DemFile & { readonly nodata: unknown };
  return typeof file.nodata === 'string' ? { ...file, nodata: Number(file.nodata) } : file;
}

/** Reads the record of a model. */
export const parseDem = (record: string): Dem => JSON.parse(record) as Dem;
