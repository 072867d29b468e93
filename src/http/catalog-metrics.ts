import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';

/** Figures of the requests to one live catalog. */
export interface CatalogFigures {
  readonly requests: number;
  /** By status or code. */
  readonly errors: Readonly<Record<string, number>>;
  readonly waitedMs: number;
  readonly cacheHits: number;
  readonly revalidated: number;
  /** Requests that were answered within each of some times. */
  readonly within: readonly { readonly seconds: number; readonly requests: number }[];
  readonly answered: number;
  readonly answeredMs: number;
  readonly pausedMs: number;
}

/** Reads the figures by the names of catalogs; null if they cannot be read now. */
export type ReadCatalogFigures = () => Promise<Readonly<Record<string, CatalogFigures>> | null>;

/** Adds the metrics of live catalogs; their totals are counted elsewhere. */
export function watchCatalogFigures(register: Registry, read: ReadCatalogFigures): void {
  const add = (
    { name, help, label }: { readonly name: string; readonly help: string; readonly label?: string },
    toValues: (figures: CatalogFigures) => Readonly<Record<string, number>>,
  ): void => {
    new Counter({
      name,
      help,
      labelNames: label === undefined ? ['catalog'] : ['catalog', label],
      registers: [register],
      async collect() {
        const all = await read();
        if (all === null) return;
        this.reset();
        for (const [catalog, figures] of Object.entries(all)) {
          for (const [value, count] of Object.entries(toValues(figures))) {
            this.inc(label === undefined ? { catalog } : { catalog, [label]: value }, count);
          }
        }
      },
    });
  };
  add(
    {
      name: 'swath_catalog_requests_total',
      help: 'Requests for answers of live catalogs since start: sent to the catalog (sent), answered from disk without a request (cached), or after the catalog had confirmed it (confirmed, also counted as sent).',
      label: 'outcome',
    },
    ({ requests, cacheHits, revalidated }) => ({ sent: requests, cached: cacheHits, confirmed: revalidated }),
  );
  add(
    {
      name: 'swath_catalog_errors_total',
      help: 'Refusals and failures of live catalogs since start, by status or code.',
      label: 'code',
    },
    ({ errors }) => errors,
  );
  add(
    {
      name: 'swath_catalog_wait_seconds_total',
      help: 'Time that requests to live catalogs have waited for their turn, since start.',
    },
    ({ waitedMs }) => ({ all: waitedMs / 1_000 }),
  );
  add(
    {
      name: 'swath_catalog_paused_seconds_total',
      help: 'Pauses that live catalogs have asked for (429, 503), all together, since start.',
    },
    ({ pausedMs }) => ({ all: pausedMs / 1_000 }),
  );
  register.registerMetric(makeLatency(read));
}

const LATENCY = 'swath_catalog_request_seconds';

/** A histogram whose buckets are counted in another thread, which prom-client has no class for. */
function makeLatency(read: ReadCatalogFigures): Counter {
  const toValues = ([catalog, { within, answered, answeredMs }]: [string, CatalogFigures]) => [
    ...[...within, { seconds: '+Inf', requests: answered }].map(({ seconds, requests }) => ({
      metricName: `${LATENCY}_bucket`,
      labels: { catalog, le: String(seconds) },
      value: requests,
    })),
    { metricName: `${LATENCY}_sum`, labels: { catalog }, value: answeredMs / 1_000 },
    { metricName: `${LATENCY}_count`, labels: { catalog }, value: answered },
  ];
  const metric = {
    name: LATENCY,
    get: async () => ({
      name: LATENCY,
      help: 'Time that live catalogs took to answer requests.',
      type: 'histogram',
      aggregator: 'sum',
      values: Object.entries((await read()) ?? {}).flatMap(toValues),
    }),
    reset: () => {},
  };
  return metric as unknown as Counter;
}
