import type { FieldFilter, FieldValue, SceneQuery } from '../../../catalog/index.ts';
import { geometryBounds } from '../../../geo/index.ts';
import type { Dialect, PagePlan, ShapeSql, StoredRecord } from '../../sql/scenes.ts';
import { planPage, toOrder, toPage, toShapeCount, toShapePage } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { all, any, raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import type { FilesRow } from './file-layouts.ts';
import { FILES_COLUMNS } from './file-layouts.ts';
import { inMonth, toMonth, toQuickCount, toQuickDayCounts, toQuickMonthCounts } from './scene-counts.ts';

/** jsonb's own order would sort strings by the database's language, and booleans above all numbers. */
const asNumber = (field: string): Clause =>
  sql`(CASE jsonb_typeof(s.fields -> ${field}::text)
    WHEN 'number' THEN (s.fields ->> ${field}::text)::float8
    WHEN 'boolean' THEN (s.fields ->> ${field}::text)::boolean::integer::float8 END)`;
const asText = (field: string): Clause =>
  sql`(CASE jsonb_typeof(s.fields -> ${field}::text) WHEN 'string' THEN s.fields ->> ${field}::text END COLLATE "C")`;

/** The PostgreSQL dialect of searches. */
export const postgresDialect: Dialect = {
  value: (field, kind) => (kind === 'number' ? asNumber(field) : asText(field)),
  // A field with a number has no string: nulls come last in either direction, so the order of the keys sorts the kinds.
  sortKeys: (field, descending) =>
    descending ? [asText(field), asNumber(field)] : [asNumber(field), asText(field)],
  // PostgreSQL can, but prefers to read everything and sort.
  mergesInOrder: false,
};

/** Positions within this distance are the same, as in geo/area.ts. */
const SAME_PLACE_DEG = 1e-9;

/** Every shape is compared where it is written, and a turn to the east and to the west. */
const TURNS = [0, 360, -360];

/**
 * Shapes in PostGIS, in the plane of longitude and latitude, which agree with `relates`: areas are closed, geometries
 * within a tenth of a millimetre touch, and every shape is also compared 360° to the east and to the west.
 * - intersects: the distance is at most the tolerance;
 * - contains, within: the outer area, wider by a tolerance and joined with its copies at ±360° (which closes the seam of an
 *   area cut at 180°), covers the inner one.
 */
export function toShapeSql({ geometry, relation }: NonNullable<SceneQuery['shape']>): ShapeSql {
  const shape = sql`ST_GeomFromGeoJSON(${JSON.stringify(geometry)})`;
  const { west, east, south, north } = geometryBounds(geometry);
  const toBox = (turn: number): Clause => {
    const [w, e] = [west + turn - SAME_PLACE_DEG, east + turn + SAME_PLACE_DEG];
    const [s, n] = [south - SAME_PLACE_DEG, north + SAME_PLACE_DEG];
    return sql`ST_MakeEnvelope(${w}::float8, ${s}::float8, ${e}::float8, ${n}::float8, 4326)`;
  };
  const from = raw('scenes s');
  // What an index finds; the box is compared again below, because two datasets may share a plane.
  const near: NonNullable<ShapeSql['near']> = ({ id, filters }) => {
    const years = listYears(filters);
    const plane = raw(years === null ? 's.dataset' : 's.dataset || left(s.date, 4)');
    const planes = years === null ? [id] : years.map((year) => `${id}${year}`);
    return any(
      planes.flatMap((name) =>
        TURNS.map((turn) => sql`to_plane(s.footprint, ${plane}) && to_plane(${toBox(turn)}, ${name}::text)`),
      ),
    );
  };
  if (geometry.type === 'Point' || relation === 'intersects') {
    const touches = (turn: number): Clause => {
      const turned = turn === 0 ? shape : toTurned(shape, turn);
      return all([
        sql`s.footprint && ${toBox(turn)}`,
        sql`ST_DWithin(s.footprint, ${turned}, ${raw(String(SAME_PLACE_DEG))})`,
      ]);
    };
    return { from, near, test: any(TURNS.map(touches)) };
  }
  // Polygons of a shape may overlap, and ST_MakeValid would remove their intersection.
  const whole = sql`ST_UnaryUnion(${shape})`;
  const covers =
    relation === 'contains'
      ? sql`ST_Covers(${toGround(raw('s.footprint'))}, ${whole})`
      : sql`ST_Covers(${toGround(whole)}, ST_MakeValid(s.footprint))`;
  return { from, near, test: covers };
}

const toTurned = (geometry: Clause, degrees: number): Clause =>
  sql`ST_Translate(${geometry}, ${raw(String(degrees))}, 0)`;

function toGround(geometry: Clause): Clause {
  const valid = sql`ST_MakeValid(${geometry})`;
  return sql`ST_Buffer(ST_Collect(ARRAY[${valid}, ${toTurned(valid, 360)}, ${toTurned(valid, -360)}]), ${raw(String(SAME_PLACE_DEG))}, 2)`;
}

/** More years than these are found faster by the index that does not know years: each costs three look-ups. */
const MAX_YEARS = 3;

/** The years of the asked dates, as texts; null for many, or if dates are open at one end. */
export function listYears(filters: readonly FieldFilter[]): readonly string[] | null {
  const dates = filters.filter(({ field }) => field === 'date').filter((filter) => filter.kind === 'range');
  const yearsOf = (bounds: readonly unknown[]): readonly number[] =>
    bounds
      .filter((bound) => typeof bound === 'string' && YEAR.test(bound))
      .map((bound) => Number(String(bound).slice(0, 4)));
  const first = Math.max(...yearsOf(dates.map(({ from }) => from)));
  const last = Math.min(...yearsOf(dates.map(({ to }) => to)));
  const count = last - first + 1;
  if (!(count >= 1 && count <= MAX_YEARS)) return null;
  return Array.from({ length: count }, (_, i) => String(first + i).padStart(4, '0'));
}

/** How a date begins, in which text compares as time does. */
const YEAR = /^\d{4}/;

/**
 * The same query without the character NUL, which PostgreSQL cannot store, so that no stored string equals one with NUL.
 * Among strings without NUL, the first one that is not below "a NUL …" is "a U+0001", and the last one that is not above
 * it is "a".
 */
export function withoutNul(query: SceneQuery): SceneQuery {
  return {
    ...query,
    datasets: query.datasets
      .filter(({ id }) => !hasNul(id))
      .map(({ id, filters }) => ({ id, filters: filters.map(cleanFilter) })),
    sort: { ...query.sort, field: cleanField(query.sort.field) },
  };
}

/** Replaces a name that no field can have by one that no field has. */
const cleanField = (field: string): string => (hasNul(field) ? '\u0001' : field);

function cleanFilter(filter: FieldFilter): FieldFilter {
  const field = cleanField(filter.field);
  if (filter.kind === 'one-of') return { ...filter, field, values: filter.values.filter((v) => !hasNul(v)) };
  const { from, to } = filter;
  return {
    field,
    kind: 'range',
    ...(from === undefined ? {} : { from: cut(from, '\u0001') }),
    ...(to === undefined ? {} : { to: cut(to, '') }),
  };
}

const cut = (value: FieldValue, ending: string): FieldValue =>
  typeof value === 'string' && hasNul(value) ? value.slice(0, value.indexOf('\0')) + ending : value;

/**
 * What is read of records: hits, what their files are read from too, or all of them. They are looked up last, for the scenes
 * of the page only.
 */
const COLUMNS = { hits: 'r.hit', files: FILES_COLUMNS, whole: 'r.hit, r.rest' } as const;

/** A record with the columns of a kind. */
interface RecordOf {
  readonly hits: StoredRecord;
  readonly files: FilesRow;
  readonly whole: StoredRecord;
}
type Kind = keyof RecordOf;

interface StoredPage<K extends Kind> {
  readonly found: number;
  readonly records: readonly RecordOf[K][];
}

/**
 * Runs a search. Count and page agree while others write: one statement reads both or, for deep pages, one snapshot does.
 */
export async function searchRecords<K extends Kind>(
  client: SqlClient,
  asked: SceneQuery,
  kind: K,
): Promise<StoredPage<K>> {
  const query = withoutNul(asked);
  const { offset, sort, shape } = query;
  if (query.datasets.length === 0) return { found: 0, records: [] };
  // No footprint is within a point.
  if (shape?.geometry.type === 'Point' && shape.relation === 'within') return { found: 0, records: [] };
  if (shape !== undefined) {
    if (offset === 0) return searchByShape(client, query, { shape, kind });
    return client.inSnapshot((held) => searchByShape(held, query, { shape, kind }));
  }
  // For a deep page, counting by day pays off.
  if (sort.field === 'date' && offset > 0)
    return client.inSnapshot((held) => searchDeeply(held, query, kind));
  return searchAtOnce(client, query, kind);
}

async function searchAtOnce<K extends Kind>(
  client: SqlClient,
  query: SceneQuery,
  kind: K,
): Promise<StoredPage<K>> {
  const page = toPage(query, postgresDialect, { firstDay: null, offset: query.offset });
  // Every row has the count; an empty page has one row without a record.
  const rows = await client.query<Counted<RecordOf[K] | { readonly hit: null }>>(
    sql`SELECT counted.n AS found, ${raw(COLUMNS[kind])} FROM (${toQuickCount(query, postgresDialect)}) counted
      LEFT JOIN (${page}) page ON true LEFT JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  return {
    found: Number(rows[0]?.found ?? 0),
    records: rows.filter((row): row is Counted<RecordOf[K]> => row.hit !== null),
  };
}

async function searchDeeply<K extends Kind>(
  client: SqlClient,
  query: SceneQuery,
  kind: K,
): Promise<StoredPage<K>> {
  const { found, firstDay, skip } = await findFirstDay(client, query);
  if (firstDay === null) return { found, records: [] };
  const page = toPage(query, postgresDialect, { firstDay, offset: skip });
  const records = await client.query<RecordOf[K]>(
    sql`SELECT ${raw(COLUMNS[kind])} FROM (${page}) page JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  return { found, records };
}

/** Finds the day on which a page begins, if possible by its month, so that only days of that month are counted. */
async function findFirstDay(client: SqlClient, query: SceneQuery): Promise<PagePlan> {
  const { offset, sort } = query;
  const planIn = async (counts: Clause, at: number, toPeriod = (day: string) => day) => {
    const rows = await client.query<{ day: string; n: string }>(counts);
    const periods = rows.map(({ day, n }) => ({ day: toPeriod(day), n: Number(n) }));
    return planPage(periods, { offset: at, descending: sort.descending });
  };
  const byMonth = toQuickMonthCounts(query, postgresDialect);
  if (byMonth === null) return planIn(toQuickDayCounts(query, postgresDialect), offset);
  const month = await planIn(byMonth, offset, toMonth);
  if (month.firstDay === null) return month;
  const days = toQuickDayCounts(inMonth(query, month.firstDay), postgresDialect);
  return { ...(await planIn(days, month.skip)), found: month.found };
}

async function searchByShape<K extends Kind>(
  client: SqlClient,
  query: SceneQuery,
  { shape, kind }: { readonly shape: NonNullable<SceneQuery['shape']>; readonly kind: K },
): Promise<StoredPage<K>> {
  const shapeSql = toShapeSql(shape);
  const page = toShapePage(query, postgresDialect, shapeSql);
  const records = await client.query<Counted<RecordOf[K]>>(
    sql`SELECT page.found, ${raw(COLUMNS[kind])} FROM (${page}) page JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  const [first] = records;
  if (first !== undefined || query.offset === 0) return { found: Number(first?.found ?? 0), records };
  const [count] = await client.query<{ n: string }>(toShapeCount(query, postgresDialect, shapeSql));
  return { found: Number(count?.n ?? 0), records };
}

/** A row with the total count. */
type Counted<Row> = Row & { readonly found: string };

const toNamedOrder = (query: SceneQuery): Clause => raw(toOrder(query, postgresDialect).order);
