/** Counts of scenes without areas, from the count tables `month_tallies` and `tallies` wherever dates and clouds decide. */
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import type { Dialect } from '../../sql/scenes.ts';
import { columnFilters, toCount, toDatasetCondition, toDayCounts } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { all, list, raw, sql } from '../../sql/sql.ts';
import { LAST_CLOUDS, NO_CLOUDS } from '../schema/month-step.ts';

type DatasetQuery = SceneQuery['datasets'][number];
type Range = Extract<FieldFilter, { kind: 'range' }>;

/** Counts matching scenes, without areas: in the count tables if only dates and clouds are filtered, otherwise in an index. */
export function toQuickCount(query: SceneQuery, dialect: Dialect): Clause {
  const arms = query.datasets.map((dataset) => {
    const months = planMonths(dataset, dialect);
    if (months !== null)
      return list(
        [
          sql`(SELECT coalesce(sum(${months.counted}), 0) FROM month_tallies m WHERE ${months.whole})`,
          ...months.edges.map(toSum),
        ],
        ' + ',
      );
    const count = planDays(dataset, dialect);
    return count === null ? sql`(${toCount({ ...query, datasets: [dataset] }, dialect)})` : toSum(count);
  });
  return sql`SELECT ${list(arms, ' + ')} AS n`;
}

const toSum = ({ weighed, condition }: DayPlan): Clause =>
  sql`(SELECT coalesce(sum(${weighed}), 0) FROM tallies s WHERE ${condition})`;

/** Counts matching scenes by day; a day may be listed more than once, or with a count of 0. */
export function toQuickDayCounts(query: SceneQuery, dialect: Dialect): Clause {
  const arms = query.datasets.map((dataset) => {
    const count = planDays(dataset, dialect);
    return count === null ? toDayCounts({ ...query, datasets: [dataset] }, dialect) : toDays(count);
  });
  return list(arms, ' UNION ALL ');
}

const toDays = ({ weighed, condition }: DayPlan): Clause =>
  sql`SELECT s.date AS day, sum(${weighed}) AS n FROM tallies s WHERE ${condition} GROUP BY s.date`;

/** The same by month, as `day`; days of incomplete months are their own rows. Null if some dataset must be counted by day. */
export function toQuickMonthCounts(query: SceneQuery, dialect: Dialect): Clause | null {
  const plans = query.datasets.map((dataset) => planMonths(dataset, dialect));
  if (!plans.every((plan) => plan !== null)) return null;
  const arms = plans.flatMap(({ counted, whole, edges }) => [
    sql`SELECT m.month AS day, sum(${counted}) AS n FROM month_tallies m WHERE ${whole} GROUP BY m.month`,
    ...edges.map(toDays),
  ]);
  return list(arms, ' UNION ALL ');
}

/** The part of a query in one month. */
export const inMonth = (query: SceneQuery, month: string): SceneQuery => ({
  ...query,
  datasets: query.datasets.map(({ id, filters }) => ({
    id,
    // Nothing that begins with the month is above it and the last character.
    filters: [...filters, { field: 'date', kind: 'range', from: month, to: `${month}\u{10ffff}` }],
  })),
});

/** The month of a day or of a month. */
export const toMonth = (day: string): string => day.slice(0, MONTH_LENGTH);

const MONTH_LENGTH = 7;

/** The sum to compute, and the rows of the count table `tallies` to use. */
interface DayPlan {
  readonly weighed: Clause;
  readonly condition: Clause;
}

const COUNTED: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

/** Filters by date and ranges of clouds; null if the query has others. */
function divideFilters(filters: readonly FieldFilter[]) {
  if (columnFilters(filters, COUNTED).length < filters.length) return null;
  const clouds = filters.filter(({ field }) => field === 'cloudCoverage');
  const ranges = clouds.filter((filter) => filter.kind === 'range');
  if (ranges.length < clouds.length) return null;
  return { dates: filters.filter(({ field }) => field === 'date'), ranges };
}

