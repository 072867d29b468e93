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
}
