import type { DatabaseSync } from 'node:sqlite';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import type { DayCount, Dialect } from '../../sql/scenes.ts';
import { columnFilters, toDatasetCondition } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import { prepare, toTyped } from '../connection.ts';

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

/** Plans a count in the count table; null if the query filters by more than dates and clouds. */
export function planCount({ id, filters }: DatasetQuery, dialect: Dialect): CountPlan | null {
  if (columnFilters(filters, COUNTED).length < filters.length) return null;
  const dates = filters.filter(({ field }) => field === 'date');
  const bounds = toBounds(filters.filter(({ field }) => field === 'cloudCoverage'));
  const from = sql`FROM tallies s WHERE ${toDatasetCondition({ id, filters: dates }, dialect)}`;
  if (bounds !== null) return { byDay: sql`SELECT s.date, s.clouds ${from}`, sum: null, bounds };
  // SQLite knows the length of a blob without reading it.
  const n = raw(`length(s.clouds) / ${CLOUD_BYTES}`);
  return { byDay: sql`SELECT s.date, ${n} ${from}`, sum: sql`SELECT sum(${n}) ${from}`, bounds };
}

/** The clouds that pass all filters; null without a filter, when scenes without a cloud cover count too. */
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

/** Totals that are kept: a few for each client who pages through a search. */
const MAX_TOTALS = 256;

/**
 * Keeps totals until anything in the database changes. A count reads a row for each day, which takes longer than all else that
 * a short page does, and pages of one search ask for the same count.
 */
function makeKnownTotals(database: DatabaseSync): (key: string, count: () => number) => number {
  const known = makeLru<number>({ max: MAX_TOTALS });
  // The first number changes with commits of other connections, the second one with changes of this connection.
  const readState = prepare<{ state: string }>(
    database,
    "SELECT data_version || ' ' || total_changes() AS state FROM pragma_data_version",
  );
  let state: string | undefined;
  return (key, count) => {
    const current = readState.get()?.state;
    if (current !== state) known.clear();
    state = current;
    return known.remember(key, count);
  };
}

