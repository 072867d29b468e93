import type { SceneQuery } from '../../../catalog/index.ts';
import type { Dialect, ShapeSql } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { all, any, raw, sql } from '../../sql/sql-clause.ts';

/** jsonb's own order would put texts by the database's language and booleans above all numbers. */
const asNumber = (field: string): Clause =>
  sql`(CASE jsonb_typeof(s.fields -> ${field}::text)
    WHEN 'number' THEN (s.fields ->> ${field}::text)::float8
    WHEN 'boolean' THEN (s.fields ->> ${field}::text)::boolean::integer::float8 END)`;
const asText = (field: string): Clause =>
  sql`(CASE jsonb_typeof(s.fields -> ${field}::text) WHEN 'string' THEN s.fields ->> ${field}::text END COLLATE "C")`;

/** How PostgreSQL says it. */
export const postgresDialect: Dialect = {
  value: (field, kind) => (kind === 'number' ? asNumber(field) : asText(field)),
  // What has a number has no text: nulls come last in either direction, so the order of the two sorts the kinds.
  sortKeys: (field, descending) =>
    descending ? [asText(field), asNumber(field)] : [asNumber(field), asText(field)],
  // It can, but prefers to read all and sort.
  mergesInOrder: false,
};

/** Positions nearer than this are one, as in geo/geometry.ts. */
const SAME_PLACE_DEG = raw('1e-9');

/**
 * Shapes in PostGIS, in the plane of longitude and latitude, to agree with `relates`: areas are closed, what is nearer
 * than a tenth of a millimetre touches, and every question is also asked a turn to the east and to the west.
 * - intersects: the distance is at most the tolerance;
 * - contains, within: the outer area, a tolerance wider and joined with its copies a turn away (which closes the seam
 *   of an area cut at 180°), covers the inner one.
 */
export function toShapeSql({ geometry, relation }: NonNullable<SceneQuery['shape']>): ShapeSql {
  const shape = sql`ST_GeomFromGeoJSON(${JSON.stringify(geometry)})`;
  const turns = [0, 360, -360].map((turn) => (turn === 0 ? shape : toTurned(shape, turn)));
  const near = (turned: Clause): Clause => sql`s.footprint && ST_Expand(${turned}, ${SAME_PLACE_DEG})`;
  const from = raw('scenes s');
  if (geometry.type === 'Point' || relation === 'intersects') {
    const touches = (turned: Clause): Clause =>
      all([near(turned), sql`ST_DWithin(s.footprint, ${turned}, ${SAME_PLACE_DEG})`]);
    return { from, test: any(turns.map(touches)) };
  }
  // Polygons of a shape may overlap, and ST_MakeValid would cut the ground that they share out of it.
  const whole = sql`ST_UnaryUnion(${shape})`;
  const covers =
    relation === 'contains'
      ? sql`ST_Covers(${toGround(raw('s.footprint'))}, ${whole})`
      : sql`ST_Covers(${toGround(whole)}, ST_MakeValid(s.footprint))`;
  return { from, test: all([any(turns.map(near)), covers]) };
}

const toTurned = (geometry: Clause, degrees: number): Clause =>
  sql`ST_Translate(${geometry}, ${raw(String(degrees))}, 0)`;

function toGround(geometry: Clause): Clause {
  const valid = sql`ST_MakeValid(${geometry})`;
  return sql`ST_Buffer(ST_Collect(ARRAY[${valid}, ${toTurned(valid, 360)}, ${toTurned(valid, -360)}]), ${SAME_PLACE_DEG}, 2)`;
}
