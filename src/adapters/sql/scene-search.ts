import type { FieldFilter, FieldValue, SceneQuery } from '../../catalog/index.ts';
import type { Clause } from './sql-clause.ts';
import { all, any, list, raw, sql } from './sql-clause.ts';

/** Values compare within their kind only; true and false are the numbers 1 and 0. */
type ValueKind = 'number' | 'text';

/** The parts of a search that differ between databases. */
export interface Dialect {
  /** The value of a field for comparisons, if it is of this kind. */
  value(field: string, kind: ValueKind): Clause;
  /** Sort keys for a field without its own column: ascending puts numbers before strings. */
  sortKeys(field: string, descending: boolean): readonly Clause[];
  /** Whether the database merges sorted datasets; otherwise each is cut to the page before they are merged. */
  readonly mergesInOrder: boolean;
}

/** Fields with their own indexed column. */
const OWN_COLUMNS: ReadonlyMap<string, { readonly sql: string; readonly kind: ValueKind }> = new Map([
  ['date', { sql: 's.date', kind: 'text' }],
  ['sceneID', { sql: 's.scene_id', kind: 'text' }],
  ['cloudCoverage', { sql: 's.cloud', kind: 'number' }],
  ['satellite', { sql: 's.dataset', kind: 'text' }],
]);

/** The condition for rows of one dataset of the query, without areas. */
export function toDatasetCondition(
  { id, filters }: SceneQuery['datasets'][number],
  dialect: Dialect,
): Clause {
  return all([sql`s.dataset = ${id}`, ...filters.map((filter) => toCondition(filter, dialect))]);
}

/** The filters on these fields that the fields' own columns can answer alone. */
export const columnFilters = (
  filters: readonly FieldFilter[],
  fields: ReadonlySet<string>,
): readonly FieldFilter[] =>
  filters.filter(({ field, ...asked }) => {
    const values = asked.kind === 'one-of' ? asked.values : [asked.from, asked.to];
    const kind = OWN_COLUMNS.get(field)?.kind;
    const isPlain = asked.kind === 'range' || asked.ignoresCase !== true;
    return isPlain && fields.has(field) && values.every((value) => value == null || kindOf(value) === kind);
  });

/** The sort order of a search: columns to select, and an ORDER BY with their names. */
interface SceneOrder {
  /** ` , … AS k0`, to append to a list of columns. */
  readonly columns: Clause;
  readonly order: string;
}

/** Builds the sort order. Scene and view id break ties, so that pages never overlap. */
export function toOrder({ sort }: SceneQuery, dialect: Dialect): SceneOrder {
  const own = OWN_COLUMNS.get(sort.field);
  const keys = own === undefined ? dialect.sortKeys(sort.field, sort.descending) : [raw(own.sql)];
  const direction = sort.descending ? 'DESC' : 'ASC';
  // Only where it matters: for a column that is never null the order of its index suffices.
  const nulls = own?.kind === 'text' ? '' : ' NULLS LAST';
  return {
    columns: list(
      [
        ...keys.map((key, i) => sql`${key} AS ${raw(`k${i}`)}`),
        raw('s.scene_id AS scene_id, s.view_id AS view_id'),
      ],
      ', ',
    ),
    order: [...keys.map((_, i) => `k${i} ${direction}${nulls}`), 'scene_id', 'view_id'].join(', '),
  };
}

function toCondition(filter: FieldFilter, dialect: Dialect): Clause {
  if (filter.kind === 'one-of') return toOneOf(filter, dialect);
  const { from, to } = filter;
  const kind = kindOf(from ?? to ?? null);
  const value = toValue(filter.field, kind, dialect);
  if (from == null && to == null) return all([]);
  // The first string or the last number closes an open end: in SQLite every string is above every number.
  const first = kind === 'text' ? '' : null;
  const last = kind === 'number' ? Number.POSITIVE_INFINITY : null;
  const low = from == null ? first : toPlain(from);
  const high = to == null ? last : toPlain(to);
  const bounds: Clause[] = [];
  if (low !== null) bounds.push(sql`${value} >= ${low}`);
  if (high !== null) bounds.push(sql`${value} <= ${high}`);
  return all(bounds);
}

function toOneOf(
  { field, values, ignoresCase }: Extract<FieldFilter, { readonly kind: 'one-of' }>,
  dialect: Dialect,
): Clause {
  const kinds: readonly ValueKind[] = ['number', 'text'];
  return any(
    kinds.flatMap((kind) => {
      const some = values.filter((value) => value !== null && kindOf(value) === kind);
      if (some.length === 0) return [];
      const isFolded = ignoresCase === true && kind === 'text';
      const marks = list(
        some.map((value) => sql`${isFolded ? toLower(String(value)) : toPlain(value)}`),
        ', ',
      );
      const value = toValue(field, kind, dialect);
      if (!isFolded) return [sql`${value} IN (${marks})`];
      // SQLite's lower() turns a number into a string; numbers sort before every string, also before the empty one.
      return [sql`(lower(${value}) IN (${marks}) AND ${value} >= '')`];
    }),
  );
}