/** Plans a count in the count table; null if the query filters by more than dates and cloud ranges. */
function planDays({ id, filters }: DatasetQuery, dialect: Dialect): DayPlan | null {
  const divided = divideFilters(filters);
  if (divided === null) return null;
  return {
    weighed: sql`s.weight * ${toMatching(divided.ranges)}`,
    condition: toDatasetCondition({ id, filters: divided.dates }, dialect),
  };
}

/** A count of whole months, and of the days before and after them. */
interface MonthPlan {
  readonly counted: Clause;
  readonly whole: Clause;
  readonly edges: readonly DayPlan[];
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Plans a count by month; null if `tallies` counts it alone: few days, or thresholds between whole percents. */
function planMonths({ id, filters }: DatasetQuery, dialect: Dialect): MonthPlan | null {
  const divided = divideFilters(filters);
  if (divided === null) return null;
  const counted = toClassCount(divided.ranges);
  const dates = divided.dates.filter((filter) => filter.kind === 'range');
  const bounds = dates.flatMap(({ from, to }) => [from, to]).filter((bound) => bound != null);
  if (counted === null || dates.length < divided.dates.length) return null;
  if (!bounds.every((bound) => typeof bound === 'string' && DAY.test(bound))) return null;
  const from = toText(dates.map((filter) => filter.from)).at(-1);
  const to = toText(dates.map((filter) => filter.to))[0];
  // The first month that is whole, and the one after the last.
  const first = from === undefined ? undefined : toNext(toMonth(from));
  const after = to === undefined ? undefined : toMonth(to);
  if (first !== undefined && after !== undefined && first >= after) return null;
  const toEdge = (low: string, high: Clause): DayPlan => ({
    weighed: sql`s.weight * ${toMatching(divided.ranges)}`,
    condition: all([toDatasetCondition({ id, filters: [] }, dialect), sql`s.date >= ${low}`, high]),
  });
  return {
    counted,
    whole: all([
      sql`m.dataset = ${id}`,
      ...(first === undefined ? [] : [sql`m.month >= ${first}`]),
      ...(after === undefined ? [] : [sql`m.month < ${after}`]),
    ]),
    edges: [
      ...(from === undefined || first === undefined ? [] : [toEdge(from, sql`s.date < ${first}`)]),
      ...(to === undefined || after === undefined ? [] : [toEdge(after, sql`s.date <= ${to}`)]),
    ],
  };
}

const toText = (bounds: readonly unknown[]): readonly string[] =>
  bounds.filter((bound) => typeof bound === 'string').toSorted();

/** The least text above all that begin with a month: its last digit is followed by the next character. */
const toNext = (month: string): string =>
  month.slice(0, -1) + String.fromCharCode(month.charCodeAt(MONTH_LENGTH - 1) + 1);

/** Counts a month's scenes that are in all ranges of clouds; null if a bound is not a class of its own. */
function toClassCount(ranges: readonly Range[]): Clause | null {
  const lows = ranges.flatMap(({ from }) => (from == null ? [] : [Number(from)]));
  const highs = ranges.flatMap(({ to }) => (to == null ? [] : [Number(to)]));
  if (![...lows, ...highs].every((bound) => Number.isInteger(bound) && bound >= 0 && bound <= 100))
    return null;
  const upTo = (last: number): Clause =>
    sql`coalesce(m.totals[width_bucket(${last}::smallint, m.classes)], 0)`;
  if (lows.length === 0 && highs.length === 0) return upTo(NO_CLOUDS);
  const last = highs.length === 0 ? LAST_CLOUDS : 2 * Math.min(...highs);
  if (lows.length === 0) return upTo(last);
  const first = 2 * Math.max(...lows);
  return first > last ? raw('0') : sql`(${upTo(last)} - ${upTo(first - 1)})`;
}

/** Counts a row's clouds that are in all ranges. The list is sorted, and `width_bucket` does a binary search. */
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

/** The next smaller double, so that `<=` it means less than `value`. -Infinity has none. */
export function toNumberBelow(value: number): number {
  if (value === Number.NEGATIVE_INFINITY) return value;
  if (value === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  // Positive doubles are in the order of their bits, negative ones in the reverse order.
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
