/** The client of one STAC API: what it can do, its items page by page, and single items. */
import type { Sleep } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import type { FetchJson, JsonRequest } from '../ingest/index.ts';
import { makeFetchJson, readPages, SOURCE_LIMITS } from '../ingest/index.ts';
import { isObject } from '../json.ts';
import type { GuardedFetch } from '../net/index.ts';
import type { CatalogApi, LiveCatalog } from './live-catalog.ts';

/** A client of a catalog. Every call stops when its signal aborts. */
export interface CatalogClient {
  readonly catalog: LiveCatalog;
  /** What the API can do, by the preset or by its landing page. */
  readApi(signal: AbortSignal): Promise<CatalogApi>;
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

/** Builds the client; `fetch` reaches the catalog's own host and nothing else. */
export function makeCatalogClient(
  catalog: LiveCatalog,
  fetch: GuardedFetch,
  /** How to wait before a retry. */
  sleep?: Sleep,
): CatalogClient {
  let api = catalog.api;
  const toFetchJson = (currentSignal: () => AbortSignal): FetchJson => {
    return (request: JsonRequest) =>
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
    search: (body, currentSignal, maxPages = MAX_PAGES) =>
      readPages(
        { request: { url: `${catalog.url}/search`, method: 'POST', body } },
        { fetchJson: toFetchJson(currentSignal), limits: { ...SOURCE_LIMITS, maxPages } },
      ),
    readItem: (collection, id, signal) => readIfThere(toItemUrl(collection, id), signal),
    readCollection: (collection, signal) => readIfThere(toCollectionUrl(collection), signal),
  };
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
