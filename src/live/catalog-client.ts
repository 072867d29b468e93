/** The client of one STAC API: what it can do, its items page by page, and single items. */
import type { Sleep } from '../async/index.ts';
import { makeTtlCache } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import type { FetchJson } from '../ingest/index.ts';
import { makeFetchJson, readPages, SOURCE_LIMITS } from '../ingest/index.ts';
import { isObject } from '../json.ts';
import type { GuardedFetch } from '../net/index.ts';
import { sourceBroken } from './errors.ts';
import type { CatalogApi, LiveCatalog, LiveCollection } from './live-catalog.ts';

/** A client of a catalog. Every call stops when its signal aborts. */
export interface CatalogClient {
  readonly catalog: LiveCatalog;
  /** What the API can do, by the preset or by its landing page. */
  readApi(signal: AbortSignal): Promise<CatalogApi>;
  /** The collections that the catalog has; asks its API where they are guessed. */
  readCollections(signal: AbortSignal): Promise<readonly LiveCollection[]>;
  /** Items of a search, as they come; asks for the next page when the items of the one before are used up. */
  search(
    body: Readonly<Record<string, unknown>>,
    currentSignal: () => AbortSignal,
    /** By default as many pages as somebody who searches may look at. */
    maxPages?: number,
  ): AsyncGenerator<Found>;
  /** The JSON of an item; null if the catalog does not have it. */
  readItem(collection: string, id: string, signal: AbortSignal): Promise<unknown>;
  /** The JSON of a collection; null if the catalog does not have it. */
  readCollection(collection: string, signal: AbortSignal): Promise<unknown>;
  /** The address of an item. */
  toItemUrl(collection: string, id: string): string;
}

type Found = ReturnType<typeof readPages> extends AsyncGenerator<infer One> ? One : never;

/** A page of a hundred whole items has 5 MB. */
const MAX_PAGE_BYTES = 64 * 2 ** 20;
/** A search reads at most so many pages, whatever its catalog links to. */
const MAX_PAGES = 200;
/** How long a list of collections is good for. */
const LISTED_MS = 3_600_000;
/** Pages of a list of collections; the largest public API has two hundred collections. */
const MAX_LIST_PAGES = 50;

/** Builds the client; `fetch` reaches the catalog's own host and nothing else. */
export function makeCatalogClient(
  catalog: LiveCatalog,
  fetch: GuardedFetch,
  /** How to wait before a retry. */
  sleep?: Sleep,
): CatalogClient {
  let api = catalog.api;
  const listed = makeTtlCache<ReadonlySet<string>>({
    nowMs: () => performance.now(),
    freshMs: LISTED_MS,
    max: 1,
  });
  const toFetchJson = (currentSignal: () => AbortSignal): FetchJson => {
    return (request: Parameters<FetchJson>[0]) =>
      makeFetchJson({ fetch, maxBytes: MAX_PAGE_BYTES, signal: currentSignal(), sleep })(request);
  };
  const toCollectionUrl = (collection: string): string =>
    `${catalog.url}/collections/${encodeURIComponent(collection)}`;
  const toItemUrl = (collection: string, id: string): string =>
    `${toCollectionUrl(collection)}/items/${encodeURIComponent(id)}`;
  const readIfThere = async (url: string, signal: AbortSignal): Promise<unknown> => {
    try {
      return await toFetchJson(() => signal)({ url });
    } catch (error) {
      if (isSwathError(error) && error.details.status === 404) return null;
      throw error;
    }
  };
  return {
    catalog,
    toItemUrl,
    async readApi(signal) {
      api ??= toApi(await toFetchJson(() => signal)({ url: catalog.url }));
      return api;
    },
    async readCollections(signal) {
      if (!catalog.isGuessed) return catalog.collections;
      const ids = await listed.find(
        '',
        (load) =>
          listIds(
            catalog,
            toFetchJson(() => load.signal),
          ),
        { signal },
      );
      return catalog.collections.filter(({ collection }) => ids.has(collection));
    },
    search: (body, currentSignal, maxPages = MAX_PAGES) =>
      readPages(
        { request: { url: `${catalog.url}/search`, method: 'POST', body } },
        { fetchJson: toFetchJson(currentSignal), limits: { ...SOURCE_LIMITS, maxPages } },
      ),
    readItem: (collection, id, signal) => readIfThere(toItemUrl(collection, id), signal),
    readCollection: (collection, signal) => readIfThere(toCollectionUrl(collection), signal),
  };
}

/** The ids of all collections of an API. */
async function listIds({ url: root }: LiveCatalog, fetchJson: FetchJson): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let url: string | null = `${root}/collections`;
  for (let page = 0; url !== null && page < MAX_LIST_PAGES; page++) {
    const answer = await fetchJson({ url });
    if (!isObject(answer) || !Array.isArray(answer.collections)) {
      throw sourceBroken('catalog-refused', 'The catalog does not list its collections.');
    }
    for (const one of answer.collections) if (isObject(one) && typeof one.id === 'string') ids.add(one.id);
    const links = Array.isArray(answer.links) ? answer.links.filter(isObject) : [];
    const next = links.find(({ rel }) => rel === 'next')?.href;
    // The door leads to the host of the catalog only.
    url = typeof next === 'string' ? (URL.parse(next, url)?.href ?? null) : null;
  }
  return ids;
}

/** What a landing page promises. Pages of APIs that are not known are kept small. */
export function toApi(landing: unknown): CatalogApi {
  const stated = isObject(landing) && Array.isArray(landing.conformsTo) ? landing.conformsTo : [];
  const conforms = (pattern: RegExp): boolean =>
    stated.some((one) => typeof one === 'string' && pattern.test(one));
  const hasCql2 = conforms(/\/cql2-json$/) && conforms(/\/basic-cql2$/);
  return {
    filter: hasCql2 ? 'cql2' : conforms(/item-search#query$/) ? 'query' : 'none',
    sort: conforms(/item-search#sort/),
    fields: conforms(/item-search#fields/),
    counts: true,
    maxItems: 250,
  };
}
