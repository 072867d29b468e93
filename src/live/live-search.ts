/**
 * Searches of live catalogs, dataset by dataset. A search stays open for a minute, so that its next pages go on where the
 * one before ended, and the same search asked again costs the catalog nothing.
 */
import type { CatalogNote, SceneHit, SceneQuery } from '../catalog/index.ts';
import { compareScenes } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { makeLru } from '../lru.ts';
import type { CatalogClient } from './catalog-client.ts';
import type { FindClient } from './choose-client.ts';
import { sourceBroken } from './errors.ts';
import type { WantedHits } from './hit-stream.ts';
import { HitStream, takeNext } from './hit-stream.ts';
import type { ItemMemory } from './item-memory.ts';
import { toItemSearch } from './item-search.ts';
import type { CatalogApi, LiveCollection } from './live-catalog.ts';

/** A search of one dataset. */
export interface LiveQuery extends WantedHits {
  readonly sort: SceneQuery['sort'];
  readonly offset: number;
  readonly limit: number;
  /** How many hits are read at least, because they will be asked for next; by default up to the end of the page. */
  readonly upTo?: number;
  /** Whether this is a later slice of a page that was just read: then nobody is asked, if the search is still open. */
  readonly continues?: boolean;
}

/** A page of hits of one catalog, and what is to be said of it. */
export interface LivePage extends CatalogNote {
  readonly hits: readonly SceneHit[];
}

type LiveProblem = NonNullable<CatalogNote['problem']>;

/** How long a search stays open. A scene that is added to the catalog is seen after that time. */
const OPEN_MS = 60_000;
/** Searches that stay open at a time, the hits of one, and those of all together: some 2 kB each. */
const MOST_OPEN = 64;
const MOST_HITS = 10_000;
const MOST_OPEN_HITS = 64_000;
/** Hits that are counted, and sorted, where the catalog does not do it. */
const COUNTED = 500;
/** Items of a page, where the catalog cannot leave out their files: some 40 kB each. */
const WHOLE_ITEMS = 100;

interface SearchDeps {
  /** Finds the catalog of a dataset. */
  readonly findClient: FindClient;
  readonly memory: ItemMemory;
  readonly nowMs: () => number;
  /** The most hits of one search; fewer in tests. */
  readonly mostHits?: number;
  /** For tests: a signal that aborts when the time is over. */
  readonly startDeadline?: (ms: number) => AbortSignal;
}

/** Searches one dataset in its live catalog. It never throws for a failure of the catalog: the page says it. */
export type LiveSearch = (query: LiveQuery, signal: AbortSignal) => Promise<LivePage>;

/** Hits that cross between threads at a time: cloning a thousand would hold the main thread for ten milliseconds. */
const SLICE = 100;

/** The same search in slices, for a caller on another thread. The first one reads all, and the others only clone. */
export function inSlices(search: LiveSearch): LiveSearch {
  return async ({ offset, limit, ...query }, signal) => {
    const upTo = offset + limit;
    const take = (from: number): Promise<LivePage> =>
      search(
        { ...query, offset: from, limit: Math.min(SLICE, upTo - from), upTo, continues: from > offset },
        signal,
      );
    let page = await take(offset);
    const hits = [...page.hits];
    while (page.hits.length === SLICE && offset + hits.length < upTo) {
      page = await take(offset + hits.length);
      hits.push(...page.hits);
    }
    return { ...page, hits };
  };
}

/** Builds the search. */
export function makeLiveSearch({
  findClient,
  memory,
  nowMs,
  mostHits = MOST_HITS,
  startDeadline = AbortSignal.timeout,
}: SearchDeps): LiveSearch {
  const open = makeLru<OpenSearch>({ max: MOST_OPEN_HITS, sizeOf: ({ hits }) => toRoom(hits.length) });

  return async (query, signal) => {
    const client = await findClient(query.dataset, signal);
    if (client === null) throw sourceBroken('catalog-refused', 'No live catalog has this dataset.');
    const { offset, limit, upTo = offset + limit, continues = false, ...lasting } = query;
    const key = JSON.stringify(lasting);
    const read = continues ? open.get(key) : undefined;
    if (read !== undefined) return toPage(read, { offset, limit });
    const deadline = startDeadline(toDeadlineMs(client, query));
    for (;;) {
      const known = open.get(key);
      const search = known?.isUsable(upTo, nowMs()) === true ? known : begin(client, query, upTo);
      open.set(key, search);
      try {
        await search.pullUpTo(upTo, { signal, deadline });
      } catch (error) {
        if (open.get(key) === search) open.delete(key);
        throw error;
      }
      // Its hits are more than before.
      if (open.get(key) === search) open.set(key, search);
      if (signal.aborted) throw signal.reason;
      // A caller that is gone has ended the search of all others.
      if (!search.isAbandoned) return toPage(search, { offset, limit });
    }
  };

  function begin(client: CatalogClient, query: LiveQuery, wanted: number): OpenSearch {
    return new OpenSearch({ client, query, memory, mostHits, sinceMs: nowMs(), wanted });
  }
}

