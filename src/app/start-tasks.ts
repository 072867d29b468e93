import { hostname } from 'node:os';
import type { Store } from '../adapters/store/index.ts';
import type { ReadDaily } from '../bulk/index.ts';
import { makeBulkStatistics, makeMeasureNow } from '../bulk/index.ts';
import { isUnavailable } from '../errors.ts';
import {
  makeDownloads,
  makePlanBandsFile,
  makePlanIndexFile,
  makePlanMosaicFile,
  makePlanPictureFile,
} from '../exports/index.ts';
import { makeCheckFile, makeExportFields, makeFields, makeImportFields } from '../fields/index.ts';
import type { Log } from '../http/index.ts';
import { makeResultLinks, makeWriteDocument } from '../http/index.ts';
import { makeReadLinks } from '../keys/index.ts';
import { makeBuildPyramid } from '../mosaic/index.ts';
import type { CallThread } from '../pool/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { noLimitAtZero } from '../settings/index.ts';
import { makeSoilMoisture, openMoistureCubes } from '../soil-moisture/index.ts';
import type { CallbackEnd, RunEnd, Task } from '../tasks/index.ts';
import {
  cleanUp,
  isRefusal,
  makeDownloadKind,
  makeFieldsKinds,
  makeReportKind,
  makeStatisticsKind,
  makeTasks,
  startTaskRunner,
} from '../tasks/index.ts';
import { DAY_MS, MIB } from '../units.ts';
import { gatherWrites, makeExplainStatistics, makeZonalStatistics } from '../zonal/index.ts';
import type { DocumentCalls } from './document-worker.ts';
import { makeFindSwapped } from './find-swapped.ts';
import { makeListShapes, makeOrderedShapes } from './list-shapes.ts';
import { makePyramidReport, renewPyramids } from './renew-pyramids.ts';
import { openResults, watchOtherResults } from './results.ts';
import { startCallbacks } from './start-callbacks.ts';
import type { startRendering } from './start-rendering.ts';
import { makeWatch } from './start-watch.ts';
import type { Tracing } from './traced.ts';

interface TaskDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
  readonly rendering: Awaited<ReturnType<typeof startRendering>>['taskRendering'];
  /** Reads weather and soil moisture for tables of many fields. */
  readonly readDaily: ReadDaily;
  /** Aborts when the service shuts down. */
  readonly stopping: AbortSignal;
  /** Called at the end of each run of a task, with its duration. */
  readonly onEnd: (task: Task, end: RunEnd, ms: number) => void;
  /** Called at the end of each attempt at a callback. */
  readonly onCallback: (end: CallbackEnd) => void;
  /** Whether a key still works, by its id. */
  readonly isActiveKey: (id: string) => Promise<boolean>;
  readonly version: string;
  readonly admit: (owner: string) => Promise<void>;
  readonly onCreated: (owner: string) => void;
  /** How many fields a key may store. */
  readonly maxFields: (owner: string) => Promise<number>;
  readonly tracing: Tracing | null;
}

/** How often old tasks, orphaned blobs and abandoned staging files are removed. */
const CLEAN_UP_MS = 600_000;
/** Scenes per thread that are measured at once: most of them wait for bytes of remote files, which takes several round trips. */
const SCENES_PER_THREAD = 6;
/** Windows of many fields that are measured at once, per thread: while one is computed, the next ones are fetched. */
const WINDOWS_PER_THREAD = 3;
/** More scenes would wait for memory: a field in one has 3 MB, and tasks may hold 64 MiB of fetched bytes. */
const MOST_SCENES = 24;
/** How long measurements of statistics are gathered before they are written together. */
const GATHER_MS = 500;

