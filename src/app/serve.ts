import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory, prepareDirectory } from '../adapters/sqlite/index.ts';
import { makeStoreHealth, rememberLookups } from '../adapters/store/index.ts';
import type { Terminal, WorkerGreeting } from '../cli/index.ts';
import { printGreeting } from '../cli/index.ts';
import { hasDemo } from '../demo/index.ts';
import { makeFields, makeGroupOutlines, withFieldOutlines } from '../fields/index.ts';
import { describeRights } from '../files/index.ts';
import {
  httpLimits,
  listen,
  makeApp,
  makeAuth,
  makeConnections,
  makeFileLinks,
  makeFrontDoor,
  makeKnownCallers,
  makeMetrics,
  makeOpenRate,
  makePublicAuth,
  makeReadiness,
  makeRedactKeys,
  makeRoutes,
  makeRouteTable,
  makeShareLinks,
  makeStatisticsRate,
  makeThumbnailLinks,
  makeTileTokens,
  makeWorkBudget,
  makeWorkerRoutes,
  makeWriteRate,
  readViewer,
} from '../http/index.ts';
import { makeKeys, makeReadLinks } from '../keys/index.ts';
import { makeAreas, makeColormaps, makeRecipes } from '../library/index.ts';
import { toShownAddress } from '../net/index.ts';
import type { Config } from '../settings/index.ts';
import { noLimitAtZero, toBaseMapOrigin, toMayMail, toMetricsAccess } from '../settings/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { MIB } from '../units.ts';
import { makeSubscriptions } from '../watch/index.ts';
import { fillCatalog, planDemo } from './demo.ts';
import { toHeaderCache } from './files.ts';
import { makeLog } from './log.ts';
import { openStore } from './open-store.ts';
import { readTileSets } from './read-tile-sets.ts';
import { checkResultsFolder, toPlace } from './results.ts';
import { startItems } from './start-items.ts';
import { startLive, toPictureOrigins } from './start-live.ts';
import { OWNER_SHARE, rendersInside, startRendering } from './start-rendering.ts';
import { startTasks } from './start-tasks.ts';
import { startWeather } from './start-weather.ts';
import { waitForStop } from './stop-signals.ts';

