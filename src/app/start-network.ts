import type { MessagePort } from 'node:worker_threads';
import type { FetchCounts, LookAhead, RemoteFile, SharedHandle } from '../blocks/index.ts';
import {
  makeCountersMemory,
  makeFetchCounters,
  makeLookAhead,
  startNetworkThread,
  withFetch,
} from '../blocks/index.ts';
import { bulkReads } from '../bulk/index.ts';
import { coverageReads } from '../coverage/index.ts';
import type { Log } from '../http/index.ts';
import { mosaicReads } from '../mosaic/index.ts';
import type { JobRunner } from '../pool/index.ts';
import { renderReads } from '../render/index.ts';
import type { Config } from '../settings/index.ts';
import type { ArenaHandle } from '../sources/index.ts';
import { makeArenaHandle } from '../sources/index.ts';
import { terrainReads } from '../terrain/index.ts';
import { statisticsReads } from '../zonal/index.ts';
import { layerReads } from '../zonal/measuring.ts';
import type { RemoteCaches } from './files.ts';
import type { PixelJobs } from './pixel-worker.ts';
import type { Tracing } from './traced.ts';

interface NetworkDeps {
  readonly config: Config;
  /** Where bytes of remote files are stored on disk. */
  readonly caches: RemoteCaches;
  readonly blocks: { readonly handle: SharedHandle; readonly release: (threadId: number) => void };
  readonly log: Log;
  /** Closes everything at the end. */
  readonly parts: AsyncDisposableStack;
  readonly tracing: Tracing | null;
}

interface PoolNetwork {
  readonly onConnect?: (port: MessagePort) => void;
}

/** How jobs get the bytes of remote files. */
export interface Network {
  /** Pool options of pixel threads; empty if no remote files are allowed. */
  readonly options: PoolNetwork;
  /** The same for the threads of tasks. What they read is not cached, because it would evict what maps need. */
  readonly taskOptions: PoolNetwork;
  readonly settings: { readonly arena?: ArenaHandle };
  /** Jobs of the pool wait for their bytes before they take a thread; idle threads help with decoding. */
  withFetch(pool: JobRunner<PixelJobs>, countIdle?: () => number): JobRunner<PixelJobs>;
  /** The same for local files, so that its code is compiled before it is needed. */
  warmUp(pool: JobRunner<PixelJobs>, countIdle: () => number): JobRunner<PixelJobs>;
  /** Connects to the servers of these files ahead of the first request. */
  openConnections(files: readonly RemoteFile[]): void;
  /** Returns the listener for drawn pictures, which prefetches what may be viewed next; undefined if that is off. */
  lookAhead(isIdle: () => boolean): LookAhead['note'] | undefined;
  /** Null when no remote files are allowed. */
  readFetches(): (FetchCounts & { readonly budgetBytes: number }) | null;
}

/** Max calls to one origin in flight. More would not be faster: 32 at 30 ms are a thousand ranges a second. */
const CALLS_PER_ORIGIN = 32;

/** Share of requests that may be repeated because their answer is late. */
const HEDGE_SHARE = 0.03;

/** Memory for bytes that jobs are about to read: some hundred tiles of three bands. */
const FETCH_BYTES = 128 * 2 ** 20;

/** Bytes of one origin in flight per pixel thread: two tiles of three bands while it draws one. */
const READING_BYTES_PER_THREAD = 4 * 2 ** 20;

const reads = {
  ...renderReads,
  ...mosaicReads,
  ...coverageReads,
  ...statisticsReads,
  ...bulkReads,
  ...layerReads,
  ...terrainReads,
};

/** Starts the thread that reads remote files; without sources on the network there is none. */
export function startNetwork({ config, caches, blocks, log, parts, tracing }: NetworkDeps): Network {
  const { dataDir, sources } = config;
  const { folders, network } = sources;
  if (network === undefined)
    return {
      options: {},
      taskOptions: {},
      settings: {},
      withFetch: (pool) => pool,
      warmUp: (pool) => pool,
      openConnections: () => {},
      lookAhead: () => undefined,
      readFetches: () => null,
    };
  const limits = { concurrency: CALLS_PER_ORIGIN, hedgeShare: HEDGE_SHARE, ...network.limits };
  const arena = makeArenaHandle(FETCH_BYTES);
  const counters = makeCountersMemory();
  const thread = startNetworkThread({
    script: new URL('./network-worker.ts', import.meta.url),
    settings: {
      files: { dataDir, folders, network: { ...network, limits }, ...caches },
      blocks: blocks.handle,
      arena,
      readingBytes: Math.max(2, config.threads) * READING_BYTES_PER_THREAD,
      counters,
    },
    context: tracing?.context,
    onExit: blocks.release,
    onCrash: (error) => log.error({ err: error }, 'the thread that reads remote files died; it is replaced'),
  });
  parts.defer(() => thread.close());
  const readCounters = makeFetchCounters(counters).read;
  let isWarm = false;
  return {
    options: { onConnect: (port) => thread.connect(port, 'stored') },
    taskOptions: { onConnect: (port) => thread.connect(port, 'once') },
    settings: { arena },
    withFetch: (pool, countIdle = () => 0) =>
      withFetch<PixelJobs>(pool, { network: thread, reads, countIdle }),
    readFetches: () => ({ ...readCounters(), budgetBytes: FETCH_BYTES }),
    openConnections: thread.openConnections,
    lookAhead(isIdle) {
      if (!config.prefetch) return undefined;
      const { note, close } = makeLookAhead({ network: thread, isIdle });
      parts.defer(close);
      return note;
    },
    warmUp(pool, countIdle) {
      if (!isWarm) thread.warmUp();
      isWarm = true;
      return withFetch<PixelJobs>(pool, { network: thread, reads, countIdle, isFetched: () => true });
    },
  };
}
