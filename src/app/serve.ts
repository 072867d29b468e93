import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { Store } from '../adapters/store/index.ts';
import { makeStoreHealth, rememberLookups } from '../adapters/store/index.ts';
import type { Terminal, WorkerGreeting } from '../cli/index.ts';
import { printGreeting } from '../cli/index.ts';
import { describeRights } from '../files/index.ts';
import { makeMetrics, makeReadiness } from '../http/index.ts';
import type { Keys } from '../keys/index.ts';
import { makeKeys } from '../keys/index.ts';
import { toShownAddress } from '../net/index.ts';
import type { Config } from '../settings/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { fillCatalog, planDemo } from './demo.ts';
import { toHeaderCache } from './files.ts';
import { makeLog, switchLevelOnSignal } from './log.ts';
import { OUTAGE_MS, openStore } from './open-store.ts';
import { REACH_EVERY_MS, watchReach } from './reach.ts';
import { checkResultsFolder, toPlace } from './results.ts';
import { startInterface } from './start-interface.ts';
import { startLive } from './start-live.ts';
import { startRendering } from './start-rendering.ts';
import { startTasks } from './start-tasks.ts';
import { startTracing } from './start-tracing.ts';
import { startUsage } from './start-usage.ts';
import { startWeather } from './start-weather.ts';
import { waitForStop } from './stop-signals.ts';
import type { Tracing } from './traced.ts';

const nowMs = performance.now.bind(performance);

interface ServeDeps {
  readonly config: Config;
  readonly version: string;
  readonly terminal: Terminal;
  /** Whether an npm script has started the service: then the end of that script is a request to stop. */
  readonly isUnderNpm: boolean;
}

