import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Store } from '../adapters/store/index.ts';
import { makeAreaParser } from '../areas/index.ts';
import { joinBlockCache, makeBlockCache, makeCachedPixels } from '../blocks/index.ts';
import { makeClassMeasurer } from '../classes/index.ts';
import { makeMeasureCoverage } from '../coverage/index.ts';
import { isUnavailable } from '../errors.ts';
import { makePlanCoverage } from '../exports/index.ts';
import type { ResultCache } from '../files/index.ts';
import { joinFolder, makeFolderHandle, makeResultCache, watchFolder } from '../files/index.ts';
import type { Log } from '../http/index.ts';
import { LENT_PER_SLOT } from '../http/index.ts';
import type { Mosaics } from '../mosaic/index.ts';
import { makeMosaics, makePyramidStore } from '../mosaic/index.ts';
import { openOwnObjects } from '../objects/index.ts';
import type { JobRunner, Pool, RanJob, Ticket } from '../pool/index.ts';
import { makePool } from '../pool/index.ts';
import { makeRendering } from '../render/index.ts';
import type { Config } from '../settings/index.ts';
import { makeReadFileStamp } from '../sources/index.ts';
import { MIB } from '../units.ts';
import { makeReadLayers } from '../zonal/measuring.ts';
import { makeZoneMaker } from '../zones/index.ts';
import { readCacheStats, toRemoteCaches, toThreadFiles, watchRemoteCaches } from './files.ts';
import type { PixelJobs } from './pixel-worker.ts';
import type { SharedTiles } from './shared-tiles.ts';
import { openSharedTiles } from './shared-tiles.ts';
import { startNetwork } from './start-network.ts';
import { startTerrain } from './start-terrain.ts';
import type { Tracing } from './traced.ts';

interface RenderingDeps {
  readonly config: Config;
  readonly store: Store;
  readonly version: string;
  readonly log: Log;
  /** Closes everything at the end. */
  readonly parts: AsyncDisposableStack;
  /** Called after each run of a job. */
  readonly onRan: readonly ((ran: RanJob) => void)[];
  readonly tracing: Tracing | null;
}

/** Memory for planning the files of tasks: some headers at once. */
const PLANNING_BYTES = 128 * MIB;

/** Max render requests in flight, and the share of them that one key may have. */
export const rendersInside = (threads: number): number => 24 * threads;
export const OWNER_SHARE = 0.5;

/** How long a render waits for its turn at least before it is refused, and how long a part of a task's file waits. */
const SHORTEST_WAIT_MS = 10_000;
const TASK_WAIT_MS = 600_000;

