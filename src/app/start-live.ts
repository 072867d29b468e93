import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../adapters/store/index.ts';
import { isUnavailable } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { LiveCalls, LiveSettings } from '../live/index.ts';
import { makeKnownScenes, toLiveModel, withLiveCatalogs } from '../live/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { withCells } from '../terrain/cells/index.ts';
import { toHeaderCache } from './files.ts';

/** Answers of several searches at a time, each of some megabytes. */
const HEAP_LIMIT_MB = 1_024;

/** Max calls in flight to one origin of files: the headers of two scenes. */
const CALLS_PER_ORIGIN = 32;

interface LiveDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** The store with live catalogs behind its scenes: one for requests, and one that holds scenes for tasks. */
interface LiveStores {
  readonly forRequests: Store;
  readonly forTasks: Store;
}

/** Starts the thread that asks live catalogs; without any in the settings there is none. */
export function startLive({ config, store, log, parts }: LiveDeps): LiveStores {
  const { liveCatalogs, dataDir, sources } = config;
  if (liveCatalogs.length === 0) return { forRequests: store, forTasks: store };
  const settings: LiveSettings = {
    catalogs: liveCatalogs,
    files: {
      dataDir,
      ...toHeaderCache(config),
      network: { ...sources.network, limits: { concurrency: CALLS_PER_ORIGIN, ...sources.network?.limits } },
    },
  };
  const thread = makeCallThread<Record<never, never>, LiveCalls>({
    script: new URL('./live-worker.ts', import.meta.url),
    settings,
    heapLimitMb: HEAP_LIMIT_MB,
    handlers: {},
    onDeath: (error) =>
      log.error({ err: error }, 'the thread of live catalogs has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  const datasets = new Set(
    liveCatalogs.flatMap(({ collections }) => collections.map(({ dataset }) => dataset)),
  );
  const owner = randomUUID();
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
  const join = (holdMs: number | null): Store => ({
    ...store,
    dems,
    scenes: withLiveCatalogs(store.scenes, {
      datasets,
      search: (query, signal) => thread.call('search', query, signal),
      known: makeKnownScenes({
        store: store.knownScenes,
        resolve: (named, earlier, signal) => thread.call('resolve', { named, earlier }, signal),
        max: config.knownScenes,
        owner,
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
  // No task outlives this time.
  return { forRequests: join(null), forTasks: join(config.taskTimeoutS * 1_000) };
}