/** Starts what takes orders and, unless this process leaves that to others, what carries them out. */
export function startTasks({
  config,
  store,
  log,
  parts,
  rendering,
  readDaily,
  stopping,
  onEnd,
  onCallback,
  isActiveKey,
  version,
  admit,
  onCreated,
  maxFields,
  tracing,
}: TaskDeps) {
  const { scenes } = store;
  const { compareScene, watch } = rendering;
  const threads = rendering.threads;
  parts.defer(() => threads.close({ drainMs: 0 }));
  const pool = rendering.withFetch(threads);
  const mosaics = rendering.makeMosaics(pool);
  const downloads = makeDownloads(
    {
      bands: makePlanBandsFile({ scenes, watch, pool }),
      index: makePlanIndexFile({ scenes, compareScene, watch, pool }),
      picture: makePlanPictureFile({ painter: rendering.makePainter(pool), pool }),
      mosaic: makePlanMosaicFile({ mosaics, pool }),
    },
    scenes,
  );
  const documents = makeDocumentThread({ log, parts });
  const writeDocument = makeWriteDocument((question, signal) => documents.call('write', question, signal));
  const blobs = openResults(config);
  watchOtherResults({ config, blobs, store, log, parts });
  const onForgotten = (error: unknown): void => {
    if (!isUnavailable(error)) log.warn({ err: error }, 'statistics could not be stored');
  };
  const measurements = gatherWrites(store.statistics, { delayMs: GATHER_MS, max: 500, onForgotten });
  parts.defer(() => measurements.flush());
  const measuring = {
    scenes,
    compareScene,
    store: measurements,
    onForgotten,
    onFailure(viewId: string, error: unknown) {
      log.warn({ err: error, view_id: viewId }, 'the statistics of a scene failed');
    },
  };
  const atOnce = Math.max(2 * config.threads, Math.min(MOST_SCENES, SCENES_PER_THREAD * config.threads));
  const findSwapped = makeFindSwapped({ scenes, hasLiveCatalogs: config.liveCatalogs.length > 0 });
  const checkFile = makeCheckFile(pool, findSwapped);
  const importFields = makeImportFields({
    fields: makeFields({ store: store.fields, maxPerOwner: maxFields, now: () => new Date() }),
    checkFile,
  });
  const liveDatasets = new Set(
    config.liveCatalogs.flatMap(({ collections }) => collections.map(({ dataset }) => dataset)),
  );
  const bulk = {
    scenes,
    compareScene,
    watch,
    pool,
    atOnce: WINDOWS_PER_THREAD * config.threads,
    onFailure: measuring.onFailure,
  };
  const watches = makeWatch({
    config,
    store,
    fields: makeFields({ store: store.fields, maxPerOwner: 0, now: () => new Date() }),
    pool,
    measureNow: makeMeasureNow(bulk),
    mosaics,
    isLive: (dataset) => liveDatasets.has(dataset),
    isActive: isActiveKey,
    log,
    version,
  });
  const plainKinds = {
    statistics: makeStatisticsKind({
      statistics: makeZonalStatistics({
        ...measuring,
        watch,
        pool,
        atOnce,
        threads,
        // Earlier, the start of the thread would slow down the search.
        onLong: documents.start,
      }),
      soilMoisture: makeSoilMoisture({ cubes: openMoistureCubes(config) }),
    }),
    ...makeFieldsKinds({
      importFields,
      bulk: makeBulkStatistics({
        threads: config.threads,
        ...bulk,
        blobs,
        listShapes: makeListShapes({ fields: store.fields, pool, blobs }),
        readDaily,
      }),
      blobs,
    }),
    bands: makeDownloadKind({ kind: 'bands', downloads, blobs }),
    index: makeDownloadKind({ kind: 'index', downloads, blobs }),
    picture: makeDownloadKind({ kind: 'picture', downloads, blobs }),
    'dry-run': makeReportKind({ blobs, fileName: 'dry-run.json', make: watches.makeReport }),
    pyramid: makeReportKind({
      blobs,
      fileName: 'pyramid.json',
      make: makePyramidReport(
        makeBuildPyramid({ mosaics, store: rendering.pyramids, now: () => new Date() }),
      ),
    }),
  };

  const kinds = tracing?.kinds(plainKinds) ?? plainKinds;

  if (config.roles !== 'api') {
    const runner = startTaskRunner({
      store: store.tasks,
      kinds,
      worker: `${hostname()} ${process.pid}`,
      slots: config.taskSlots,
      leaseMs: config.taskLeaseMs,
      events: {
        onEnd,
        onFailure(error, task) {
          // A failing store is logged where it is noticed.
          if (isUnavailable(error) && task === null) return;
          if (isRefusal(error)) {
            const { code, message: reason } = error;
            return log.info({ task_id: task?.id, kind: task?.kind, code, reason }, 'a task was refused');
          }
          log.warn({ err: error, task_id: task?.id, kind: task?.kind }, 'an attempt at a task failed');
        },
      },
    });
    const policy = config.callbackHosts;
    const sender =
      policy === null
        ? null
        : startCallbacks({
            config,
            policy,
            store,
            log,
            version,
            toResultLink,
            writeDocument,
            traceAttempt: tracing?.callbacks,
            onEnd: onCallback,
          });
    const stopWatching = watches.start();
    const stop = async (): Promise<void> => {
      const startedMs = performance.now();
      const watchingEnds = stopWatching();
      await runner.stop({ drainMs: config.drainMs });
      // After the runner: what it has finished last is told too, if there is time left.
      const leftMs = config.drainMs - (performance.now() - startedMs);
      await sender?.stop({ drainMs: Math.max(0, leftMs) });
      await watchingEnds;
    };
    // While requests under way are being answered, tasks are finished or handed back.
    let isStopped: Promise<void> | undefined;
    stopping.addEventListener('abort', () => {
      isStopped ??= stop();
    });
    parts.defer(() => {
      isStopped ??= stop();
      return isStopped;
    });
    const cleaning = setInterval(() => void removeOldResults(), CLEAN_UP_MS);
    parts.defer(() => clearInterval(cleaning));
    void removeOldResults();
  }

  const readLinks = makeReadLinks(store.secrets, 'result-links', (secret) => makeResultLinks({ secret }));

  /** A link lasts as long as the result. */
  async function toResultLink(id: string, fileName: string): Promise<string> {
    return (await readLinks()).sign({ id, fileName }, Date.now() + config.resultDays * DAY_MS);
  }

  async function removeOldResults(): Promise<void> {
    try {
      const endedBefore = new Date(Date.now() - config.resultDays * DAY_MS).toISOString();
      const removed = await cleanUp({ store: store.tasks, kinds, blobs }, { endedBefore });
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'old results were removed');
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ err: error }, 'old results could not be removed');
    }
  }

  const tasks = makeTasks({
    store: store.tasks,
    kinds,
    timeoutS: config.taskTimeoutS,
    limits: {
      openPerOwner: noLimitAtZero(config.tasksPerKey),
      open: noLimitAtZero(config.openTasks),
      bytesPerOwner: noLimitAtZero(config.resultMbPerKey * MIB),
      areaBytesPerOwner: noLimitAtZero(config.areaMbPerKey * MIB),
    },
    endedPerOwner: noLimitAtZero(config.endedTasksPerKey),
    admit,
    onCreated,
  });
  if (config.roles !== 'worker' && config.pyramidMinutes > 0)
    parts.defer(renewPyramids({ config, pyramids: rendering.pyramids, tasks, log }));
  return {
    /** Starts the threads of tasks before the first one: a curve of scenes that nobody has seen keeps all of them busy. */
    warmUp(): void {
      if (config.roles !== 'api') threads.start();
    },
    /** What the addresses of tasks use. */
    services: {
      downloads,
      explainStatistics: makeExplainStatistics({ ...measuring, explainPixels: rendering.explainPixels }),
      orderedShapes: makeOrderedShapes({ fields: store.fields, pool }),
      statisticsLimits: {
        scenes: config.statisticsScenes,
        km2: config.statisticsKm2,
        indices: config.statisticsIndices,
      },
      tasks,
      callbacks: store.callbacks,
      callbackPolicy: config.callbackHosts,
      toResultLink,
      writeDocument,
      retentionMs: config.resultDays * DAY_MS,
      stopping,
    },
    /** What files of fields are read and written with. */
    fieldFiles: {
      importFields,
      checkFile,
      exportFields: makeExportFields({ store: store.fields, pool }),
      blobs,
    },
    results: {
      blobs,
      readLinks,
      /** The file of a finished task. */
      async findResult(id: string) {
        const task = await store.tasks.find(id);
        return task?.state === 'finished' && task.result?.kind === 'file'
          ? { ...task.result, owner: task.owner }
          : null;
      },
    },
  };
}

/** Many times what the largest document takes with its answer. */
const HEAP_LIMIT_MB = 512;

interface DocumentThreadDeps {
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** The thread that writes long documents of tasks into answers; the first of them starts it. */
function makeDocumentThread({ log, parts }: DocumentThreadDeps): CallThread<DocumentCalls> {
  const thread = makeCallThread<Record<never, never>, DocumentCalls>({
    script: new URL('./document-worker.ts', import.meta.url),
    settings: null,
    heapLimitMb: HEAP_LIMIT_MB,
    handlers: {},
    onDeath: (error) =>
      log.error({ err: error }, 'the thread of documents has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  return thread;
}