/** How long recent answers stay in use while the database does not respond (docs/operate/health.md). */
const OUTAGE_MS = 60_000;

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
  const log = makeLog({ level: config.log, format: config.logFormat, stream: process.stderr });
  prepareDirectory(config.dataDir);
  const rights = describeRights(config.dataDir);
  if (!rights.ok) log.warn({}, `the data directory is not private: ${rights.text}`);
  await using parts = new AsyncDisposableStack();

  // Workers may share the data directory with the one process that takes requests.
  if (config.roles !== 'worker') {
    const lock = lockDirectory(config.dataDir);
    parts.defer(() => lock.release());
  }
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
    store: rememberLookups(opened, { nowMs, freshMs, outageMs: OUTAGE_MS }),
    log,
    parts,
  });

  const {
    areaParser,
    rendering,
    mosaics,
    zones,
    classes,
    readCoverage,
    measureCoverage,
    terrain,
    taskRendering,
    figures,
    isWell,
    warmUp,
  } = await startRendering({
    config,
    store,
    log,
    parts,
  });
  const stopping = new AbortController();
  const readiness = makeReadiness({
    readStore: health.read,
    arePixelsWell: isWell,
    stopping: stopping.signal,
    nowMs,
    outageMs: OUTAGE_MS,
  });
  const metrics = makeMetrics({ version, ...figures });
  metrics.watchTasks(() => store.tasks.count().catch(() => null));
  if (readCounts !== null) metrics.watchCatalogs(() => readCounts().catch(() => null));
  const keys = makeKeys({ store: store.keys, configuredSecret: config.apiKey, now: () => new Date() });
  const { readWeather, readDaily } = startWeather({ config, heights: terrain.groundHeights, log, parts });
  const tasks = startTasks({
    config,
    store: forTasks,
    log,
    parts,
    rendering: taskRendering,
    readDaily,
    stopping: stopping.signal,
    onEnd: metrics.observeTask,
    onCallback: metrics.countCallback,
    isActiveKey: keys.isActive,
    version,
  });
  const knownCallers = makeKnownCallers(nowMs);
  const readTileTokens = makeReadLinks(store.secrets, 'tile-links', makeTileTokens);
  const auth = makeAuth({
    keys,
    readTileTokens,
    knownCallers,
    nowMs,
    guestsPerMinute: config.guestsPerMinute,
  });
  const readThumbnailLinks = makeReadLinks(store.secrets, 'thumbnail-links', makeThumbnailLinks);
  const now = (): Date => new Date();
  const recipes = {
    recipes: makeRecipes({ store: store.recipes, maxPerOwner: noLimitAtZero(config.recipesPerKey), now }),
    readShareLinks: makeReadLinks(store.secrets, 'recipe-links', makeShareLinks),
    now,
  };
  const fields = makeFields({ store: store.fields, maxPerOwner: config.fieldsPerKey, now });
  const monitoring = { readReadiness: readiness.read, metrics, metricsAccess: toMetricsAccess(config) };
  const routes = makeRouteTable(
    config.roles === 'worker'
      ? makeWorkerRoutes(monitoring)
      : makeRoutes({
          shared: {
            scenes: store.scenes,
            areaParser,
            areas: makeAreas({
              store: withFieldOutlines(store.areas, store.fields),
              parser: areaParser,
              limit: {
                areas: noLimitAtZero(config.areasPerKey),
                bytes: noLimitAtZero(config.areaMbPerKey * MIB),
              },
              nowMs,
              outageMs: OUTAGE_MS,
            }),
            colormaps: makeColormaps({
              store: store.colormaps,
              maxPerOwner: noLimitAtZero(config.colormapsPerKey),
              nowMs,
              outageMs: OUTAGE_MS,
            }),
            maxAgeS: config.maxAgeS,
          },
          rendering,
          mosaics,
          zones,
          classes,
          readCoverage,
          watches: {
            subscriptions: makeSubscriptions({
              store: store.watches,
              maxPerOwner: noLimitAtZero(config.subscriptionsPerKey),
              now,
            }),
            mayMail: toMayMail(config),
            now,
          },
          pyramids: taskRendering.pyramids,
          search: { measureCoverage },
          thumbnails: { thumbnails: config.thumbnails, readThumbnailLinks },
          terrain,
          weather: {
            readWeather,
            wallClockMs: Date.now,
          },
          tasks: tasks.services,
          recipes,
          itemWriter: startItems({ config, store, log, parts }),
          tileTokens: { readTileTokens },
          tileSetFiles: await readTileSets(config.dataDir),
          sceneFiles: {
            openFile: makeOpenSource({
              dataDir: config.dataDir,
              ...config.sources,
              ...toHeaderCache(config),
            }),
            readFileLinks: makeReadLinks(store.secrets, 'file-links', makeFileLinks),
            isActiveKey: keys.isActive,
          },
          fields,
          fieldFiles: tasks.fieldFiles,
          results: {
            ...tasks.results,
            isActiveKey: keys.isActive,
            redirects: config.resultsDelivery === 'redirect',
          },
          monitoring,
          pages: {
            version,
            nowMs,
            viewer: readViewer(new URL('../../web/dist/', import.meta.url)),
            origins: {
              readCatalogs,
              pictureOrigins: toPictureOrigins(config),
              hasDemo: () => hasDemo(config.dataDir),
            },
            watermark: config.watermark,
            about: {
              contact: config.contact,
              hasGuests: config.guestsPerMinute > 0,
              baseMap: config.baseMap && { ...config.baseMap, origin: toBaseMapOrigin(config.baseMap) },
            },
          },
        }),
  );
  const app = makeApp({
    routes,
    auth,
    fields,
    groupOutlines: makeGroupOutlines({ fields: store.fields, areas: store.areas, parser: areaParser }),
    publicAuth: makePublicAuth({
      ...recipes,
      fields,
      isActiveKey: keys.isActive,
      refuseWrongKey: auth.refuseWrongKey,
      knownCallers,
      nowMs,
    }),
    writeRate: makeWriteRate({ perMinute: config.writesPerMinute, nowMs }),
    workBudget: makeWorkBudget({
      perMinute: config.workPerMinute,
      readOnlyPerMinute: config.readOnlyWorkPerMinute,
      nowMs,
    }),
    statisticsRate: makeStatisticsRate({
      store: store.rates,
      perMinute: config.statisticsPerMinute,
      nowMs,
      log,
    }),
    openRate: makeOpenRate({ perMinute: config.thumbnailsPerMinute, nowMs }),
    metrics,
    log,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    renderTimeoutMs: config.renderTimeoutMs,
    redact: makeRedactKeys(config.apiKey === null ? [] : [config.apiKey]),
    stopping: stopping.signal,
  });

  // Twice, so that both search threads are started before the first search.
  const [scenes] = await Promise.all([store.scenes.count(), store.scenes.count()]);
  const demoSize = config.roles === 'worker' ? null : planDemo(config, scenes);
  if (demoSize !== null && scenes === 0) readiness.waitFor('the first demo scene');
  const door = makeFrontDoor({
    maxInside: rendersInside(config.threads),
    maxPerCaller: OWNER_SHARE * rendersInside(config.threads),
    ownerOf: knownCallers.ownerOf,
  });
  const connections = makeConnections({
    limits: {
      ...httpLimits,
      connections: config.connections,
      perAddress: config.trustProxy ? Number.POSITIVE_INFINITY : config.connectionsPerAddress,
    },
    nowMs,
    onCut: metrics.countCut,
  });
  metrics.watchConnections(connections.count);
  const onError = (error: Error): void => log.error({ err: error }, 'the listening socket failed');
  const server = await listen({
    app,
    routes,
    host: config.host,
    port: config.port,
    door,
    connections,
    onError,
    onEarlyAnswer: metrics.countEarlyAnswer,
  });
  parts.defer(() => server.close(config.drainMs));
  const stopped = waitForStop({ stopping, terminal, log, isUnderNpm });

  const isFirstStart =
    config.roles !== 'worker' && config.apiKey === null && (await keys.list()).length === 0;
  const newKey = isFirstStart ? (await keys.create({ label: 'first start' })).secret : null;
  const url = config.publicUrl ?? `http://${toReachable(config.host)}:${server.port}`;
  printGreeting(terminal, {
    version,
    url,
    dataDir: config.dataDir,
    catalogs: config.liveCatalogs.map(({ title }) => title),
    newKey,
    worker: config.roles === 'worker' ? describeWorker(config) : null,
  });
  log.info({ version, port: server.port, threads: config.threads }, 'Swath is listening');

  const { signal } = stopping;
  // The secret is created at the first start, so that no search waits for a write. After a failure the next use retries.
  if (config.roles !== 'worker') readThumbnailLinks().catch(() => {});
  // Live catalogs have scenes from the start.
  if (scenes > 0 || config.liveCatalogs.length > 0)
    void warmUp(signal).then(() => {
      if (config.liveCatalogs.length > 0 && !signal.aborted) tasks.warmUp();
    });
  if (demoSize !== null) {
    const becomeReady = (): void => readiness.waitFor(null);
    const onFirstScene = (): void => {
      becomeReady();
      void warmUp(signal);
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
