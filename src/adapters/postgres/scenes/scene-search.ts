import type { SceneQuery } from '../../../catalog/index.ts';
import type { StoredRecord } from '../../sql/scene-row.ts';
import { planPage, toOrder, toPage, toShapeCount, toShapePage } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { toQuickCount, toQuickDayCounts } from './scene-counts.ts';
import { postgresDialect, toShapeSql } from './scene-sql.ts';
import { withoutNul } from './without-nul.ts';

interface StoredPage {
  readonly found: number;
  readonly records: readonly StoredRecord[];
}

/**
 * A search as PostgreSQL answers it. Count and page are of one moment, whatever is written meanwhile: they come in one
 * statement, or for deep pages in a snapshot.
 */
export async function searchRecords(
  client: SqlClient,
  asked: SceneQuery,
  whole: boolean,
): Promise<StoredPage> {
  const query = withoutNul(asked);
  const { offset, sort, shape } = query;
  if (query.datasets.length === 0) return { found: 0, records: [] };
  // No footprint lies within a point.
  if (shape?.geometry.type === 'Point' && shape.relation === 'within') return { found: 0, records: [] };
  if (shape !== undefined) {
    if (offset === 0) return searchByShape(client, query, { shape, whole });
    return client.inSnapshot((held) => searchByShape(held, query, { shape, whole }));
  }
  // For a deep page, counting by day pays off.
  if (sort.field === 'date' && offset > 0)
    return client.inSnapshot((held) => searchDeeply(held, query, whole));
  return searchAtOnce(client, query, whole);
}

async function searchAtOnce(client: SqlClient, query: SceneQuery, whole: boolean): Promise<StoredPage> {
  const page = toPage(query, postgresDialect, { firstDay: null, offset: query.offset });
  // The count is in every row, and in one without a record when the page is empty.
  const rows = await client.query<Counted<StoredRecord | { readonly hit: null }>>(
    sql`SELECT counted.n AS found, ${toColumns(whole)} FROM (${toQuickCount(query)}) counted
      LEFT JOIN (${page}) page ON true LEFT JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  return {
    found: Number(rows[0]?.found ?? 0),
    records: rows.filter((row): row is Counted<StoredRecord> => row.hit !== null),
  };
}

async function searchDeeply(client: SqlClient, query: SceneQuery, whole: boolean): Promise<StoredPage> {
  const counts = await client.query<{ day: string; n: string }>(toQuickDayCounts(query));
  const days = counts.map(({ day, n }) => ({ day, n: Number(n) }));
  const { offset, sort } = query;
  const { found, firstDay, skip } = planPage(days, { offset, descending: sort.descending });
  if (firstDay === null) return { found, records: [] };
  const page = toPage(query, postgresDialect, { firstDay, offset: skip });
  const records = await client.query<StoredRecord>(
    sql`SELECT ${toColumns(whole)} FROM (${page}) page JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  return { found, records };
}

async function searchByShape(
  client: SqlClient,
  query: SceneQuery,
  { shape, whole }: { readonly shape: NonNullable<SceneQuery['shape']>; readonly whole: boolean },
): Promise<StoredPage> {
  const shapeSql = toShapeSql(shape);
  const page = toShapePage(query, postgresDialect, shapeSql);
  const records = await client.query<Counted<StoredRecord>>(
    sql`SELECT page.found, ${toColumns(whole)} FROM (${page}) page JOIN records r ON r.number = page.number
      ORDER BY ${toNamedOrder(query)}`,
  );
  const [first] = records;
  if (first !== undefined || query.offset === 0) return { found: Number(first?.found ?? 0), records };
  const [count] = await client.query<{ n: string }>(toShapeCount(query, postgresDialect, shapeSql));
  return { found: Number(count?.n ?? 0), records };
}

/** A row with the number of all scenes that match. */
type Counted<Row> = Row & { readonly found: string };

/** Records are looked up last, for the scenes of the page only. */
const toColumns = (whole: boolean): Clause => raw(whole ? 'r.hit, r.rest' : 'r.hit');

const toNamedOrder = (query: SceneQuery): Clause => raw(toOrder(query, postgresDialect).order);
