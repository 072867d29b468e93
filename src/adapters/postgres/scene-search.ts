import type { SceneQuery } from '../../catalog/index.ts';
import { planPage } from '../plan-page.ts';
import { toOrder } from '../scene-conditions.ts';
import type { StoredRecord } from '../scene-row.ts';
import { toCount, toDayCounts, toPage, toShapeCount, toShapePage } from '../scene-statements.ts';
import type { Clause } from '../sql-clause.ts';
import { raw, sql } from '../sql-clause.ts';
import { postgresDialect, toShapeSql } from './scene-sql.ts';
import type { SqlClient } from './sql-client.ts';
import { withoutNul } from './without-nul.ts';

interface StoredPage {
  readonly found: number;
  readonly records: readonly StoredRecord[];
}

/** A search as PostgreSQL answers it: a count and a page, each in a statement of its own. */
export async function searchRecords(
  client: SqlClient,
  asked: SceneQuery,
  whole: boolean,
): Promise<StoredPage> {
  const query = withoutNul(asked);
  const { offset, sort, shape } = query;
  if (query.datasets.length === 0) return { found: 0, records: [] };
  const readPage = <Row>(page: Clause): Promise<readonly (StoredRecord & Row)[]> =>
    client.query(toRecords(query, page, whole));

  if (shape !== undefined) {
    // A point holds no footprint.
    if (shape.geometry.type === 'Point' && shape.relation === 'within') return { found: 0, records: [] };
    const shapeSql = toShapeSql(shape);
    const records = await readPage<{ found: string }>(toShapePage(query, postgresDialect, shapeSql));
    const [first] = records;
    if (first !== undefined || offset === 0) return { found: Number(first?.found ?? 0), records };
    return { found: await readCount(client, toShapeCount(query, postgresDialect, shapeSql)), records };
  }
  // A deep page is worth counting by day; for the first one the count and the page are asked for at once.
  if (sort.field === 'date' && offset > 0) {
    const counts = await client.query<{ day: string; n: string }>(toDayCounts(query, postgresDialect));
    const days = counts.map(({ day, n }) => ({ day, n: Number(n) }));
    const { found, firstDay, skip } = planPage(days, { offset, descending: sort.descending });
    if (firstDay === null) return { found, records: [] };
    return { found, records: await readPage(toPage(query, postgresDialect, { firstDay, offset: skip })) };
  }
  const [found, records] = await Promise.all([
    readCount(client, toCount(query, postgresDialect)),
    readPage(toPage(query, postgresDialect, { firstDay: null, offset })),
  ]);
  return { found, records };
}

async function readCount(client: SqlClient, count: Clause): Promise<number> {
  const [row] = await client.query<{ n: string }>(count);
  return Number(row?.n ?? 0);
}

/** Records are looked up last, for the scenes of the page only. */
function toRecords(query: SceneQuery, page: Clause, whole: boolean): Clause {
  const found = query.shape === undefined ? '' : ', page.found';
  const { order } = toOrder(query, postgresDialect);
  return sql`SELECT r.hit${raw(whole ? ', r.rest' : '')}${raw(found)}
    FROM (${page}) page JOIN records r ON r.number = page.number ORDER BY ${raw(order)}`;
}
