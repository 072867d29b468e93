import type { Clock } from '../async/index.ts';
import { systemClock } from '../async/index.ts';
import type { SharedFolder } from '../files/index.ts';
import type { GuardedFetch, ResolveName, ServiceCounts } from '../net/index.ts';
import {
  makeGuardedFetch,
  makePauses,
  makePoliteFetch,
  makeServiceCounts,
  portOf,
  withHttpCache,
} from '../net/index.ts';
import { unavailable } from './errors.ts';
import type { LiveCatalog } from './live-catalog.ts';

/** How the operator of a catalog knows whose requests these are: `Swath/0.2.0 (+maps@example.org)`. */
export const toUserAgent = (version: string, contact: string | null): string =>
  contact === null ? `Swath/${version}` : `Swath/${version} (+${contact})`;

interface CatalogFetchOptions {
  readonly userAgent?: string | undefined;
  readonly resolveName?: ResolveName;
}

interface CatalogDoorOptions extends CatalogFetchOptions {
  /** Answers on disk, by the rules of HTTP; left out: none are stored. */
  readonly answers?: SharedFolder | undefined;
  readonly clock?: Clock;
}

/** The way to the API of a catalog. */
export interface CatalogDoor {
  readonly fetch: GuardedFetch;
  /** What its requests came to, for the metrics; it changes with each. */
  readonly counts: ServiceCounts;
}

/** An answer that takes longer is of no use to anyone; searches have deadlines of their own, which are shorter. */
const TOTAL_MS = 60_000;

/** Builds the fetch that reaches the host of a catalog's API and nothing else. */
export function makeCatalogFetch(
  { url: root, sources }: Pick<LiveCatalog, 'url' | 'sources'>,
  { userAgent, resolveName }: CatalogFetchOptions,
): GuardedFetch {
  const url = new URL(root);
  return makeGuardedFetch({
    policy: {
      hosts: [url.hostname],
      allowHttp: url.protocol === 'http:',
      ports: [portOf(url)],
      privateNetworks: sources.privateNetworks,
    },
    timeouts: { connectMs: TOTAL_MS / 10, headersMs: TOTAL_MS, idleMs: TOTAL_MS / 2, totalMs: TOTAL_MS },
    proxy: sources.proxy,
    userAgent,
    resolveName,
    subject: { file: 'the catalog', server: 'the catalog' },
  });
}

/**
 * Opens the way to a catalog: at the rate that its limits state, with a pause when it asks for one, and without a request
 * for what it has answered recently. Callers bound how long they wait by their signals.
 */
export function openCatalogDoor(catalog: LiveCatalog, options: CatalogDoorOptions = {}): CatalogDoor {
  const { answers, clock = systemClock } = options;
  const { requestsPerMinute, concurrency, deadlineMs } = catalog.limits;
  const counts = makeServiceCounts();
  const pauses = makePauses(clock);
  const polite = makePoliteFetch(makeCatalogFetch(catalog, options), {
    requestsPerMinute,
    concurrency,
    counts,
    clock,
    pauses,
  });
  const refuseIfPaused = (): void => {
    const pausedMs = pauses.pausedMs();
    if (pausedMs > deadlineMs) throw busy(Math.ceil(pausedMs / 1_000));
  };
  /** Nobody waits for a pause that is longer than the time for an answer. */
  const fetch: GuardedFetch = async (request) => {
    refuseIfPaused();
    const answer = await polite(request);
    if (answer.status === 429 || answer.status === 503) refuseIfPaused();
    return answer;
  };
  return {
    fetch: answers === undefined ? fetch : withHttpCache(fetch, { folder: answers, counts }),
    counts,
  };
}

const busy = (retryAfterS: number) =>
  unavailable('catalog-busy', `The catalog is busy and asks for a pause of ${retryAfterS} seconds.`, {
    details: { retryAfterS },
  });
