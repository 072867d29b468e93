import type { LonLatBounds } from '../../../geo/index.ts';
import type { DemLayer } from '../../../terrain/index.ts';
import type { DemFileRow } from '../../sql/dems.ts';
import { STRIP_DEG, toDemBox, toSpans, toStripLats } from '../../sql/dems.ts';
import type { Statement } from '../connection/sql-client.ts';

/**
 * The boxes of different layers do not meet, so that a layer's files need no other mark. PostgreSQL compares boxes with a
 * tolerance, which the comparison of the bounds corrects. Materialized: a small limit must not lead the planner to walk over
 * all files in order of their ids.
 */
const FIND = `
  WITH near AS MATERIALIZED (
    SELECT DISTINCT f.id, f.number
    FROM unnest(?::text[], ?::integer[]) AS asked(dem, overview)
    JOIN dem_layers l ON l.dem = asked.dem AND l.overview = asked.overview
    CROSS JOIN unnest(?::float8[], ?::float8[]) AS span(west, east)
    JOIN dem_files f ON f.bounds && box(point(span.west, l.number * ${STRIP_DEG}::float8 + ?::float8),
        point(span.east, l.number * ${STRIP_DEG}::float8 + ?::float8))
      AND f.west <= span.east AND f.east >= span.west AND f.south <= ?::float8 AND f.north >= ?::float8
  ), first AS (
    SELECT id, number FROM near ORDER BY id LIMIT ?
  )
  SELECT f.record FROM first JOIN dem_files f ON f.number = first.number ORDER BY first.id`;

/** Finds the records of the files of layers within bounds. */
export function toFindFiles(layers: readonly DemLayer[], bounds: LonLatBounds, limit: number): Statement {
  const spans = toSpans(bounds);
  const { low, high } = toStripLats(bounds);
  return {
    sql: FIND,
    values: [
      layers.map(({ dem }) => dem),
      layers.map(({ overview }) => overview),
      spans.map(({ west }) => west),
      spans.map(({ east }) => east),
      low,
      high,
      bounds.north,
      bounds.south,
      limit,
    ],
  };
}

const PUT = `
  INSERT INTO dem_files (id, layer, west, east, south, north, resolution, bounds, record)
    SELECT id, layer, west, east, south, north, resolution, bounds::box, record
    FROM unnest(?::text[], ?::integer[], ?::float8[], ?::float8[], ?::float8[], ?::float8[], ?::float8[], ?::text[],
      ?::text[]) AS row(id, layer, west, east, south, north, resolution, bounds, record)
  ON CONFLICT (id) DO UPDATE SET layer = excluded.layer, west = excluded.west, east = excluded.east,
    south = excluded.south, north = excluded.north, resolution = excluded.resolution, bounds = excluded.bounds,
    record = excluded.record`;

/** A file and the number of its layer. */
export interface LayeredRow extends DemFileRow {
  readonly layer: number;
}

/** Puts files, of which no two have the same id. */
export const toPutFiles = (rows: readonly LayeredRow[]): Statement => ({
  sql: PUT,
  values: [
    rows.map(({ id }) => id),
    rows.map(({ layer }) => layer),
    rows.map(({ west }) => west),
    rows.map(({ east }) => east),
    rows.map(({ south }) => south),
    rows.map(({ north }) => north),
    rows.map(({ resolution }) => resolution),
    rows.map((row) => toBoxText(row)),
    rows.map(({ record }) => record),
  ],
});

function toBoxText(row: LayeredRow): string {
  const { west, east, low, high } = toDemBox(row.layer, row);
  return `(${west},${low}),(${east},${high})`;
}
