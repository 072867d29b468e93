import { compareTexts } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { Dem, DemFile, ListedDem } from '../../terrain/index.ts';
import { conflict } from '../errors.ts';

/** The row of an elevation model file: search fields in columns, the whole file as JSON. */
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

/** Builds the row of a file. */
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

/** JSON has neither NaN nor infinities, and NaN is the nodata value of most floating-point models. */
const toJsonNodata = (nodata: number | null): number | string | null =>
  nodata === null || Number.isFinite(nodata) ? nodata : String(nodata);

/** Parses the record of a file. */
export function parseDemFile(record: string): DemFile {
  const file = JSON.parse(record) as DemFile & { readonly nodata: unknown };
  return typeof file.nodata === 'string' ? { ...file, nodata: Number(file.nodata) } : file;
}

/** Parses the record of a model. */
export const parseDem = (record: string): Dem => JSON.parse(record) as Dem;

/** Models with a layer of ingested files. A revision is random and changes with the layer. */
export const LISTED_DEMS = `SELECT d.name, d.record, l.revision
  FROM dems d JOIN dem_layers l ON l.dem = d.name WHERE l.overview = 0`;

/** A row of `LISTED_DEMS`. */
export interface ListedRow {
  readonly name: string;
  readonly record: string;
  readonly revision: string;
}

/** The summary of a model's files for a list, by the model's name; scans all files. */
export const DEM_SUMMARY = `SELECT count(*) AS files, min(resolution) AS finest, max(resolution) AS coarsest,
    min(south) AS south, max(north) AS north, min(west) AS west, max(east) AS east,
    min(CASE WHEN west < 0 THEN west + 360 ELSE west END) AS turned_west,
    max(CASE WHEN west < 0 THEN east + 360 ELSE east END) AS turned_east
  FROM dem_files WHERE layer = (SELECT number FROM dem_layers WHERE dem = ? AND overview = 0)`;

/** A row of `DEM_SUMMARY`; without files all columns but their number are null. */
export interface DemSummary {
  /** PostgreSQL returns bigint as a string. */
  readonly files: number | string;
  readonly finest: number;
  readonly coarsest: number;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  /** With western longitudes shifted by 360°. */
  readonly turned_west: number;
  readonly turned_east: number;
}

/** Upper bound of cached summaries: more than a service has models. */
const MAX_SUMMARIES = 1_000;

/**
 * Builds the list of models with files from their rows, in order. Summaries are cached by revision. The revision is read
 * before the summary, so that the cached summary of a current revision is never stale.
 */
export function makeDemList(readSummary: (name: string) => Promise<DemSummary>) {
  const summaries = makeLru<Promise<DemSummary>>({ max: MAX_SUMMARIES });

  const summaryOf = ({ name, revision }: ListedRow): Promise<DemSummary> =>
    summaries.remember(revision, () => {
      const asked = readSummary(name);
      asked.catch(() => summaries.delete(revision));
      return asked;
    });

  return async (rows: readonly ListedRow[]): Promise<readonly ListedDem[]> => {
    const listed = await Promise.all(rows.map(async (row) => toListedDem(row, await summaryOf(row))));
    return listed
      .filter(({ fileCount }) => fileCount > 0)
      .sort((a, b) => a.order - b.order || a.finestM - b.finestM || compareTexts(a.name, b.name));
  };
}

const toListedDem = ({ record }: ListedRow, summary: DemSummary): ListedDem => ({
  ...parseDem(record),
  fileCount: Number(summary.files),
  finestM: summary.finest,
  coarsestM: summary.coarsest,
  bounds: toHull(summary),
});

/** A smaller difference between hulls comes from rounding. */
const ROUNDING_DEG = 1e-9;

/** The hull of all files: as stored, or with western longitudes shifted by 360° if that is narrower. */
function toHull({ west, east, south, north, turned_west, turned_east }: DemSummary): LonLatBounds {
  const isAcross = east > 180 || east - west > 180;
  const isNarrower = turned_east - turned_west < east - west - ROUNDING_DEG;
  const hull =
    isAcross && isNarrower
      ? { west: turned_west, east: turned_east, south, north }
      : { west, east, south, north };
  return hull.east - hull.west < 360 ? hull : { west: -180, east: 180, south, north };
}

/** Bounds in the spatial index of files: longitudes, and latitudes moved to the strip of a layer. */
export interface DemBox {
  readonly west: number;
  readonly east: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The spatial index has two dimensions, and a query is about one layer: each layer has its latitudes in its own strip of
 * this height. A power of two, so that the 32-bit numbers of SQLite's index lose as little precision as possible.
 */
export const STRIP_DEG = 256;

/** Upper bound of latitudes in a strip. Some models exceed the poles by half a pixel; none may reach the next strip. */
const MAX_LAT = 100;

/** The latitudes of bounds within a strip. */
export const toStripLats = ({
  south,
  north,
}: LonLatBounds): { readonly low: number; readonly high: number } => ({
  low: Math.max(-MAX_LAT, Math.min(south, MAX_LAT)),
  high: Math.max(-MAX_LAT, Math.min(north, MAX_LAT)),
});

/**
 * The box of a file in the index. Adding the same number to two latitudes never reverses their order, so bounds that meet
 * have boxes that meet; the bounds themselves decide the reverse.
 */
export function toDemBox(layer: number, bounds: LonLatBounds): DemBox {
  const { low, high } = toStripLats(bounds);
  return {
    west: bounds.west,
    east: bounds.east,
    low: layer * STRIP_DEG + low,
    high: layer * STRIP_DEG + high,
  };
}

/** Refuses files whose model is not stored: it was removed while they were ingested. */
export const unknownDem = (name: string): SwathError =>
  conflict('unknown-dem', `There is no elevation model "${name}": its files cannot be stored.`);
