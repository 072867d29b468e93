/** The hits of a collection of a live catalog, one after the other: from its items, filtered here once more. */
import type { FieldFilter, SceneHit, SceneQuery } from '../catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields } from '../catalog/index.ts';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { relates } from '../geo/index.ts';
import type { FindScene, StacItem } from '../ingest/index.ts';
import { parseItem, toItemHit } from '../ingest/index.ts';
import { isObject } from '../json.ts';
import type { CatalogClient } from './catalog-client.ts';
import { sourceBroken } from './errors.ts';
import type { ItemMemory } from './item-memory.ts';
import type { LiveCollection } from './live-catalog.ts';

/** Which scenes of a dataset are wanted. */
export interface WantedHits {
  readonly dataset: string;
  readonly filters: readonly FieldFilter[];
  readonly shape?: SceneQuery['shape'];
  /** Whether the whole items are asked for, because their files will be read next. */
  readonly withFiles: boolean;
}

/** Items in a row that a catalog may have shown before. */
const MOST_REPEATS = 20;

interface StreamDeps {
  readonly client: CatalogClient;
  readonly collection: LiveCollection;
  readonly query: WantedHits;
  readonly memory: ItemMemory;
  readonly isExact: boolean;
  readonly pageItems: number;
  readonly found: ReturnType<CatalogClient['search']>;
}

/** The hits of one collection in the order of its catalog, one after the other. */
export class HitStream {
  /** Why no more of its hits can be read; null while they can. */
  failure: SwathError | null = null;
  /** Items that match by the catalog's count; null if it does not say, or counts others too. */
  total: number | null = null;
  readonly #deps: StreamDeps;
  readonly #named = new Map<string, SceneHit>();
  #next: SceneHit | null = null;
  /** Whether the last item was read. */
  #isOver = false;
  #itemsRead = 0;
  readonly #ids = new Set<string>();
  /** Items in a row that were read before. */
  #repeats = 0;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  /** Whether all of its hits were taken. */
  get hasEnded(): boolean {
    return this.#isOver && this.#next === null;
  }

  /** The next hit, which stays the next one; null after the last, and after a failure of the catalog. */
  async peek(): Promise<SceneHit | null> {
    await this.#readUntil(() => false);
    return this.#next;
  }

  /** Reads up to the next hit, the end, a failure of the catalog, or where the caller says. */
  async #readUntil(isEnough: () => boolean): Promise<void> {
    try {
      while (this.#next === null && !this.#isOver && this.failure === null && !isEnough()) await this.#read();
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal') throw error;
      this.failure = error;
    }
  }

  async #read(): Promise<void> {
    const { value: found, done } = await this.#deps.found.next();
    if (done === true) this.#isOver = true;
    else if (found.kind === 'total') this.total = this.#deps.isExact ? found.total : null;
    else if (found.kind === 'fault') throw sourceBroken('catalog-refused', found.reason);
    else {
      this.#itemsRead++;
      this.#watchRepeats(found.value);
      this.#next = await this.#toHit(found.value);
      this.#isOver = found.isLast === true;
    }
  }

  /** Whether the last item was read; its hit may still be the next one. */
  get isReadOut(): boolean {
    return this.#isOver;
  }

  /**
   * Whether the number of its hits is stated, or the items of its first page were read but for the last one: that one
   * shows that there is a scene more, where a link to another page may lead to an empty one.
   */
  isCounted(): boolean {
    if (this.hasEnded || this.failure !== null || this.total !== null) return true;
    return this.#itemsRead >= this.#deps.pageItems - 1;
  }

  /** Looks for a hit after those that were taken, at most as many items further as a page has. */
  async lookAhead(): Promise<void> {
    if (this.total !== null) return;
    const last = this.#itemsRead + this.#deps.pageItems;
    await this.#readUntil(() => this.#itemsRead >= last);
  }

  /** Ends a search whose next pages repeat earlier ones. A single duplicate or overlapping pages do not end it. */
  #watchRepeats(value: unknown): void {
    const id = isObject(value) && typeof value.id === 'string' ? value.id : null;
    if (id === null) return;
    this.#repeats = this.#ids.has(id) ? this.#repeats + 1 : 0;
    this.#ids.add(id);
    if (this.#repeats >= Math.max(MOST_REPEATS, this.#ids.size))
      throw sourceBroken('catalog-refused', 'The catalog repeats its pages.');
  }

  async take(): Promise<SceneHit | null> {
    const hit = await this.peek();
    this.#next = null;
    return hit;
  }

  /** The hit of an item; null for one that is broken, of another dataset, or that the query does not want. */
  async #toHit(value: unknown): Promise<SceneHit | null> {
    const { client, collection, query, memory } = this.#deps;
    const item = tryItem(value);
    const found =
      item === null ? null : await tryHit(item, async (viewId) => this.#named.get(viewId) ?? null);
    if (item === null || found === null || found.hit.dataset !== query.dataset) return null;
    const { hit, processed } = found;
    memory.note(hit.viewId, {
      catalog: client.catalog.name,
      collection: collection.collection,
      id: item.id,
      processed,
      ...(query.withFiles ? { item } : {}),
    });
    if (this.#named.has(hit.viewId)) return null;
    this.#named.set(hit.viewId, hit);
    return isWanted(hit, query) ? hit : null;
  }
}

const isWanted = (hit: SceneHit, { filters, shape }: WantedHits): boolean =>
  matchesFilters(toMatchedFields(hit), filters) &&
  (shape === undefined || relates(hit.footprint, shape.geometry, shape.relation));

/** The first of the next hits of all streams in the order of the query; null after the last. Those that failed are left out. */
export async function takeNext(
  streams: readonly HitStream[],
  sort: SceneQuery['sort'],
): Promise<SceneHit | null> {
  const heads = await Promise.all(streams.map((stream) => stream.peek()));
  let best = -1;
  for (const [i, head] of heads.entries()) {
    if (head !== null && (best < 0 || compareScenes(head, heads[best]!, sort) < 0)) best = i;
  }
  return best < 0 ? null : streams[best]!.take();
}

/** The JSON of an item that was asked for without its files, in the form of one that has none. */
export const withAssets = (value: unknown): unknown =>
  isObject(value) && value.assets === undefined ? { ...value, assets: {} } : value;

/** An item, also one without its files; null for JSON that is none. */
export function tryItem(value: unknown): StacItem | null {
  try {
    return parseItem(withAssets(value));
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    return null;
  }
}

/** The hit of an item; null for an item that cannot be one of our scenes. */
export async function tryHit(item: StacItem, findScene: FindScene): ReturnType<typeof toItemHit> {
  try {
    return await toItemHit(item, findScene);
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    return null;
  }
}