/** Starts the pixel threads and their caches, and builds everything that draws and measures with them. */
export function startRendering({ config, store, log, parts, version, onRan, tracing }: RenderingDeps) {
  const blocks = makeBlockCache(config.cacheMb * MIB);
  const caches = toRemoteCaches(config);
  parts.defer(watchRemoteCaches(caches, log));
  const network = startNetwork({ config, caches, blocks, log, parts, tracing });
  const traced = (jobs: JobRunner<PixelJobs>): JobRunner<PixelJobs> => tracing?.jobs(jobs) ?? jobs;
  const taskBytes = Math.floor((config.memoryMb * MIB) / 2);
  // Where a render may take longer, those behind it have to wait longer.
  const maxWaitMs = { tile: Math.max(SHORTEST_WAIT_MS, config.renderTimeoutMs), task: TASK_WAIT_MS };
  const threadSettings = {
    files: toThreadFiles(config),
    blocks: blocks.handle,
    ...network.settings,
  };
  const threads = makePool<PixelJobs>({
    script: new URL('./pixel-worker.ts', import.meta.url),
    settings: threadSettings,
    onThreadExit: blocks.release,
    onRan,
    ...network.options,
    threads: config.threads,
    budgetBytes: config.memoryMb * MIB - taskBytes,
    taskBytes: 0,
    // As many as the front door admits, plus those that return from a remote store: a render that is refused here was
    // parsed, identified and planned for nothing. A browser requests a screenful of tiles at once, so one key may hold
    // half of the slots.
    maxWaiting: { tile: (1 + LENT_PER_SLOT) * rendersInside(config.threads), task: 0 },
    maxWaitMs,
    greedyWaiting: (OWNER_SHARE * rendersInside(config.threads)) / 2,
    ownerShare: OWNER_SHARE,
    // Between jobs a thread may hold the kernels' memory and some slack; shared memory is not counted.
    maxWorkerBytes: 512 * MIB,
  });
  parts.defer(() => threads.close({ drainMs: config.drainMs }));
  const pool = traced(network.withFetch(threads, () => countIdle(threads)));

  /** The threads of tasks: as many as for tiles, at a lower priority, and with a memory budget of their own. */
  const taskThreads = makePool<PixelJobs>({
    script: new URL('./pixel-worker.ts', import.meta.url),
    settings: { ...threadSettings, isForTasks: true },
    onRan,
    onThreadExit: blocks.release,
    ...network.taskOptions,
    threads: config.threads,
    taskThreads: config.threads,
    budgetBytes: taskBytes + PLANNING_BYTES,
    taskBytes,
    // A caller waits for the planning of a file, which reads headers. The file itself is made of many jobs; how many of
    // them are under way at once is up to the file.
    maxWaiting: { tile: 8 * config.threads, task: 1_000_000 },
    maxWaitMs,
    ownerShare: 1,
    maxWorkerBytes: 512 * MIB,
  });

  const nowMs = performance.now.bind(performance);
  const shared = openSharedTiles({ config, store, log, parts, version });
  const results = openTileCache({ config, shared, parts, log });
  const toTicket = (owner: string): Ticket => ({ owner, lane: 'tile', timeoutMs: config.renderTimeoutMs });
  const drawing = makeRendering({
    scenes: store.scenes,
    contrasts: store.contrasts,
    intensities: store.intensities,
    results,
    pool,
    cachedPixels: makeCachedPixels(joinBlockCache(blocks.handle, threadId)),
    readStamp: makeReadFileStamp(config.dataDir),
    nowMs,
    filesTicket: toTicket('files'),
    onNext: network.lookAhead(() => countIdle(threads) === config.threads),
    events: toEvents(log),
  });
  const rendering =
    tracing === null
      ? drawing
      : {
          ...drawing,
          renderer: { ...drawing.renderer, plan: tracing.work('plan', drawing.renderer.plan) },
        };
  const { renderer, watch } = rendering;
  const pyramids = makePyramidStore(openOwnObjects(config, 'pyramids'), nowMs);
  const toMosaics = (
    own: Pick<Parameters<typeof makeMosaics>[0], 'renderer' | 'pool' | 'pyramids'>,
  ): Mosaics => makeMosaics({ scenes: store.scenes, watch, results, nowMs, ...own });
  const mosaics = toMosaics({ renderer, pool, pyramids });
  const { compareScene } = rendering;
  const layers = makeReadLayers({ scenes: store.scenes, compareScene, watch, pool });
  return {
    areaParser: makeAreaParser(pool),
    /** Pictures and values of many scenes. */
    mosaics,
    /** Values of scenes on a grid, for callers who wait. */
    planCoverage: makePlanCoverage({ mosaics, pool }),
    /** Areas of classes of values. */
    classes: makeClassMeasurer({ layers, mosaics, pool }),
    /** Management zones of fields. */
    zones: makeZoneMaker({ scenes: store.scenes, compareScene, watch, pool }),
    /** What draws and measures scenes. */
    rendering,
    measureCoverage: makeMeasureCoverage({
      scenes: store.scenes,
      compareScene: rendering.compareScene,
      watch: rendering.watch,
      store: store.coverage,
      pool,
      nowMs,
      onForgotten(error) {
        if (!isUnavailable(error)) log.warn({ err: error }, 'cells of a cloud mask could not be stored');
      },
      onFailure: (viewId, error) =>
        log.warn({ err: error, view_id: viewId }, 'the clouds of a scene could not be measured'),
    }),
    terrain: startTerrain({ config, store, pool, results, log }),
    /** What tasks use: threads of their own, and pictures drawn on them. */
    taskRendering: {
      threads: taskThreads,
      withFetch: (jobs: JobRunner<PixelJobs>) => traced(network.withFetch(jobs)),
      makePainter: rendering.makePainter,
      /** Mosaics that are put together on the threads of tasks, always of scenes. */
      makeMosaics: (other: JobRunner<PixelJobs>): Mosaics =>
        toMosaics({ renderer: rendering.makePainter(other), pool: other, pyramids: null }),
      pyramids,
      explainPixels: rendering.explainer.plan,
      compareScene: rendering.compareScene,
      watch: rendering.watch,
    },
    /** Counts of the threads and of all caches, for the metrics. */
    figures: {
      readPool: () => toFigures(threads),
      readTaskPool: () => toFigures(taskThreads),
      readBlocks: blocks.stats,
      readTiles: results.stats,
      ...(shared === null ? {} : { readSharedTiles: shared.stats }),
      readRanges: () => readCacheStats(caches.ranges),
      readHeaders: () => readCacheStats(caches.headers),
      readFetches: network.readFetches,
    },
    isWell: (): boolean => threads.health().ok,
    /** A failure is only logged, because nobody waits for a warm-up. */
    async warmUp(signal: AbortSignal): Promise<void> {
      try {
        const request = {
          makePool: () => network.warmUp(threads, () => countIdle(threads)),
          threads: config.threads,
          dataDir: config.dataDir,
          isRemote: config.sources.network !== undefined,
        };
        await rendering.warmUp(request, { ...toTicket('warm-up'), signal });
        network.openConnections(await rendering.findRemoteFiles());
        log.info({}, 'warmed up');
      } catch (error) {
        if (!signal.aborted) log.info({ err: error }, 'could not warm up');
      }
    },
  };
}