/** The room that an open search takes. */
const toRoom = (hits: number): number => Math.max(hits, MOST_OPEN_HITS / MOST_OPEN);

/** Work that needs every scene waits longer than a person who looks at a list. */
const PATIENCE = 10;

const toDeadlineMs = ({ catalog }: CatalogClient, { withFiles }: LiveQuery): number =>
  catalog.limits.deadlineMs * (withFiles ? PATIENCE : 1);

function toPage(
  search: OpenSearch,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): LivePage {
  const { client, hits, problem } = search;
  const isCut = offset + limit > search.mostHits && !search.hasEnded;
  return {
    catalog: client.catalog.name,
    dataset: search.dataset,
    hits: hits.slice(offset, offset + limit),
    ...search.count(),
    problem: problem ?? (isCut ? toTooLong(search) : null),
  };
}

const toTooLong = ({ mostHits }: OpenSearch): LiveProblem => ({
  code: 'catalog-too-long',
  message: `A search lists at most the first ${mostHits} scenes of a live catalog. Narrow the search.`,
});

interface OpenSearchDeps {
  readonly client: CatalogClient;
  readonly query: LiveQuery;
  readonly memory: ItemMemory;
  readonly mostHits: number;
  readonly sinceMs: number;
  /** How many hits its first caller wants, which decides how long its pages are. */
  readonly wanted: number;
}

/** When callers stop waiting: because they are gone, or because their time is over. */
interface PullLimits {
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
}

/** A search that was begun, with the hits that were read so far, in their order. */
class OpenSearch {
  readonly client: CatalogClient;
  readonly dataset: string;
  readonly mostHits: number;
  readonly hits: SceneHit[] = [];
  problem: LiveProblem | null = null;
  /** Whether the caller whose turn it was has gone: the search must be begun again. */
  isAbandoned = false;
  readonly #sinceMs: number;
  readonly #wanted: number;
  readonly #query: LiveQuery;
  readonly #memory: ItemMemory;
  /** One for each collection of the dataset; null before the first pull. */
  #streams: readonly HitStream[] | null = null;
  readonly #seen = new Set<string>();
  #isSorted = true;
  #isSortedHere = false;
  #pulling: Promise<void> = Promise.resolve();
  #signal: AbortSignal = AbortSignal.abort();

  constructor({ client, query, memory, mostHits, sinceMs, wanted }: OpenSearchDeps) {
    this.client = client;
    this.dataset = query.dataset;
    this.mostHits = mostHits;
    this.#sinceMs = sinceMs;
    this.#wanted = wanted;
    this.#query = query;
    this.#memory = memory;
  }

