import type { FieldFilter, FieldValue, SceneQuery } from '../../catalog/index.ts';
import type { Clause } from './sql-clause.ts';
import { all, any, list, raw, sql } from './sql-clause.ts';

/** Values compare within their kind only; true and false are the numbers 1 and 0. */
type ValueKind = 'number' | 'text';

/** What differs between databases; the rest of a search is the same for all. */
export interface Dialect {
  /** The field's value when it is of the kind, as something to compare. */
  value(field: string, kind: ValueKind): Clause;
  /** What to sort by for a field without a column of its own: numbers before texts when ascending. */
  sortKeys(field: string, descending: boolean): readonly Clause[];
  /** Whether the database merges sorted datasets; otherwise each is cut to the page before they are merged. */
  readonly mergesInOrder: boolean;
}

/** Fields with an indexed column of their own. */
const OWN_COLUMNS: ReadonlyMap<string, { readonly sql: string; readonly kind: ValueKind }> = new Map([
  ['date', { sql: 's.date', kind: 'text' }],
  ['sceneID', { sql: 's.scene_id', kind: 'text' }],
  ['cloudCoverage', { sql: 's.cloud', kind: 'number' }],
  ['satellite', { sql: 's.dataset', kind: 'text' }],
]);

/** What a row of one dataset of the query must satisfy, areas apart. */
export function toDatasetCondition(
  { id, filters }: SceneQuery['datasets'][number],
  dialect: Dialect,
): Clause {
  return all([sql`s.dataset = ${id}`, ...filters.map((filter) => toCondition(filter, dialect))]);
}

/** The filters that columns of their own answer alone, out of these columns' fields. */
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

/** What a search sorts by, as columns to select, and the order by their names. */
export interface SceneOrder {
  /** ` , … AS k0`: goes into the list of columns, after others. */
  readonly columns: Clause;
  readonly order: string;
}

/** Scene and view id break ties, so that pages never overlap. */
export function toOrder({ sort }: SceneQuery, dialect: Dialect): SceneOrder {
  const own = OWN_COLUMNS.get(sort.field);
  const keys = own === undefined ? dialect.sortKeys(sort.field, sort.descending) : [raw(own.sql)];
  const direction = sort.descending ? 'DESC' : 'ASC';
  // Said only where it matters: an index gives the order of a column that is never null as it stands.
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
  // An open end is closed with the first text or the last number: in SQLite every text is above every number.
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
      // SQLite's lower() makes a text of a number; numbers lie before every text, the empty one too.
      return [sql`(lower(${value}) IN (${marks}) AND ${value} >= '')`];
    }),
  );
}

/** As both databases do it: SQLite always, PostgreSQL under the collation C. */
const toLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function toValue(field: string, kind: ValueKind, dialect: Dialect): Clause {
  const own = OWN_COLUMNS.get(field);
  return own?.kind === kind ? raw(own.sql) : dialect.value(field, kind);
}

const kindOf = (value: FieldValue): ValueKind => (typeof value === 'string' ? 'text' : 'number');

const toPlain = (value: FieldValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value;
