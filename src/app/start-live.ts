import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../adapters/store/index.ts';
import { makeTtlCache } from '../async/index.ts';
import { isUnavailable } from '../errors.ts';
import { makeFolderHandle } from '../files/index.ts';
import type { Log, SearchedCatalog } from '../http/index.ts';
import type { LiveCalls, LiveSettings } from '../live/index.ts';
import {
  inSlices,
  listPictureOrigins,
  makeKnownScenes,
  toLiveModel,
  toUserAgent,
  withLiveCatalogs,
} from '../live/index.ts';
import type { ServiceCounts } from '../net/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { withCells } from '../terrain/cells/index.ts';
import { MIB } from '../units.ts';
import { toHeaderCache } from './files.ts';
import type { Tracing } from './traced.ts';

/** Answers of several searches at a time, each of some megabytes. */
const HEAP_LIMIT_MB = 1_024;
/** A page of a hundred items with all their files. */
const NEWEST_MB = 16;

/** Max calls in flight to one origin of files: the headers of two scenes. */
const CALLS_PER_ORIGIN = 32;

/** Room for answers of catalogs on disk: some thousand searches. */
const ANSWERS_MIB = 64;

/** How long the datasets of catalogs are served without asking the thread, which asks a catalog once an hour. */
const LISTED_MS = 600_000;

interface LiveDeps {
  readonly version: string;
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
  readonly tracing: Tracing | null;
}

/** The store with live catalogs behind its scenes: one for requests, and one that holds scenes for tasks. */
interface LiveStores {
  readonly forRequests: Store;
  readonly forTasks: Store;
  /** What requests to each catalog came to; null without catalogs. */
  readonly readCounts: (() => Promise<Readonly<Record<string, ServiceCounts>>>) | null;
  /** The catalogs as clients see them. */
  readonly readCatalogs: () => Promise<readonly SearchedCatalog[]>;
}

/** Starts the thread that asks live catalogs; without any in the settings there is none. */
export function startLive({ config, store, log, parts, version, tracing }: LiveDeps): LiveStores {
  const { liveCatalogs, dataDir, sources } = config;
  if (liveCatalogs.length === 0)
    return { forRequests: store, forTasks: store, readCounts: null, readCatalogs: async () => [] };
  const settings: LiveSettings = {
    catalogs: liveCatalogs,
    files: {
      dataDir,
      ...toHeaderCache(config),
      network: { ...sources.network, limits: { concurrency: CALLS_PER_ORIGIN, ...sources.network?.limits } },
    },
    answers: makeFolderHandle(join(dataDir, 'catalog-answers'), ANSWERS_MIB * MIB),
    userAgent: toUserAgent(version, config.catalogContact),
  };
  const thread = makeCallThread<Record<never, never>, LiveCalls>({
    script: new URL('./live-worker.ts', import.meta.url),
    settings,
    heapLimitMb: HEAP_LIMIT_MB,
    newestMb: NEWEST_MB,
    context: tracing?.context,
    handlers: {},
    onDeath: (error) =>
      log.error({ err: error }, 'the thread of live catalogs has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  const datasets = new Set(
    liveCatalogs.flatMap(({ collections }) => collections.map(({ dataset }) => dataset)),
  );
  const nowMs = (): number => performance.now();
  const model = toLiveModel(liveCatalogs);
  const dems =
    model === null
      ? store.dems
      : withCells(store.dems, {
          model,
          readCell: (cell, signal) => thread.call('cell', cell, signal),
          nowMs,
        });
  const joinLive = (holdMs: number | null): Store => ({
    ...store,
    dems,
    scenes: withLiveCatalogs(store.scenes, {
      datasets,
      search: inSlices((query, signal) => thread.call('search', query, signal)),
      known: makeKnownScenes({
        store: store.knownScenes,
        resolve: (named, earlier, signal) => thread.call('resolve', { named, earlier }, signal),
        max: config.knownScenes,
        // Requests and tasks wait for each other's claims too.
        owner: randomUUID(),
        holdMs,
        now: () => new Date(),
        sleep: (ms) => sleep(ms),
        onFailure(error) {
          if (!isUnavailable(error))
            log.warn({ err: error }, 'the table of known scenes could not be brought up to date');
        },
      }),
      nowMs,
    }),
  });
  const readCounts = () => thread.call('counts', null);
  // Loads the thread's code, so that the first search need not wait for it.
  readCounts().catch(() => {});
  const lists = makeTtlCache<Readonly<Record<string, readonly string[]>>>({
    nowMs,
    freshMs: LISTED_MS,
    max: 1,
  });
  const readDatasets = () => lists.find('', ({ signal }) => thread.call('datasets', null, signal));
  // Catalogs of which only the address is known are asked before anyone waits for it.
  readDatasets().catch(() => {});
  return {
    forRequests: joinLive(null),
    // No task outlives this time.
    forTasks: joinLive(config.taskTimeoutS * 1_000),
    readCounts,
    async readCatalogs() {
      const datasets = await readDatasets();
      return liveCatalogs.map((catalog) => {
        const { name, title, attribution } = catalog;
        return {
          name,
          title,
          datasets: datasets[name] ?? [],
          attribution,
          pictureOrigins: listPictureOrigins(catalog),
        };
      });
    },
  };
}

/** Origins of the pictures of all catalogs. */
export const toPictureOrigins = ({ liveCatalogs }: Pick<Config, 'liveCatalogs'>): readonly string[] =>
  liveCatalogs.flatMap(listPictureOrigins);
