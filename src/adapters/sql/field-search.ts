/** The statements that find fields; the databases differ in the few words of a dialect. */

import type { FieldOrder, FieldQuery, FieldSelection, ShapePage } from '../../fields/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { FIELD_COLUMNS } from './field-rows.ts';
import { toSpans } from './lon-spans.ts';
import type { Clause } from './sql.ts';
import { all, any, raw, sql } from './sql.ts';

/** What the databases write differently. Fields are `f`. */
export interface FieldDialect {
  /** The last values of a field as JSON. */
  readonly lastValues: string;
  /** Whether the id is one of a JSON list. */
  isOneOf(ids: string): Clause;
  /** Whether `f.folded` has this text. */
  hasText(text: string): Clause;
  /** Whether the geometry holds a position. */
  holds(lon: number, lat: number): Clause;
  /** The numbers of fields of an owner whose boxes in the spatial index meet bounds. */
  near(owner: number, bounds: LonLatBounds): Clause;
  /** Fields by such numbers, beginning with the numbers. */
  fromNear(near: Clause): Clause;
}

/**
 * From this many boxes on, fields are read in the order of the list and not from their boxes, so that a page of a box
 * over all fields does not sort a million of them. A hit then comes after 50 fields, if an owner has a million.
 */
const MANY_BOXES = 20_000;

/** How a page is found: in the order of the list, or from the boxes that meet the bounds. */
export type Way = 'walk' | 'near';

/** Counts boxes up to `MANY_BOXES`; null if no place is asked for. */
export function toBoxCount(owner: number, selection: FieldSelection, dialect: FieldDialect): Clause | null {
  const bounds = boundsOf(selection);
  if (bounds === null) return null;
  return sql`SELECT count(*) AS n FROM (SELECT 1 FROM (${dialect.near(owner, bounds)}) b LIMIT ${MANY_BOXES}) c`;
}

/** The way for a number of boxes. */
export const toWay = (boxes: number): Way => (boxes < MANY_BOXES ? 'near' : 'walk');

/** The bounds in which selected fields must lie. */
function boundsOf({ within, at }: FieldSelection): LonLatBounds | null {
  if (at === undefined) return within ?? null;
  // Both conditions are tested; the position has the smaller box.
  return { west: at[0], east: at[0], south: at[1], north: at[1] };
}

const COLUMNS: Readonly<Record<FieldOrder['by'], string>> = {
  name: 'f.name',
  updatedAt: 'f.updated_at',
  hectares: 'f.hectares',
};

/** One page of a list. Numbers are found first, in an index where that is possible, and then their rows. */
export function toFieldPage(owner: number, query: FieldQuery, way: Way, dialect: FieldDialect): Clause {
  const { order, after, limit } = query;
  const column = raw(COLUMNS[order.by]);
  const direction = raw(order.descending ? 'DESC' : 'ASC');
  const conditions = toConditions(owner, query, dialect);
  if (query.crop !== undefined) conditions.push(sql`f.crop = ${query.crop}`);
  if (query.text !== undefined) conditions.push(dialect.hasText(query.text));
  if (after !== null) {
    conditions.push(
      sql`(${column}, f.id) ${raw(order.descending ? '<' : '>')} (${after.value}, ${after.id})`,
    );
  }
  return sql`SELECT ${raw(FIELD_COLUMNS)}, ${raw(dialect.lastValues)} AS last_values
    FROM (SELECT f.number FROM ${toFrom(owner, query, way, dialect)} WHERE ${all(conditions)}
      ORDER BY ${column} ${direction}, f.id ${direction} LIMIT ${limit}) page
    JOIN fields f ON f.number = page.number ORDER BY ${column} ${direction}, f.id ${direction}`;
}

/** One page of shapes, without its limit in bytes. */
export function toShapePage(
  owner: number,
  selection: FieldSelection,
  { after, limit }: Pick<ShapePage, 'after' | 'limit'>,
  { way, dialect, columns }: { readonly way: Way; readonly dialect: FieldDialect; readonly columns: string },
): Clause {
  const conditions = toConditions(owner, selection, dialect);
  if (after !== null) conditions.push(sql`(f.hilbert, f.id) > (${after.hilbert}, ${after.id})`);
  return sql`SELECT ${raw(columns)} FROM ${toFrom(owner, selection, way, dialect)} WHERE ${all(conditions)}
    ORDER BY f.hilbert, f.id LIMIT ${limit}`;
}

/** The number of selected fields. */
export const toFieldCount = (
  owner: number,
  selection: FieldSelection,
  way: Way,
  dialect: FieldDialect,
): Clause =>
  sql`SELECT count(*) AS n FROM ${toFrom(owner, selection, way, dialect)}
    WHERE ${all(toConditions(owner, selection, dialect))}`;

function toFrom(owner: number, selection: FieldSelection, way: Way, dialect: FieldDialect): Clause {
  const bounds = boundsOf(selection);
  if (bounds === null || way === 'walk') return raw('fields f');
  return dialect.fromNear(dialect.near(owner, bounds));
}

function toConditions(owner: number, selection: FieldSelection, dialect: FieldDialect): Clause[] {
  const { group, ids, within, at } = selection;
  const conditions = [sql`f.owner = ${owner}`];
  if (group !== undefined) conditions.push(sql`f.grp = ${group}`);
  if (ids !== undefined) conditions.push(dialect.isOneOf(JSON.stringify(ids)));
  if (within !== undefined) conditions.push(meets(within));
  if (at !== undefined) {
    const [lon, lat] = at;
    conditions.push(meets({ west: lon, east: lon, south: lat, north: lat }), dialect.holds(lon, lat));
  }
  return conditions;
}

/** The exact comparison of bounds: SQLite's index has 32-bit numbers, PostgreSQL's has a tolerance. */
const meets = (bounds: LonLatBounds): Clause =>
  all([
    sql`f.south <= ${bounds.north} AND f.north >= ${bounds.south}`,
    any(toSpans(bounds).map(({ west, east }) => sql`f.west <= ${east} AND f.east >= ${west}`)),
  ]);
