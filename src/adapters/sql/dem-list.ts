import type { LonLatBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { ListedDem } from '../../terrain/index.ts';
import { parseDem } from './dem-row.ts';

/** Models with a layer of files as ingested. A revision is random, and another one after each change of the layer. */
export const LISTED_DEMS = `SELECT d.name, d.record, l.revision
  FROM dems d JOIN dem_layers l ON l.dem = d.name WHERE l.overview = 0`;

/** A row of `LISTED_DEMS`. */
export interface ListedRow {
  readonly name: string;
  readonly record: string;
  readonly revision: string;
}

/** What a list says of the files of a model, by its name: a look at all of them. */
export const DEM_SUMMARY = `SELECT count(*) AS files, min(resolution) AS finest, max(resolution) AS coarsest,
    min(south) AS south, max(north) AS north, min(west) AS west, max(east) AS east,
    min(CASE WHEN west < 0 THEN west + 360 ELSE west END) AS turned_west,
    max(CASE WHEN west < 0 THEN east + 360 ELSE east END) AS turned_east
  FROM dem_files WHERE layer = (SELECT number FROM dem_layers WHERE dem = ? AND overview = 0)`;

/** A row of `DEM_SUMMARY`; all but the number of files is null without any. */
export interface DemSummary {
  /** PostgreSQL's bigint comes as text. */
  readonly files: number | string;
  readonly finest: number;
  readonly coarsest: number;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  /** With western longitudes a turn further. */
  readonly turned_west: number;
  readonly turned_east: number;
}

/** Summaries that are remembered: more than a service has models. */
const MAX_SUMMARIES = 1_000;

/**
 * Builds the list of models from their rows: those with files, in order. Summaries are remembered by the revision. It is
 * read before the summary, so that what is remembered under a revision that is still in use is never too old.
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

/** Narrower hulls by less than this come from rounding. */
const ROUNDING_DEG = 1e-9;

/** The hull of all files: as they are, or with western longitudes a turn further where that makes it narrower. */
function toHull({ west, east, south, north, turned_west, turned_east }: DemSummary): LonLatBounds {
  const isAcross = east > 180 || east - west > 180;
  const isNarrower = turned_east - turned_west < east - west - ROUNDING_DEG;
  const hull =
    isAcross && isNarrower
      ? { west: turned_west, east: turned_east, south, north }
      : { west, east, south, north };
  return hull.east - hull.west < 360 ? hull : { west: -180, east: 180, south, north };
}

/** Texts by their UTF-8 bytes, as both databases compare them. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
