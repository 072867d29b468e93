import { isSwathError } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { badInput, sourceBroken, tooLarge } from '../../errors.ts';
import type { Json } from '../item.ts';
import { toNumber, toObjects, toText } from '../item.ts';
import type { FetchJson, JsonRequest } from './fetch-json.ts';
import type { Found, SourceLimits, StacFilters } from './source.ts';

interface SearchDeps {
  readonly fetchJson: FetchJson;
  readonly limits: SourceLimits;
  readonly filters: StacFilters;
}

/** Items per page: some 5 MB of Sentinel-2. */
const PAGE_ITEMS = 100;

/** Searches a STAC API. The server filters what it can; items are filtered again afterwards. */
export async function* searchApi(
  search: { readonly url: string; readonly methods: readonly ('GET' | 'POST')[] },
  deps: SearchDeps,
): AsyncGenerator<Found> {
  const { filters } = deps;
  if (filters.collections.length === 0 && !filters.bbox && !filters.date && filters.limit === null) {
    throw badInput(
      'stac-everything',
      'A whole API has millions of items: say which with --collection, --bbox, --date or --limit.',
    );
  }
  const requests = toRequests(search, filters);
  for (const [i, request] of requests.entries()) {
    try {
      yield* readPages({ request }, deps);
      return;
    } catch (error) {
      // Servers without the query extension refuse it, and some refuse POST; only the first page throws.
      const status = isSwathError(error) ? error.details.status : null;
      const isRefused =
        status === 400 || status === 404 || status === 405 || status === 422 || status === 501;
      if (!isRefused || i === requests.length - 1) throw error;
    }
  }
}

/** The same search in the forms that servers support, best first. */
function toRequests(
  { url, methods }: { readonly url: string; readonly methods: readonly ('GET' | 'POST')[] },
  filters: StacFilters,
): readonly JsonRequest[] {
  const plain = toBody(filters);
  const { maxCloudPercent } = filters;
  const query = maxCloudPercent === null ? null : { 'eo:cloud_cover': { lte: maxCloudPercent } };
  const posts: readonly JsonRequest[] = [
    ...(query === null ? [] : [{ url, method: 'POST' as const, body: { ...plain, query } }]),
    { url, method: 'POST', body: plain },
  ];
  return [
    ...(methods.includes('POST') ? posts : []),
    ...(methods.includes('GET') ? [{ url: toGetUrl(url, filters) }] : []),
  ];
}

function toBody(filters: StacFilters): Readonly<Record<string, unknown>> {
  const { collections, bbox } = filters;
  const datetime = toDatetime(filters);
  return {
    limit: pageItems(filters),
    collections: collections.length === 0 ? undefined : collections,
    bbox: bbox ?? undefined,
    datetime: datetime ?? undefined,
  };
}

/** Adds the filters that every server supports to the address of a search or of a collection's items. */
export function toGetUrl(address: string, filters: StacFilters): string {
  const url = new URL(address);
  const { searchParams } = url;
  const datetime = toDatetime(filters);
  searchParams.set('limit', String(pageItems(filters)));
  if (filters.collections.length > 0) searchParams.set('collections', filters.collections.join(','));
  if (filters.bbox !== null) searchParams.set('bbox', filters.bbox.join(','));
  if (datetime !== null) searchParams.set('datetime', datetime);
  return url.href;
}

const pageItems = ({ limit }: StacFilters): number => Math.max(1, Math.min(PAGE_ITEMS, limit ?? PAGE_ITEMS));

function toDatetime({ date }: StacFilters): string | null {
  if (date === null) return null;
  const from = date.from === null ? '..' : `${date.from}T00:00:00Z`;
  return `${from}/${date.to === null ? '..' : `${date.to}T23:59:59.999Z`}`;
}

/** A first page, or the request for it. */
interface FirstPage {
  readonly request: JsonRequest;
  /** If it has been read already. */
  readonly page?: Json;
}

/** Further links of a page are ignored. */
const MAX_LINKS = 100;
/** Consecutive pages without items; real catalogs have one, the last. */
const MAX_EMPTY_PAGES = 5;

/**
 * The items of a page and of the following ones. A page that cannot be read ends the source and is reported; earlier
 * items stay, and another run continues.
 */
export async function* readPages(
  first: FirstPage,
  { fetchJson, limits }: { readonly fetchJson: FetchJson; readonly limits: SourceLimits },
): AsyncGenerator<Found> {
  const seen = new Set<string>();
  const origin = new URL(first.request.url).origin;
  let request: JsonRequest | null = first.request;
  let emptyPages = 0;
  for (let number = 1; request !== null; number++) {
    try {
      if (number > limits.maxPages) {
        throw tooLarge('stac-too-many-pages', `The catalog has more than ${limits.maxPages} pages.`);
      }
      const key = JSON.stringify([request.method ?? 'GET', request.url, request.body]);
      if (seen.has(key)) throw sourceBroken('stac-loop', 'The catalog links back to an earlier page.');
      seen.add(key);
      const given: unknown = number === 1 && first.page ? first.page : await fetchJson(request);
      const page = toPage(given);
      const total = toTotal(page);
      if (total !== null && number === 1) yield { kind: 'total', total };
      const location = { kind: 'url', url: request.url } as const;
      const last = findNextLink(page.all) === undefined ? page.features.length - 1 : -1;
      for (const [i, value] of page.features.entries()) {
        yield { kind: 'item', value, location, ...(i === last ? { isLast: true } : {}) };
      }
      emptyPages = page.features.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages >= MAX_EMPTY_PAGES) {
        throw sourceBroken('stac-loop', `The catalog has ${emptyPages} consecutive pages without an item.`);
      }
      request = toNext(page.all, request, origin);
    } catch (error) {
      if (number === 1 || !isSwathError(error) || error.tag === 'internal' || error.tag === 'cancelled') {
        throw error;
      }
      yield { kind: 'fault', name: `page ${number}`, code: error.code, reason: error.message, ends: true };
      return;
    }
  }
}

function toPage(value: unknown): { readonly features: readonly unknown[]; readonly all: Json } {
  if (!isObject(value) || value.type !== 'FeatureCollection' || !Array.isArray(value.features)) {
    throw sourceBroken('stac-no-items', 'The answer of the catalog is not a list of items.');
  }
  return { features: value.features, all: value };
}

function toTotal({ all }: { readonly all: Json }): number | null {
  const context = isObject(all.context) ? all.context : {};
  return toNumber(all.numberMatched ?? context.matched, [0, 1e12]);
}

const findNextLink = (page: Json): Json | undefined =>
  toObjects(page.links, MAX_LINKS).find(({ rel }) => rel === 'next');

/** The request for the next page, on the same host; null after the last page. */
function toNext(page: Json, before: JsonRequest, origin: string): JsonRequest | null {
  const link = findNextLink(page);
  const href = toText(link?.href);
  if (link === undefined || href === null) return null;
  const url = URL.parse(href, before.url);
  if (url === null || url.origin !== origin) {
    throw sourceBroken('stac-other-host', 'The next page of the catalog is on another host.');
  }
  if (toText(link.method)?.toUpperCase() !== 'POST') return { url: url.href };
  const body = isObject(link.body) ? link.body : {};
  // With `merge` the link has only the changes; otherwise the whole body, or none if the address is enough.
  const isWhole = link.merge !== true && isObject(link.body);
  return {
    url: url.href,
    method: 'POST',
    body: isWhole ? body : { ...(isObject(before.body) ? before.body : {}), ...body },
  };
}