/** Lower-cases ASCII letters only, as SQLite does, and PostgreSQL under the collation C. */
const toLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function toValue(field: string, kind: ValueKind, dialect: Dialect): Clause {
  const own = OWN_COLUMNS.get(field);
  return own?.kind === kind ? raw(own.sql) : dialect.value(field, kind);
}

const kindOf = (value: FieldValue): ValueKind => (typeof value === 'string' ? 'text' : 'number');

const toPlain = (value: FieldValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value;

/** Counts matching scenes by day, for each dataset separately, so that each uses its index. */
export function toDayCounts({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) =>
      sql`SELECT s.date AS day, count(*) AS n FROM scenes s
        WHERE ${toDatasetCondition(dataset, dialect)} GROUP BY s.date`,
  );
  return list(arms, ' UNION ALL ');
}

/** Counts matching scenes, without shapes. */
export function toCount({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) => sql`(SELECT count(*) FROM scenes s WHERE ${toDatasetCondition(dataset, dialect)})`,
  );
  return sql`SELECT ${list(arms, ' + ')} AS n`;
}

/** The numbers of a page's scenes, in order. Each dataset is read in the order of its index, up to the page's end. */
export function toPage(
  query: SceneQuery,
  dialect: Dialect,
  { firstDay, offset }: { readonly firstDay: string | null; readonly offset: number },
): Clause {
  const { columns, order } = toOrder(query, dialect);
  const arms = query.datasets.map((dataset) => {
    const arm = sql`SELECT s.number AS number, ${columns} FROM scenes s
      WHERE ${toDatasetCondition(dataset, dialect)}${fromDay(firstDay, query.sort.descending)}`;
    if (dialect.mergesInOrder || query.datasets.length === 1) return arm;
    return sql`(${arm} ORDER BY ${raw(order)} LIMIT ${offset + query.limit})`;
  });
  return sql`${list(arms, ' UNION ALL ')} ORDER BY ${raw(order)} LIMIT ${query.limit} OFFSET ${offset}`;
}

function fromDay(day: string | null, descending: boolean): Clause {
  if (day === null) return raw('');
  return descending ? sql` AND s.date <= ${day}` : sql` AND s.date >= ${day}`;
}

/** The source of scenes that may meet a shape, and the exact test. */
export interface ShapeSql {
  /** A FROM clause with the scene table as `s`. */
  readonly from: Clause;
  readonly test: Clause;
}

/** A page of the scenes that match a shape, each row with the total count. */
export function toShapePage(query: SceneQuery, dialect: Dialect, { from, test }: ShapeSql): Clause {
  const { columns, order } = toOrder(query, dialect);
  return sql`SELECT t.*, count(*) OVER () AS found FROM (
      SELECT s.number AS number, ${columns} FROM ${from} WHERE ${toAnyDataset(query, dialect)} AND ${test}
    ) t ORDER BY ${raw(order)} LIMIT ${query.limit} OFFSET ${query.offset}`;
}

/** Counts the scenes that match a shape; needed only when a page is beyond the last one. */
export const toShapeCount = (query: SceneQuery, dialect: Dialect, { from, test }: ShapeSql): Clause =>
  sql`SELECT count(*) AS n FROM ${from} WHERE ${toAnyDataset(query, dialect)} AND ${test}`;

const toAnyDataset = ({ datasets }: SceneQuery, dialect: Dialect): Clause =>
  any(datasets.map((dataset) => toDatasetCondition(dataset, dialect)));

/** The count of matching scenes on a day. */
export interface DayCount {
  readonly day: string;
  readonly n: number;
}

/** The start of a page when hits are sorted by date. */
interface PagePlan {
  readonly found: number;
  /** The day of the page's first hit; null when the page is beyond the last hit. */
  readonly firstDay: string | null;
  /** Hits of that day on earlier pages. */
  readonly skip: number;
}

/**
 * Finds the day on which a page begins. A count by day costs little more than a plain count, and saves a deep page the
 * scan over all earlier hits.
 */
export function planPage(
  counts: readonly DayCount[],
  { offset, descending }: { readonly offset: number; readonly descending: boolean },
): PagePlan {
  const byDay = new Map<string, number>();
  for (const { day, n } of counts) byDay.set(day, (byDay.get(day) ?? 0) + n);
  const days = [...byDay].sort(([a], [b]) => (a < b === descending ? 1 : -1));
  let found = 0;
  let first: { readonly firstDay: string; readonly skip: number } | undefined;
  for (const [day, n] of days) {
    if (first === undefined && offset < found + n) first = { firstDay: day, skip: offset - found };
    found += n;
  }
  return { found, ...(first ?? { firstDay: null, skip: 0 }) };
}
