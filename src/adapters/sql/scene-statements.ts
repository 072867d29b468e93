import type { SceneQuery } from '../../catalog/index.ts';
import type { Dialect } from './scene-conditions.ts';
import { toDatasetCondition, toOrder } from './scene-conditions.ts';
import type { Clause } from './sql-clause.ts';
import { any, list, raw, sql } from './sql-clause.ts';

/** How many scenes match on each day; of each dataset on its own, so that each counts in its index. */
export function toDayCounts({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) =>
      sql`SELECT s.date AS day, count(*) AS n FROM scenes s
        WHERE ${toDatasetCondition(dataset, dialect)} GROUP BY s.date`,
  );
  return list(arms, ' UNION ALL ');
}

/** How many scenes match, shapes apart. */
export function toCount({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) => sql`(SELECT count(*) FROM scenes s WHERE ${toDatasetCondition(dataset, dialect)})`,
  );
  return sql`SELECT ${list(arms, ' + ')} AS n`;
}

/** The numbers of a page's scenes, in order. Each dataset is read in the order of its index, and only so far. */
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

/** Where the scenes that may meet a shape come from, and the exact test of them. */
export interface ShapeSql {
  /** A FROM that names the table `s`. */
  readonly from: Clause;
  readonly test: Clause;
}

/** A page of the scenes that stand in a relation to a shape, each with the number of all of them. */
export function toShapePage(query: SceneQuery, dialect: Dialect, { from, test }: ShapeSql): Clause {
  const { columns, order } = toOrder(query, dialect);
  return sql`SELECT t.*, count(*) OVER () AS found FROM (
      SELECT s.number AS number, ${columns} FROM ${from} WHERE ${toAnyDataset(query, dialect)} AND ${test}
    ) t ORDER BY ${raw(order)} LIMIT ${query.limit} OFFSET ${query.offset}`;
}

/** How many scenes stand in the relation: asked only when a page lies behind the last of them. */
export const toShapeCount = (query: SceneQuery, dialect: Dialect, { from, test }: ShapeSql): Clause =>
  sql`SELECT count(*) AS n FROM ${from} WHERE ${toAnyDataset(query, dialect)} AND ${test}`;

const toAnyDataset = ({ datasets }: SceneQuery, dialect: Dialect): Clause =>
  any(datasets.map((dataset) => toDatasetCondition(dataset, dialect)));
