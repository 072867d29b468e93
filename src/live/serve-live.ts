/** What the thread of live catalogs does: it asks catalogs, reads their answers and the headers of files. */
import { makeGate } from '../async/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { makeIsAllowedHref } from '../ingest/index.ts';
import { makeGuardedFetch, portOf } from '../net/index.ts';
import type { CallHandlers, JobType } from '../pool/index.ts';
import type { OpenSourceOptions } from '../sources/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import type { CatalogClient } from './catalog-client.ts';
import { makeCatalogClient } from './catalog-client.ts';
import { notAllowed } from './errors.ts';
import { makeItemMemory } from './item-memory.ts';
import type { LiveCatalog } from './live-catalog.ts';
import type { LivePage, LiveQuery } from './live-search.ts';
import { makeLiveSearch } from './live-search.ts';
import type { EarlierState, NamedScene, Resolved } from './resolve-scene.ts';
import { makeResolveScene } from './resolve-scene.ts';

/** Calls that the thread answers. */
export type LiveCalls = {
  search: JobType<LiveQuery, LivePage>;
  resolve: JobType<{ readonly named: NamedScene; readonly earlier: EarlierState | null }, Resolved>;
};

/** Settings of the thread: plain data. */
export interface LiveSettings {
  readonly catalogs: readonly LiveCatalog[];
  /** How files of scenes are opened, with the caches that all threads share. */
  readonly files: OpenSourceOptions;
}

/** Files whose headers are read at the same time: a scene of Sentinel-2 has thirteen. */
const HEADERS_AT_ONCE = 64;

/** Builds what answers the calls. */
export function makeLiveHandlers({ catalogs, files }: LiveSettings): CallHandlers<LiveCalls> {
  const clients = toClients(catalogs);
  const memory = makeItemMemory();
  const search = makeLiveSearch({ clients, memory, nowMs: () => performance.now() });
  const resolve = makeResolveScene({
    clients,
    memory,
    rulesOf: ({ sources }) => ({
      isAllowedHref: makeIsAllowedHref({ dataDir: files.dataDir, folders: [], network: sources }),
      toHref() {
        throw notAllowed('local-file', 'Items of a live catalog may not refer to files of this machine.');
      },
    }),
    doors: { open: makeOpenSource(files), jp2Decoder: makeJp2Decoder(), gate: makeGate(HEADERS_AT_ONCE) },
  });
  return {
    search: (query, signal) => search(query, signal),
    resolve: ({ named, earlier }, signal) => resolve(named, earlier, signal),
  };
}

/** The client of each dataset: of several catalogs that have it, the first. */
function toClients(catalogs: readonly LiveCatalog[]): ReadonlyMap<string, CatalogClient> {
  const clients = new Map<string, CatalogClient>();
  for (const catalog of catalogs) {
    const url = new URL(catalog.url);
    const client = makeCatalogClient(
      catalog,
      makeGuardedFetch({
        policy: {
          hosts: [url.hostname],
          allowHttp: url.protocol === 'http:',
          ports: [portOf(url)],
          privateNetworks: catalog.sources.privateNetworks,
        },
      }),
    );
    for (const { dataset } of catalog.collections) if (!clients.has(dataset)) clients.set(dataset, client);
  }
  return clients;
}
