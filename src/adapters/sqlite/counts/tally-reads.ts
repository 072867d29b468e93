import type { DatabaseSync } from 'node:sqlite';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import type { DayCount } from '../../sql/plan-page.ts';
import { columnFilters, toDatasetCondition } from '../../sql/scene-conditions.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import { sqliteDialect } from '../database/dialect.ts';
import type { CloudBounds, CloudTally } from './cloud-tally.ts';
import { CLOUD_BYTES, countClouds } from './cloud-tally.ts';

type DatasetQuery = SceneQuery['datasets'][number];

/** A count that tallies can answer: which of them to read, and which of their clouds to count. */
interface TallyQuestion {
  /** Days, and their tallies or, where all of their clouds are counted, the number of these. */
  readonly byDay: Clause;
  /** The number of all scenes; null where clouds have to be looked at. */
  readonly sum: Clause | null;
  readonly bounds: CloudBounds | null;
}

const TALLIED: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

/** How to count in the tallies; null when they do not know, because more than dates and clouds is asked for. */
export function toTallyQuestion({ id, filters }: DatasetQuery): TallyQuestion | null {
  if (columnFilters(filters, TALLIED).length < filters.length) return null;
  const dates = filters.filter(({ field }) => field === 'date');
  const bounds = toBounds(filters.filter(({ field }) => field === 'cloudCoverage'));
  const from = sql`FROM tallies s WHERE ${toDatasetCondition({ id, filters: dates }, sqliteDialect)}`;
  if (bounds !== null) return { byDay: sql`SELECT s.date, s.clouds ${from}`, sum: null, bounds };
  // SQLite knows the length of a blob without reading it.
  const n = raw(`length(s.clouds) / ${CLOUD_BYTES}`);
  return { byDay: sql`SELECT s.date, ${n} ${from}`, sum: sql`SELECT sum(${n}) ${from}`, bounds };
}

/** What all filters let through; null when there is none, and scenes without clouds count as well. */
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

/** Counts in the tallies how many scenes match; null when they do not know. */
export function makeTallyReads(database: DatabaseSync) {
  function readRows<Row>({ sql: text, values }: Clause): readonly Row[] {
    const statement = database.prepare(text);
    // There are thousands of rows, and objects take longer to make.
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Row[];
  }

  function countDays(question: TallyQuestion): readonly DayCount[] {
    const { byDay, bounds } = question;
    if (bounds === null) {
      return readRows<readonly [string, number]>(byDay).map(([day, n]) => ({ day, n }));
    }
    return readRows<readonly [string, CloudTally]>(byDay).map(([day, clouds]) => ({
      day,
      n: countClouds(clouds, bounds),
    }));
  }

  return {
    /** On each day; some may have none. */
    byDay(dataset: DatasetQuery): readonly DayCount[] | null {
      const question = toTallyQuestion(dataset);
      return question === null ? null : countDays(question);
    },
    inAll(dataset: DatasetQuery): number | null {
      const question = toTallyQuestion(dataset);
      if (question === null) return null;
      if (question.sum !== null) return readRows<readonly [number | null]>(question.sum)[0]?.[0] ?? 0;
      return countDays(question).reduce((found, { n }) => found + n, 0);
    },
  };
}
