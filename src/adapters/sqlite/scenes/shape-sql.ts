import type { SceneQuery } from '../../../catalog/index.ts';
import type { AreaGeometry, PointGeometry } from '../../../geo/index.ts';
import type { ShapeSql } from '../../sql/scene-search.ts';
import { columnFilters, toDatasetCondition } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { all, any, list, raw, sql } from '../../sql/sql-clause.ts';
import { sqliteDialect } from '../database/dialect.ts';
import { toIndexBoxes } from './index-boxes.ts';

/**
 * CROSS JOIN makes SQLite begin with the boxes; left to itself it may begin with a date and look every scene's box up.
 * `footprint_relates` comes last because it is expensive.
 */
export function toShapeSql(query: SceneQuery, geometry: PointGeometry | AreaGeometry): ShapeSql {
  return {
    from: sql`(${toCandidates(query, geometry)}) near CROSS JOIN scenes s ON s.number = near.number`,
    test: raw('footprint_relates(s.footprint)'),
  };
}

/** As far apart as two areas may be and still touch (geo/geometry.ts), with room for rounding. */
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
  // UNION drops the scenes that were found under both of their boxes, DISTINCT does it where there is but one arm.
  return arms.length === 1 ? sql`SELECT DISTINCT * FROM (${arms[0] as Clause})` : list(arms, ' UNION ');
}
