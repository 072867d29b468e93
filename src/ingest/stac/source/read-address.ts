import { isSwathError, SwathError } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { toShownAddress } from '../../../net/index.ts';
import { badInput, sourceBroken } from '../../errors.ts';
import type { Json } from '../item.ts';
import { toObjects, toText } from '../item.ts';
import type { FetchJson } from './fetch-json.ts';
import { readPages, searchApi, toGetUrl } from './search-api.ts';
import type { Found, SourceLimits, StacFilters } from './source.ts';
import { isCatalog, toItems, walkLinks } from './walk-links.ts';

interface AddressDeps {
  readonly fetchJson: FetchJson;
  readonly limits: SourceLimits;
  readonly filters: StacFilters;
}

/** The items at an address: of a STAC API, one of its collections, a static catalog, a list of items, or an item. */
export async function* readAddress(from: string, deps: AddressDeps): AsyncGenerator<Found> {
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw badInput('stac-bad-address', `${toShownAddress(from)} is not the address of a STAC catalog.`);
  }
  if (/\/search\/?$/.test(url.pathname)) {
    yield* searchApi({ url: url.href, methods: ['POST', 'GET'] }, deps);
    return;
  }
  const document = await deps.fetchJson({ url: url.href });
  const search = findLink(document, 'search', url);
  const items = findLink(document, 'items', url);
  if (search !== null) yield* searchApi(search, deps);
  else if (items !== null) {
    // The address names the collection; a server would return no items for other names.
    const filters = { ...deps.filters, collections: [] };
    yield* readPages({ request: { url: toGetUrl(items.url, filters) } }, deps);
  } else if (isObject(document) && document.type === 'FeatureCollection') {
    yield* readPages({ request: { url: url.href }, page: document }, deps);
  } else if (isCatalog(document) || toItems(document).length > 0) {
    yield* walkLinks({ ref: url.href, document }, { door: toDoor(deps.fetchJson, url), limits: deps.limits });
  } else {
    throw sourceBroken('stac-no-catalog', 'The JSON at this address is neither a catalog nor an item.');
  }
}

/** The search endpoint of a catalog, or the items endpoint of a collection; never on another host. */
function findLink(document: unknown, rel: string, from: URL) {
  if (!isCatalog(document)) return null;
  const links = toObjects(document.links, 10_000).filter((link) => link.rel === rel);
  const url = URL.parse(toText(links[0]?.href) ?? '', from.href);
  // Static catalogs use this name too, for a file with a list of items.
  if (links.length === 0 || url === null || (rel === 'items' && /\.json$/.test(url.pathname))) return null;
  if (url.origin !== from.origin) {
    throw sourceBroken(
      'stac-other-host',
      'The search endpoint of the catalog is on another host; use that address instead.',
    );
  }
  const named = links.flatMap((link: Json) => toText(link.method)?.toUpperCase() ?? []);
  const methods = (['POST', 'GET'] as const).filter((method) => named.includes(method));
  return { url: url.href, methods: methods.length === 0 ? (['POST', 'GET'] as const) : methods };
}

function toDoor(fetchJson: FetchJson, root: URL) {
  return {
    read: (ref: string) => fetchJson({ url: ref }),
    resolve(href: string, from: string): string | null {
      const url = URL.parse(href, from);
      if (url === null || url.origin !== root.origin) return null;
      url.hash = '';
      return url.href;
    },
    locationOf: (ref: string) => ({ kind: 'url', url: ref }) as const,
  };
}

/** The scheme of an address, in lower case; null for a path. */
export const schemeOf = (from: string): string | null =>
  /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase() ?? null;

/** The error for an address with an unsupported scheme. */
export const wrongScheme = (from: string, scheme: string): SwathError =>
  badInput(
    'stac-bad-address',
    `${toShownAddress(from)} cannot be read: catalogs are read by https and http, not by ${scheme}.`,
  );

/**
 * The guarded fetch refuses every address with the same message, so that it tells remote clients nothing. The operator
 * who typed the address of a catalog gets the address, the reason and the remedy; other errors stay as they are.
 */
export function toNamedRefusal(from: string, error: unknown): unknown {
  if (!isSwathError(error) || error.code !== 'address-not-allowed') return error;
  const reason = reasonOf(error);
  const isPrivate = /leads to|the address is/.test(reason);
  const sentence = isPrivate
    ? `It is in a private network (${reason}); to allow it, add the network to "privateNetworks" in the JSON form of SWATH_SOURCES.`
    : `The reason: ${reason}.`;
  return new SwathError('not-allowed', error.code, `${toShownAddress(from)} is not allowed. ${sentence}`, {
    cause: error,
  });
}

/** The innermost cause, which the guarded fetch attaches for the log. */
function reasonOf(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  return inner.message;
}