/** Builds, wires and starts the service; resolves to the exit status when it has stopped. */
export async function serve({ config, version, terminal, isUnderNpm }: ServeDeps): Promise<number> {
  let tracing: Tracing | null = null;
  const log = makeLog({
    level: config.log,
    format: config.logFormat,
    stream: process.stderr,
    ...(config.traces === null ? {} : { readFields: () => tracing?.logFields() ?? {} }),
  });
  prepareDirectory(config.dataDir);
  const rights = describeRights(config.dataDir);
  if (!rights.ok) log.warn({}, `the data directory is not private: ${rights.text}`);
  await using parts = new AsyncDisposableStack();
  parts.defer(switchLevelOnSignal(log));

  // Workers may share the data directory with the one process that takes requests.
  if (config.roles !== 'worker') {
    const lock = lockDirectory(config.dataDir);
    parts.defer(() => lock.release());
  }
  tracing = await startTracing({ config, version, log, parts });
  await checkResultsFolder(config);
  const health = makeStoreHealth({ store: () => opened, log, nowMs });
  const opened = await openStore(config, health.report);
  parts.defer(() => opened.close());
  parts.defer(() => health.stop());
  // SQLite answers look-ups in this process: there is no round trip to save.
  const freshMs = config.databaseUrl === null ? 0 : config.storeCacheMs;
  const {
    forRequests: store,
    forTasks,
    readCounts,
    readCatalogs,
  } = startLive({
    config,
    version,
    store: rememberLookups(tracing?.store(opened) ?? opened, { nowMs, freshMs, outageMs: OUTAGE_MS }),
    log,
    parts,
    tracing,
  });

  const metrics = makeMetrics({ version, log });
  const keys = makeKeys({ store: store.keys, configuredSecret: config.apiKey, now: () => new Date() });
  const { usage, quotas, maxFields } = startUsage({ config, store: store.usage, keys, log, parts });
  const rendering = startRendering({
    config,
    store,
    version,
    log,
    parts,
    onRan: [usage.countJob, metrics.observeJob],
    tracing,
  });
  const stopping = new AbortController();
  const open = makeOpenSource({ dataDir: config.dataDir, ...config.sources, ...toHeaderCache(config) });
  const reach = watchReach({ scenes: opened.scenes, open, log, signal: stopping.signal });
  const readiness = makeReadiness({
    readStore: health.read,
    arePixelsWell: rendering.isWell,
    countUnreached: reach.count,
    stopping: stopping.signal,
    nowMs,
    outageMs: OUTAGE_MS,
  });
  metrics.watchRendering(rendering.figures);
  metrics.watchReadiness(readiness.read);
  metrics.watchTasks(() => store.tasks.count().catch(() => null));
  if (tracing !== null) metrics.watchTraces(tracing.readCounts);
  if (readCounts !== null) metrics.watchCatalogs(() => readCounts().catch(() => null));
  const { readWeather, readDaily } = startWeather({
    config,
    heights: rendering.terrain.groundHeights,
    log,
    parts,
    tracing,
    onAsked: metrics.observeProvider,
  });
  const tasks = startTasks({
    config,
    store: forTasks,
    log,
    parts,
    rendering: rendering.taskRendering,
    readDaily,
    stopping: stopping.signal,
    onEnd: metrics.observeTask,
    onCallback: metrics.countCallback,
    isActiveKey: keys.isActive,
    version,
    admit: quotas.admitTask,
    onCreated: usage.countTask,
    maxFields,
    tracing,
  });
  const scenes = await store.scenes.count();
  // The other search thread is started before the first search; without scenes it would only take memory.
  if (scenes > 0) await Promise.all([store.scenes.count(), store.scenes.count()]);
  const demoSize = config.roles === 'worker' ? null : await planDemo(config, scenes);
  if (demoSize !== null && scenes === 0) readiness.waitFor('the first demo scene');
  const { server, readThumbnailLinks } = await startInterface({
    config,
    version,
    log,
    parts,
    tracing,
    stopping: stopping.signal,
    store,
    countNews: opened.countNews,
    open,
    keys,
    usage,
    quotas,
    maxFields,
    rendering,
    readWeather,
    tasks,
    readCatalogs,
    readiness,
    metrics,
  });
  const stopped = waitForStop({ stopping, terminal, log, isUnderNpm });

  const newKey = config.roles === 'worker' || config.apiKey !== null ? null : await makeFirstKey(keys, store);
  const ownUrl = `http://${toReachable(config.host)}:${server.port}`;
  printGreeting(terminal, {
    version,
    // The public address is that of nodes with an interface: a worker answers only at its own.
    url: config.roles === 'worker' ? ownUrl : (config.publicUrl ?? ownUrl),
    dataDir: config.dataDir,
    catalogs: config.liveCatalogs.map(({ title }) => title),
    newKey,
    worker: config.roles === 'worker' ? describeWorker(config) : null,
  });
  log.info({ version, port: server.port, threads: config.threads }, 'Swath is listening');

  const { signal } = stopping;
  // The secret is created at the first start, so that no search waits for a write. After a failure the next use retries.
  if (config.roles !== 'worker') readThumbnailLinks().catch(() => {});
  // Other nodes may have added scenes whose files only they can read.
  if (config.databaseUrl !== null) {
    void reach.look();
    const looking = setInterval(() => void reach.look(), REACH_EVERY_MS).unref();
    parts.defer(() => clearInterval(looking));
  }
  // Live catalogs have scenes from the start.
  if (scenes > 0 || config.liveCatalogs.length > 0)
    void rendering.warmUp(signal).then(() => {
      if (config.liveCatalogs.length > 0 && !signal.aborted) tasks.warmUp();
    });
  if (demoSize !== null) {
    const becomeReady = (): void => readiness.waitFor(null);
    const onFirstScene = (): void => {
      becomeReady();
      void rendering.warmUp(signal);
    };
    // After a failure the catalog is empty, and the service is ready for other scenes.
    void fillCatalog({
      size: demoSize,
      config,
      store,
      terminal,
      log,
      signal,
      onFirstScene,
    }).finally(becomeReady);
  }

  const status = await stopped;
  // A load balancer needs a moment to see /readyz turn 503 before connections are refused.
  await sleep(config.lingerMs);
  await parts.disposeAsync();
  log.info({}, 'Swath has stopped');
  return status;
}

/** Makes a key for a database without one; null if it has keys, or if another node is making the first. */
async function makeFirstKey(keys: Keys, store: Pick<Store, 'tryLock'>): Promise<string | null> {
  if ((await keys.list()).length > 0) return null;
  const lock = await store.tryLock('first key');
  if (lock === null) return null;
  try {
    // Another node may have made it since.
    return (await keys.list()).length > 0 ? null : (await keys.create({ label: 'first start' })).secret;
  } finally {
    await lock.release();
  }
}

/** What a worker does, for people; addresses are shown without passwords. */
function describeWorker(config: Config): WorkerGreeting {
  const { databaseUrl, dataDir } = config;
  return {
    tasksFrom: databaseUrl === null ? join(dataDir, 'swath.db') : toShownAddress(databaseUrl),
    resultsTo: toPlace(config),
    slots: config.taskSlots,
    hasMetrics: config.metrics !== 'off',
  };
}

/** A service that listens on all addresses is reached as localhost. */
const toReachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};