  /**
   * Whether a new caller may go on with it. A search that met a problem begins again, and so does one whose short pages
   * would make many requests of a long one.
   */
  isUsable(wanted: number, nowMs: number): boolean {
    if (this.problem !== null || this.isAbandoned || nowMs - this.#sinceMs >= OPEN_MS) return false;
    return this.hasEnded || wanted - this.hits.length <= 2 * this.#wanted;
  }

  /** Whether the last hit of the catalog was read. */
  get hasEnded(): boolean {
    return this.#streams?.every(({ hasEnded }) => hasEnded) ?? false;
  }

  /** Reads until there are so many hits or no more; pulls of several callers follow each other. */
  async pullUpTo(wanted: number, limits: PullLimits): Promise<void> {
    const bounded = Math.min(wanted, this.mostHits);
    if (this.#hasEnough(bounded)) return;
    this.#pulling = this.#pulling.then(() => this.#pull(bounded, limits));
    await this.#pulling;
  }

  /** Where the catalog states no count, its first page is counted. */
  #hasEnough(wanted: number): boolean {
    if (this.#streams === null || (!this.#isSorted && !this.#isSortedHere)) return false;
    return this.hits.length >= wanted && this.#streams.every((stream) => stream.isCounted());
  }

  async #pull(wanted: number, { signal, deadline }: PullLimits): Promise<void> {
    if (this.problem !== null || this.isAbandoned) return;
    this.#signal = AbortSignal.any([signal, deadline]);
    try {
      this.#streams ??= await this.#openStreams(wanted);
      if (!this.#isSorted) await this.#readAndSort();
      while (!this.#hasEnough(wanted)) {
        const hit = await takeNext(this.#streams, this.#query.sort);
        if (hit === null) break;
        this.#add(hit);
      }
      // Hits of other collections stay.
      for (const { failure } of this.#streams) if (failure !== null) throw failure;
      if (this.problem === null) await this.#lookAhead(this.#streams);
    } catch (error) {
      if (signal.aborted) this.isAbandoned = true;
      else this.problem = deadline.aborted ? this.#toLate() : toProblem(error);
    }
  }

  /** Finds out whether there are more hits than were asked for, where the catalog does not count them. */
  async #lookAhead(streams: readonly HitStream[]): Promise<void> {
    await Promise.all(streams.map((stream) => stream.lookAhead()));
    if (!streams.every(({ isReadOut }) => isReadOut)) return;
    // Then the search has ended, and nobody needs to be asked for the last hits.
    for (let hit = await takeNext(streams, this.#query.sort); hit !== null; ) {
      this.#add(hit);
      hit = await takeNext(streams, this.#query.sort);
    }
  }

  #toLate(): LiveProblem {
    const seconds = toDeadlineMs(this.client, this.#query) / 1_000;
    return {
      code: 'catalog-slow',
      message: `The catalog did not answer within ${seconds} seconds.`,
    };
  }

  /** Where the catalog cannot sort, what there is up to a bound is sorted here. */
  async #readAndSort(): Promise<void> {
    const streams = this.#streams ?? [];
    if (this.#isSortedHere) return;
    for (const stream of streams) {
      for (let hit = await stream.take(); hit !== null; hit = await stream.take()) {
        this.#add(hit);
        if (this.hits.length >= COUNTED) break;
      }
    }
    this.hits.sort((a, b) => compareScenes(a, b, this.#query.sort));
    this.#isSortedHere = true;
    if (streams.some(({ hasEnded }) => !hasEnded)) {
      const { field } = this.#query.sort;
      this.problem = {
        code: 'catalog-unsorted',
        message: `The catalog cannot sort by ${field}: of more than ${COUNTED} scenes, the first ${COUNTED} are sorted here. Narrow the search.`,
      };
    }
  }

  #add(hit: SceneHit): void {
    if (this.#seen.has(hit.viewId)) return;
    this.#seen.add(hit.viewId);
    this.hits.push(hit);
  }

  async #openStreams(wanted: number): Promise<readonly HitStream[]> {
    const [api, collections] = await Promise.all([
      this.client.readApi(this.#signal),
      this.client.readCollections(this.#signal),
    ]);
    const { dataset, withFiles } = this.#query;
    return collections
      .filter((collection) => collection.dataset === dataset)
      .flatMap((collection) => {
        const planned = toItemSearch(
          { filters: this.#query.filters, shape: this.#query.shape, sort: this.#query.sort },
          collection,
          api,
        );
        if (planned === null) return [];
        this.#isSorted &&= planned.isSorted;
        const isCounted = planned.isExact && api.counts;
        const limit = toLimit(isCounted && planned.isSorted ? wanted : Math.max(wanted, COUNTED), {
          api,
          isLight: api.fields && !withFiles,
        });
        const fields = api.fields && !withFiles ? { fields: toLightFields(collection) } : {};
        return new HitStream({
          client: this.client,
          collection,
          query: this.#query,
          memory: this.#memory,
          isExact: planned.isExact,
          pageItems: limit,
          found: this.client.search({ ...planned.body, limit, ...fields }, () => this.#signal),
        });
      });
  }

  /** How many scenes match, and how that is known. */
  count(): Pick<LivePage, 'found' | 'foundBy'> {
    const streams = this.#streams ?? [];
    if (this.problem === null && this.hasEnded) {
      return { found: this.hits.length, foundBy: 'counted' };
    }
    const stated = streams.map(({ total }) => total);
    if (this.problem === null && stated.every((total) => total !== null)) {
      const sum = stated.reduce((all, total) => all + total, 0);
      // A catalog that states less than it has shown is not believed.
      if (sum >= this.hits.length) return { found: sum, foundBy: 'stated' };
    }
    const isMore = this.problem === null && streams.some(({ hasEnded }) => !hasEnded);
    return { found: this.hits.length + (isMore ? 1 : 0), foundBy: 'at-least' };
  }
}

/** The number of items of a page. */
function toLimit(
  wanted: number,
  { api, isLight }: { readonly api: CatalogApi; readonly isLight: boolean },
): number {
  return Math.max(1, Math.min(wanted, api.maxItems, isLight ? Infinity : WHOLE_ITEMS));
}

/** The parts of an item that a list needs: a tenth of it. */
const toLightFields = ({ namingAssets, heavyAssets }: LiveCollection): object => ({
  include: [
    ...['id', 'type', 'collection', 'geometry', 'bbox', 'properties'],
    ...new Set(['thumbnail', ...namingAssets].map((name) => `assets.${name}`)),
  ],
  exclude: ['links', ...heavyAssets.map((name) => `assets.${name}`)],
});

function toProblem(error: unknown): LiveProblem {
  if (!isSwathError(error) || error.tag === 'internal') throw error;
  return { code: error.code, message: error.message };
}