/** What rendering reports, as lines of the log. The health of the store logs a failing store once a minute. */
const toEvents = (log: Log): Parameters<typeof makeRendering>[0]['events'] => ({
  onForgotten(error) {
    if (!isUnavailable(error)) log.warn({ err: error }, 'a measured range could not be stored');
  },
  onRenewed: (viewId) => log.info({ view_id: viewId }, 'files of a scene were replaced; its record follows'),
  onUnfit: (viewId, error) =>
    log.warn({ view_id: viewId, err: error }, 'a scene has files of another image now; ingest it again'),
  onFailure(error) {
    if (!isUnavailable(error)) log.warn({ err: error }, "the state of a scene's files could not be stored");
  },
});

/** The cache of finished pictures, when there is room for one, or other nodes share theirs. */
function openTileCache({
  config: { dataDir, tileCacheMb },
  shared,
  parts,
  log,
}: Pick<RenderingDeps, 'config' | 'parts' | 'log'> & { readonly shared: SharedTiles | null }): ResultCache {
  if (tileCacheMb === 0) return makeResultCache(null, shared);
  const handle = makeFolderHandle(join(dataDir, 'tile-cache'), tileCacheMb * MIB);
  parts.defer(
    watchFolder(handle, (code) =>
      log.warn({ code }, 'finished pictures cannot be cached on disk; tried again in a minute'),
    ),
  );
  const results = makeResultCache(joinFolder(handle), shared);
  parts.defer(results.settled);
  return results;
}

/** Threads without a job for them. */
function countIdle(pool: Pool<PixelJobs>): number {
  const { threads, busy, waiting } = pool.stats();
  return threads - busy - waiting.tile - waiting.task;
}

function toFigures(pool: Pool<PixelJobs>) {
  const { threads, busy, waiting, ledger, totals } = pool.stats();
  return {
    threads,
    busy,
    waiting: waiting.tile + waiting.task,
    ledgerBytes: ledger.usedBytes,
    ledgerBudgetBytes: ledger.budgetBytes,
    totals: { ...totals },
  };
}
