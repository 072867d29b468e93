import { isSwathError, sourceBroken, tooLarge } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import type { Json } from '../../item/json.ts';
import { toNumber, toObjects, toText } from '../../item/json.ts';
import type { FetchJson, JsonRequest } from './fetch-json.ts';
import type { Found, SourceLimits } from './found.ts';

/** A first page, or the request for it. */
export interface FirstPage {
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
      for (const value of page.features) {
        yield { kind: 'item', value, location: { kind: 'url', url: request.url } };
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

/** The request for the next page, on the same host; null after the last page. */
function toNext(page: Json, before: JsonRequest, origin: string): JsonRequest | null {
  const link = toObjects(page.links, MAX_LINKS).find(({ rel }) => rel === 'next');
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
