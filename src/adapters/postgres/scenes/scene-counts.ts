import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import { columnFilters, toCount, toDatasetCondition, toDayCounts } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { list, raw, sql } from '../../sql/sql-clause.ts';
import { postgresDialect } from './scene-sql.ts';

type DatasetQuery = SceneQuery['datasets'][number];

/** How many scenes match, areas apart: from the count table if only dates and clouds are filtered, otherwise from an index. */
export function toQuickCount(query: SceneQuery): Clause {
  const arms = query.datasets.map((dataset) => {
    const count = planCount(dataset);
    if (count === null) return sql`(${toCount({ ...query, datasets: [dataset] }, postgresDialect)})`;
    return sql`(SELECT coalesce(sum(${count.weighed}), 0) FROM tallies s WHERE ${count.condition})`;
  });
  return sql`SELECT ${list(arms, ' + ')} AS n`;
}

/** How many scenes match on each day; a day may be listed more than once, or with a count of 0. */
export function toQuickDayCounts(query: SceneQuery): Clause {
  const arms = query.datasets.map((dataset) => {
    const count = planCount(dataset);
    if (count === null) return toDayCounts({ ...query, datasets: [dataset] }, postgresDialect);
    return sql`SELECT s.date AS day, sum(${count.weighed}) AS n FROM tallies s
      WHERE ${count.condition} GROUP BY s.date`;
  });
  return list(arms, ' UNION ALL ');
}

/** What to sum over which rows of the count table `tallies`. */
interface CountPlan {
  readonly weighed: Clause;
  readonly condition: Clause;
}

const COUNTED: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

/** Null if the count table does not know: more than dates and ranges of clouds is filtered. */
function planCount({ id, filters }: DatasetQuery): CountPlan | null {
  if (columnFilters(filters, COUNTED).length < filters.length) return null;
  const clouds = filters.filter(({ field }) => field === 'cloudCoverage');
  const ranges = clouds.filter((filter) => filter.kind === 'range');
  if (ranges.length < clouds.length) return null;
  const dates = filters.filter(({ field }) => field === 'date');
  return {
    weighed: sql`s.weight * ${toMatching(ranges)}`,
    condition: toDatasetCondition({ id, filters: dates }, postgresDialect),
  };
}

type Range = Extract<FieldFilter, { kind: 'range' }>;

/** How many of a row's clouds lie in all ranges. The list is sorted, and `width_bucket` searches it by halves. */
function toMatching(ranges: readonly Range[]): Clause {
  const lows = ranges.flatMap(({ from }) => (from == null ? [] : [Number(from)]));
  const highs = ranges.flatMap(({ to }) => (to == null ? [] : [Number(to)]));
  if (lows.length === 0 && highs.length === 0) return raw('cardinality(s.clouds)');
  // Scenes without a cloud cover have NaN, which is above infinity and in no range.
  const upTo = (high: number): Clause => sql`width_bucket(${high}::float8, s.clouds)`;
  const high = upTo(Math.min(...highs, Number.POSITIVE_INFINITY));
  if (lows.length === 0) return high;
  return sql`greatest(0, ${high} - ${upTo(toNumberBelow(Math.max(...lows)))})`;
}

/** The largest number below another, so that `<=` it means less than the other. Nothing is below -Infinity. */
export function toNumberBelow(value: number): number {
  if (value === Number.NEGATIVE_INFINITY) return value;
  if (value === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  // Doubles of one sign are in the order of their bits; negative ones the other way round.
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