/** Builds the counts from the count table, which return null for a query that the table cannot answer. */
export function makeCountReads(database: DatabaseSync, dialect: Dialect) {
  const remember = makeKnownTotals(database);
  function readRows<Row>({ sql: text, values }: Clause): readonly Row[] {
    const statement = database.prepare(text);
    // For thousands of rows, objects would take longer to build.
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

  const byDataset = prepare<{ dataset: string; n: number }>(
    database,
    `SELECT dataset, sum(length(clouds) / ${CLOUD_BYTES}) AS n FROM tallies GROUP BY dataset HAVING n > 0 ORDER BY dataset`,
  );

  return {
    /** All scenes by dataset, without reading an entry of each: of a million that would take a tenth of a second. */
    byDataset: (): readonly (readonly [string, number])[] =>
      byDataset.all().map(({ dataset, n }) => [dataset, n]),
    /** Counts by day; a count may be 0. */
    byDay(dataset: DatasetQuery): readonly DayCount[] | null {
      const plan = planCount(dataset, dialect);
      return plan === null ? null : countDays(plan);
    },
    total(dataset: DatasetQuery): number | null {
      const plan = planCount(dataset, dialect);
      if (plan === null) return null;
      return remember(toKey(plan), () =>
        plan.sum === null
          ? countDays(plan).reduce((found, { n }) => found + n, 0)
          : (readRows<readonly [number | null]>(plan.sum)[0]?.[0] ?? 0),
      );
    },
  };
}

/** Numbers become strings because JSON writes infinite ones as null, which would mean no bound. */
function toKey({ byDay: { sql: text, values }, bounds }: CountPlan): string {
  const { low, high, only = [] } = bounds ?? { low: null, high: null };
  return JSON.stringify([
    text,
    [...values, low, high, ...only].map((value) => [typeof value, String(value)]),
  ]);
}

/** The fields of a scene in the count table. */
export interface CountedScene {
  readonly dataset: string;
  readonly date: string;
  readonly cloud: number | null;
}

/** Scenes that were added and removed, by dataset and day. */
export type CountChanges = Map<string, Map<string, DayChanges>>;

/** Notes that a scene was added, removed or changed. */
export function noteChange(
  changes: CountChanges,
  { before, after }: { readonly before?: CountedScene | undefined; readonly after?: CountedScene },
): void {
  if (
    before?.dataset === after?.dataset &&
    before?.date === after?.date &&
    Object.is(before?.cloud, after?.cloud)
  )
    return;
  if (before !== undefined) dayOf(changes, before).went.push(before.cloud);
  if (after !== undefined) dayOf(changes, after).came.push(after.cloud);
}

function dayOf(changes: CountChanges, { dataset, date }: CountedScene): DayChanges {
  let days = changes.get(dataset);
  if (days === undefined) {
    days = new Map();
    changes.set(dataset, days);
  }
  let day = days.get(date);
  if (day === undefined) {
    day = { came: [], went: [] };
    days.set(date, day);
  }
  return day;
}

/** Collects the clouds of a day from its scenes. */
export function makeDayCount(database: DatabaseSync): (dataset: string, date: string) => DayClouds {
  const cloudsOf = prepare<{ cloud: number | null }>(
    database,
    'SELECT cloud FROM scenes WHERE dataset = ? AND date = ?',
  );
  return (dataset, date) => {
    const rows = cloudsOf.all(dataset, date);
    return packClouds(rows.map(({ cloud }) => cloud));
  };
}

/**
 * Writes the noted changes into the count table, each day once, however many scenes it has. Call this in the transaction
 * that changes the scenes, after their change.
 */
export function makeCountWrites(database: DatabaseSync): (changes: CountChanges) => void {
  const find = prepare<{ number: number; clouds: DayClouds }>(
    database,
    'SELECT number, clouds FROM tallies WHERE dataset = ? AND date = ?',
  );
  const insert = database.prepare('INSERT INTO tallies (dataset, date, clouds) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE tallies SET clouds = ? WHERE number = ?');
  const drop = database.prepare('DELETE FROM tallies WHERE number = ?');
  const countAgain = makeDayCount(database);

  function writeDay(dataset: string, date: string, changes: DayChanges): void {
    const known = find.get(dataset, date);
    // A day that is inconsistent, because scenes were changed by hand, is counted again.
    const clouds = changeClouds(known?.clouds ?? new Uint8Array(0), changes) ?? countAgain(dataset, date);
    if (known === undefined) {
      if (clouds.length > 0) insert.run(dataset, date, clouds);
    } else if (clouds.length > 0) update.run(clouds, known.number);
    else drop.run(known.number);
  }

  return (changes) => {
    for (const [dataset, days] of changes) {
      for (const [date, day] of days) writeDay(dataset, date, day);
    }
  };
}

/**
 * The cloud covers of a dataset's scenes of one day, ascending, as little-endian doubles. Scenes without one have NaN,
 * which sorts after all numbers.
 */
type DayClouds = Uint8Array;

/** Bytes per scene. */
const CLOUD_BYTES = 8;

/** Packs cloud covers in any order; null for a scene without one. */
export function packClouds(clouds: Iterable<number | null>): DayClouds {
  return pack(toSorted(clouds));
}

/** Clouds of the scenes that were added and removed on a day, in any order. */
interface DayChanges {
  readonly came: (number | null)[];
  readonly went: (number | null)[];
}

/** The clouds after the changes; null if they lack a removed one. */
export function changeClouds(packed: DayClouds, { came, went }: DayChanges): DayClouds | null {
  const clouds = unpack(packed, came.length);
  clouds.set(toSorted(came), packed.length / CLOUD_BYTES);
  clouds.sort();
  const gone = toSorted(went);
  let [remaining, found] = [0, 0];
  for (const cloud of clouds) {
    if (found < gone.length && isSame(cloud, gone[found] as number)) found += 1;
    else {
      clouds[remaining] = cloud;
      remaining += 1;
    }
  }
  return found < gone.length ? null : pack(clouds.subarray(0, remaining));
}

/** Typed arrays sort NaN last. SQLite stores no negative zero, so neither do we. */
const toSorted = (clouds: Iterable<number | null>): Float64Array =>
  Float64Array.from(clouds, (cloud) => (cloud === null ? Number.NaN : cloud + 0)).sort();

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** The clouds to count: numbers within both ends and, if `only` is set, among the listed ones. */
interface CloudBounds {
  readonly low: number;
  readonly high: number;
  readonly only?: ReadonlySet<number>;
}

/** Counts the clouds of a day within bounds, by binary search. */
export function countClouds(packed: DayClouds, { low, high, only }: CloudBounds): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const between = (from: number, to: number): number =>
    Math.max(0, countUpTo(view, to, true) - countUpTo(view, from, false));
  if (only === undefined) return between(low, high);
  let n = 0;
  for (const cloud of only) if (cloud >= low && cloud <= high) n += between(cloud, cloud);
  return n;
}

/** Counts the clouds below a limit, or with `inclusive` up to it. */
function countUpTo(view: DataView, limit: number, inclusive: boolean): number {
  let [first, last] = [0, view.byteLength / CLOUD_BYTES];
  while (first < last) {
    const middle = (first + last) >>> 1;
    const cloud = view.getFloat64(middle * CLOUD_BYTES, true);
    // False for NaN, which is above every limit.
    if (cloud < limit || (inclusive && cloud === limit)) first = middle + 1;
    else last = middle;
  }
  return first;
}

function pack(sorted: Float64Array): DayClouds {
  const bytes = new Uint8Array(sorted.length * CLOUD_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < sorted.length; i += 1) view.setFloat64(i * CLOUD_BYTES, sorted[i] as number, true);
  return bytes;
}

/** The clouds as numbers, with room for `more` after them. */
function unpack(packed: DayClouds, more: number): Float64Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const held = packed.length / CLOUD_BYTES;
  const clouds = new Float64Array(held + more);
  for (let i = 0; i < held; i += 1) clouds[i] = view.getFloat64(i * CLOUD_BYTES, true);
  return clouds;
}
