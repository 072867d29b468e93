import type { DatabaseSync } from 'node:sqlite';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import type { DayCount } from '../../sql/scene-search.ts';
import { columnFilters, toDatasetCondition } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import { sqliteDialect } from '../database/dialect.ts';
import { toTyped } from '../database/queries.ts';
import type { CloudBounds, DayClouds } from './day-clouds.ts';
import { CLOUD_BYTES, countClouds } from './day-clouds.ts';

type DatasetQuery = SceneQuery['datasets'][number];

/** A count that the count table `tallies` can answer: which rows to read, and which of their clouds to count. */
interface CountPlan {
  /** Days with their clouds or, if all clouds are counted, with the number of them. */
  readonly byDay: Clause;
  /** The number of all scenes; null if clouds have to be compared. */
  readonly sum: Clause | null;
  readonly bounds: CloudBounds | null;
}

const COUNTED: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

/** How to count in the count table; null if it does not know, because more than dates and clouds is filtered. */
export function planCount({ id, filters }: DatasetQuery): CountPlan | null {
  if (columnFilters(filters, COUNTED).length < filters.length) return null;
  const dates = filters.filter(({ field }) => field === 'date');
  const bounds = toBounds(filters.filter(({ field }) => field === 'cloudCoverage'));
  const from = sql`FROM tallies s WHERE ${toDatasetCondition({ id, filters: dates }, sqliteDialect)}`;
  if (bounds !== null) return { byDay: sql`SELECT s.date, s.clouds ${from}`, sum: null, bounds };
  // SQLite knows the length of a blob without reading it.
  const n = raw(`length(s.clouds) / ${CLOUD_BYTES}`);
  return { byDay: sql`SELECT s.date, ${n} ${from}`, sum: sql`SELECT sum(${n}) ${from}`, bounds };
}

/** What all filters let through; null without a filter, when scenes without clouds count too. */
function toBounds(filters: readonly FieldFilter[]): CloudBounds | null {
  const asked = filters.filter(
    (filter) => filter.kind === 'one-of' || filter.from != null || filter.to != null,
  );
  if (asked.length === 0) return null;
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let only: ReadonlySet<number> | undefined;
  for (const filter of asked) {
    if (filter.kind === 'one-of') {
      const listed = filter.values.filter((value) => value !== null).map(Number);
      only = new Set(listed.filter((cloud) => only?.has(cloud) ?? true));
    } else {
      if (filter.from != null) low = Math.max(low, Number(filter.from));
      if (filter.to != null) high = Math.min(high, Number(filter.to));
    }
  }
  return only === undefined ? { low, high } : { low, high, only };
}

/** Counts in the count table how many scenes match; null if it does not know. */
export function makeCountReads(database: DatabaseSync) {
  function readRows<Row>({ sql: text, values }: Clause): readonly Row[] {
    const statement = database.prepare(text);
    // There are thousands of rows, and objects take longer to build.
    statement.setReturnArrays(true);
    return toTyped<Row>(statement).all(...values);
  }

  function countDays(plan: CountPlan): readonly DayCount[] {
    const { byDay, bounds } = plan;
    if (bounds === null) {
      return readRows<readonly [string, number]>(byDay).map(([day, n]) => ({ day, n }));
    }
    return readRows<readonly [string, DayClouds]>(byDay).map(([day, clouds]) => ({
      day,
      n: countClouds(clouds, bounds),
    }));
  }

  return {
    /** On each day; a count may be 0. */
    byDay(dataset: DatasetQuery): readonly DayCount[] | null {
      const plan = planCount(dataset);
      return plan === null ? null : countDays(plan);
    },
    total(dataset: DatasetQuery): number | null {
      const plan = planCount(dataset);
      if (plan === null) return null;
      if (plan.sum !== null) return readRows<readonly [number | null]>(plan.sum)[0]?.[0] ?? 0;
      return countDays(plan).reduce((found, { n }) => found + n, 0);
    },
  };
}
