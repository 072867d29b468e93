/**
 * Numbers of a search in place of its items. Each is a few counts, which the store makes as it counts the matches of a page;
 * a search that the store cannot decide is read and counted here, within a bound.
 */
import type { CatalogNote, SceneHit, SceneStore } from '../../catalog/index.ts';
import { DAY_MS } from '../../units.ts';
import { unsupported } from '../errors.ts';
import { isMet } from './filter/evaluate.ts';
import type { Condition, Operand } from './filter/filter-tree.ts';
import type { ItemSearch } from './find-items.ts';
import { countItems, findItems } from './find-items.ts';

/** Items of one value or range. */
interface Bucket {
  readonly key: string;
  readonly data_type: string;
  readonly frequency: number;
  readonly from?: number;
  readonly to?: number;
}

/** An aggregation of the extension. */
export interface Aggregation {
  readonly name: string;
  readonly data_type: string;
  readonly value?: string | number | null;
  readonly buckets?: readonly Bucket[];
  /** Items that are in none of the buckets. */
  readonly overflow?: number;
}

/** How the items of a search are counted. */
interface Counting {
  readonly search: ItemSearch;
  readonly scenes: Scenes;
  readonly total: number;
  /** Counts the items that meet more conditions. */
  count(...more: readonly Condition[]): Promise<number>;
  /** The first or the last time; null without items. */
  findTime(isLast: boolean): Promise<string | null>;
}

type Scenes = Pick<SceneStore, 'searchHits' | 'findByViewId'>;

/** Items that are counted here at most, where the store cannot. */
const MAX_READ = 4_000;
const READ_AT_ONCE = 1_000;

