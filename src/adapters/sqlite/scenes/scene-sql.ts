import type { DatabaseSync } from 'node:sqlite';
import type { SceneQuery } from '../../../catalog/index.ts';
import { relates } from '../../../catalog/index.ts';
import type { AreaGeometry, LonLatBounds, PointGeometry } from '../../../geo/index.ts';
import { geometryBounds } from '../../../geo/index.ts';
import { fromWkb } from '../../sql/scene-row.ts';
import type { Dialect, ShapeSql } from '../../sql/scene-search.ts';
import { columnFilters, toDatasetCondition } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { all, any, list, raw, sql } from '../../sql/sql-clause.ts';

/** SQLite's json_extract returns numbers, strings and null, and 1 and 0 for true and false. */
const extract = (field: string): Clause => sql`json_extract(s.fields, ${`$.${JSON.stringify(field)}`})`;

/** The SQLite dialect of searches. */
export const sqliteDialect: Dialect = {
  value: extract,
  sortKeys: (field) => [extract(field)],
  mergesInOrder: true,
};

/**
 * The boxes of a geometry in the spatial index: one, or one on each side of the antimeridian, all within ±180. Geometries
 * that meet have boxes that meet, however their longitudes are written.
 */
export function toIndexBoxes(geometry: AreaGeometry | PointGeometry): readonly LonLatBounds[] {
  const pieces = partsOf(geometry).flatMap((part) => cutAtAntimeridian(geometryBounds(part)));
  const whole = hull(pieces);
  // A geometry that is this wide and in several pieces crosses the antimeridian; it does not span the world.
  if (pieces.length < 2 || whole.east - whole.west <= 180) return [whole];
  const [western, eastern] = [true, false].map((isWestern) =>
    pieces.filter(({ west, east }) => west + east < 0 === isWestern),
  ) as [LonLatBounds[], LonLatBounds[]];
  return [western, eastern].filter((side) => side.length > 0).map(hull);
}

function partsOf(geometry: AreaGeometry | PointGeometry): readonly (AreaGeometry | PointGeometry)[] {
  if (geometry.type !== 'MultiPolygon') return [geometry];
  return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
}

function cutAtAntimeridian(bounds: LonLatBounds): readonly LonLatBounds[] {
  const { south, north } = bounds;
  if (bounds.east - bounds.west >= 360) return [{ west: -180, east: 180, south, north }];
  const turn = 360 * Math.floor((bounds.west + 180) / 360);
  const [west, east] = [bounds.west - turn, bounds.east - turn];
  if (east < 180) return [{ west, east, south, north }];
  // Also for a geometry that only touches the antimeridian: it meets geometries on the other side.
  return [
    { west, east: 180, south, north },
    { west: -180, east: east - 360, south, north },
  ];
}

function hull(boxes: readonly LonLatBounds[]): LonLatBounds {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    east: Math.max(...boxes.map(({ east }) => east)),
    south: Math.min(...boxes.map(({ south }) => south)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}

/**
 * CROSS JOIN makes SQLite begin with the boxes; otherwise it may begin with a date and look up the box of every scene.
 * `footprint_relates` comes last because it is expensive.
 */
export function toShapeSql(query: SceneQuery, geometry: PointGeometry | AreaGeometry): ShapeSql {
  return {
    from: sql`(${toCandidates(query, geometry)}) near CROSS JOIN scenes s ON s.number = near.number`,
    test: raw('footprint_relates(s.footprint)'),
  };
}

/** The distance within which two areas touch (geo/area.ts), with a margin for rounding. */
const TOUCH_DEG = 1e-8;

/** Fields that are stored with the boxes. */
const BOX_FIELDS: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

function toCandidates({ datasets }: SceneQuery, geometry: PointGeometry | AreaGeometry): Clause {
  const mayMatch = any(
    datasets.map(({ id, filters }) =>
      toDatasetCondition({ id, filters: columnFilters(filters, BOX_FIELDS) }, sqliteDialect),
    ),
  );
  const boxes = toIndexBoxes(geometry).map(({ west, east, south, north }) =>
    all([
      sql`west <= ${east + TOUCH_DEG}`,
      sql`east >= ${west - TOUCH_DEG}`,
      sql`south <= ${north + TOUCH_DEG}`,
      sql`north >= ${south - TOUCH_DEG}`,
    ]),
  );
  const arms = boxes.map(
    (box) => sql`SELECT s.id >> 1 AS number FROM scene_boxes s WHERE ${box} AND ${mayMatch}`,
  );
  // UNION drops scenes that were found by both of their boxes; with a single arm DISTINCT does.
  return arms.length === 1 ? sql`SELECT DISTINCT * FROM (${arms[0] as Clause})` : list(arms, ' UNION ');
}

type Shape = NonNullable<SceneQuery['shape']>;

/** Upper bound of remembered answers in one search: the acquisitions of a tile often share their footprint. */
const MAX_REMEMBERED = 4096;

/** Defines the SQL function for the exact test after the boxes; returns the function that sets its shape. */
export function defineFootprintRelates(database: DatabaseSync): (shape: Shape) => void {
  let asked: Shape | undefined;
  const known = new Map<string, number>();
  database.function('footprint_relates', { deterministic: true, directOnly: true }, (footprint) => {
    const bytes = footprint as Uint8Array;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const remembered = known.get(name);
    if (remembered !== undefined || asked === undefined) return remembered ?? 0;
    const answer = Number(relates(fromWkb(bytes), asked.geometry, asked.relation));
    if (known.size < MAX_REMEMBERED) known.set(name, answer);
    return answer;
  });
  return (shape) => {
    asked = shape;
    known.clear();
  };
}
