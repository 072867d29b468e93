import { badInput, isSwathError } from '../../../errors.ts';
import type { StacFilters } from '../filters.ts';
import type { FetchJson, JsonRequest } from './fetch-json.ts';
import type { Found, SourceLimits } from './found.ts';
import { readPages } from './read-pages.ts';

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
    ...(collections.length === 0 ? {} : { collections }),
    ...(bbox === null ? {} : { bbox }),
    ...(datetime === null ? {} : { datetime }),
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