/** What makes each aggregation, and what it says. */
const AGGREGATIONS = {
  total_count: {
    about: 'How many items match.',
    data_type: 'integer',
    make: async ({ total }) => ({ data_type: 'integer', value: total }),
  },
  datetime_min: {
    about: 'The first time.',
    data_type: 'datetime',
    make: async ({ findTime }) => ({ data_type: 'datetime', value: await findTime(false) }),
  },
  datetime_max: {
    about: 'The last time.',
    data_type: 'datetime',
    make: async ({ findTime }) => ({ data_type: 'datetime', value: await findTime(true) }),
  },
  datetime_frequency: {
    about: 'Items of each day, month or year, whichever makes fewer than 40 buckets.',
    data_type: 'frequency_distribution',
    make: countByTime,
  },
  collection_frequency: {
    about: 'Items of each collection.',
    data_type: 'frequency_distribution',
    make: countByCollection,
  },
  cloud_cover_frequency: {
    about: 'Items of each tenth of eo:cloud_cover.',
    data_type: 'frequency_distribution',
    make: (counting) => countByNumber(counting, 'eo:cloud_cover', 100),
  },
  sun_elevation_frequency: {
    about: 'Items of each ten degrees of view:sun_elevation above the horizon.',
    data_type: 'frequency_distribution',
    make: (counting) => countByNumber(counting, 'view:sun_elevation', 90),
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly about: string;
      readonly data_type: string;
      readonly make: (counting: Counting) => Promise<Omit<Aggregation, 'name'>>;
    }
  >
>;

/** The name of an aggregation. */
export type AggregationName = keyof typeof AGGREGATIONS;

/** What there is, for clients that ask. */
export const aggregationList = Object.entries(AGGREGATIONS).map(([name, { about, data_type }]) => ({
  name: name as AggregationName,
  data_type,
  description: about,
}));

/** Computes aggregations, one after another; `pay` as for a search. */
export async function aggregateItems(
  search: ItemSearch,
  names: readonly AggregationName[],
  scenes: Scenes,
  pay: (ms: number) => void,
): Promise<{ readonly aggregations: readonly Aggregation[]; readonly catalogs: readonly CatalogNote[] }> {
  if (names.length === 0) return { aggregations: [], catalogs: [] };
  const counted = await countItems(search, scenes);
  const catalogs = counted?.catalogs ?? [];
  // A count of a live catalog is a request to its server.
  if (catalogs.length > 0 && names.some((name) => name !== 'total_count' && name !== 'collection_frequency'))
    throw unsupported(
      'live-aggregation',
      'Scenes of live catalogs can only be counted in all and by collection; name collections of ingested scenes.',
    );
  const counting =
    counted === null
      ? countHere(await readAll(search, scenes, pay), { search, scenes })
      : countInStore(counted.found, { search, scenes });
  const aggregations: Aggregation[] = [];
  for (const name of names) aggregations.push({ name, ...(await AGGREGATIONS[name].make(counting)) });
  return { aggregations, catalogs };
}

type Asked = Pick<Counting, 'search' | 'scenes'>;

const countInStore = (total: number, { search, scenes }: Asked): Counting => ({
  search,
  scenes,
  total,
  async count(...more) {
    const counted = await countItems({ ...search, conditions: [...search.conditions, ...more] }, scenes);
    return counted?.found ?? 0;
  },
  async findTime(isLast) {
    const order = { field: 'date', descending: isLast, isByTime: true };
    const { hits } = await findItems({ ...search, order, limit: 1, after: null }, scenes);
    return hits[0]?.acquiredAt ?? null;
  },
});

const countHere = (hits: readonly SceneHit[], { search, scenes }: Asked): Counting => ({
  search,
  scenes,
  total: hits.length,
  count: async (...more) => hits.filter((hit) => more.every((condition) => isMet(condition, hit))).length,
  async findTime(isLast) {
    const times = hits.map(({ acquiredAt }) => acquiredAt).sort();
    return times.at(isLast ? -1 : 0) ?? null;
  },
});

async function readAll(
  search: ItemSearch,
  scenes: Scenes,
  pay: (ms: number) => void,
): Promise<readonly SceneHit[]> {
  const all: SceneHit[] = [];
  let after: ItemSearch['after'] = null;
  do {
    const { hits, next } = await findItems({ ...search, limit: READ_AT_ONCE, after }, scenes, pay);
    all.push(...hits);
    after = next;
    // A page may end without items, because it has tested as many as it may.
    if (all.length > MAX_READ || (next !== null && hits.length < READ_AT_ONCE))
      throw unsupported(
        'too-many-to-aggregate',
        `The catalog cannot count this search by itself, and it has more than ${MAX_READ} scenes to test. Narrow it, or use comparisons that are joined by AND.`,
      );
  } while (after !== null);
  return all;
}

const property = (name: string): Operand => ({ kind: 'property', name, ignoresCase: false });
const value = (given: number | string): Operand => ({ kind: 'value', value: given, ignoresCase: false });

async function countByCollection({ search, count }: Counting): Promise<Omit<Aggregation, 'name'>> {
  const buckets: Bucket[] = [];
  for (const key of new Set(search.collections)) {
    const isOne: Condition = { kind: 'compare', op: '=', left: property('collection'), right: value(key) };
    const frequency = await count(isOne);
    if (frequency > 0) buckets.push({ key, data_type: 'string', frequency });
  }
  return { data_type: 'frequency_distribution', buckets, overflow: 0 };
}

/** Ranges of ten, from 0 to the largest value, which is part of the last. */
async function countByNumber(
  { count, total }: Counting,
  name: string,
  largest: number,
): Promise<Omit<Aggregation, 'name'>> {
  const buckets: Bucket[] = [];
  for (let from = 0; from < largest; from += 10) {
    const to = from + 10;
    const frequency = await count(
      { kind: 'compare', op: '>=', left: property(name), right: value(from) },
      { kind: 'compare', op: to === largest ? '<=' : '<', left: property(name), right: value(to) },
    );
    buckets.push({ key: `${from}-${to}`, data_type: 'numeric', frequency, from, to });
  }
  const overflow = total - buckets.reduce((sum, { frequency }) => sum + frequency, 0);
  return { data_type: 'frequency_distribution', buckets, overflow };
}

/** Days, months and years: the data type of their buckets, and the first instant of the next one. */
const INTERVALS = [
  { type: 'interval_day', length: 10, next: (at: Date) => new Date(at.getTime() + DAY_MS) },
  {
    type: 'interval_month',
    length: 7,
    next: (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)),
  },
  { type: 'interval_year', length: 4, next: (at: Date) => new Date(Date.UTC(at.getUTCFullYear() + 1, 0, 1)) },
] as const;
const MAX_BUCKETS = 40;

async function countByTime({ count, findTime }: Counting): Promise<Omit<Aggregation, 'name'>> {
  const [first, last] = [await findTime(false), await findTime(true)];
  if (first === null || last === null)
    return { data_type: 'frequency_distribution', buckets: [], overflow: 0 };
  const listed = INTERVALS.map((interval) => ({ interval, starts: listStarts(first, last, interval) }));
  const chosen = listed.find(({ starts }) => starts.length < MAX_BUCKETS) ?? listed.at(-1)!;
  const { type, length, next } = chosen.interval;
  const buckets: Bucket[] = [];
  for (const start of chosen.starts) {
    const span = { fromMs: start.getTime(), toMs: next(start).getTime() - 1 };
    const frequency = await count({ kind: 'temporal', op: 't_intersects', name: 'datetime', span });
    buckets.push({ key: start.toISOString().slice(0, length), data_type: type, frequency });
  }
  return { data_type: 'frequency_distribution', buckets, overflow: 0 };
}

function listStarts(
  first: string,
  last: string,
  { length, next }: (typeof INTERVALS)[number],
): readonly Date[] {
  const starts: Date[] = [];
  const end = new Date(last);
  // Years of a century are few; the days of one are not listed to the end.
  for (
    let at = new Date(`${first.slice(0, length)}${'0000-01-01'.slice(length)}T00:00:00Z`);
    at <= end && starts.length < 1_000;
    at = next(at)
  )
    starts.push(at);
  return starts;
}
