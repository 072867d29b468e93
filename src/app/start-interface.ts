/** The HTTP side of the service: who may call, every route with what answers it, and the listening server. */

import type { Store } from '../adapters/store/index.ts';
import type { MakeCounter } from '../async/index.ts';
import { makeSharedCounts, TELL_MS } from '../async/index.ts';
import { makeHasDemo } from '../demo/index.ts';
import { makeFields, makeGroupOutlines, withFieldOutlines } from '../fields/index.ts';
import type { Log, makeMetrics, makeReadiness, ReadWeatherDocument } from '../http/index.ts';
import {
  httpLimits,
  listen,
  makeApp,
  makeAuth,
  makeConnections,
  makeFileLinks,
  makeFrontDoor,
  makeKnownCallers,
  makeOpenRate,
  makePublicAuth,
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
import type { Keys, Quotas, UsageCounter } from '../keys/index.ts';
import { makeReadLinks } from '../keys/index.ts';
import { makeAreas, makeColormaps, makeRecipes } from '../library/index.ts';
import type { Config } from '../settings/index.ts';
import { noLimitAtZero, toBaseMapOrigin, toMayMail, toMetricsAccess } from '../settings/index.ts';
import type { OpenSource } from '../sources/index.ts';
import { MIB } from '../units.ts';
import { makeSubscriptions } from '../watch/index.ts';
import { OUTAGE_MS } from './open-store.ts';
import { readTileSets } from './read-tile-sets.ts';
import { startItems } from './start-items.ts';
import type { startLive } from './start-live.ts';
import { toPictureOrigins } from './start-live.ts';
import { startPeople } from './start-people.ts';
import type { startRendering } from './start-rendering.ts';
import { OWNER_SHARE, rendersInside } from './start-rendering.ts';
import type { startTasks } from './start-tasks.ts';
import type { Tracing } from './traced.ts';

const nowMs = performance.now.bind(performance);

interface InterfaceDeps {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
  readonly tracing: Tracing | null;
  /** Aborts when the service shuts down. */
  readonly stopping: AbortSignal;
  readonly store: Store;
  /** What nodes tell each other about the rates that they count. */
  readonly countNews: Store['countNews'];
  readonly open: OpenSource;
  readonly keys: Keys;
  readonly usage: UsageCounter;
  readonly quotas: Quotas;
  /** How many fields a key may store. */
  readonly maxFields: (owner: string) => Promise<number>;
  readonly rendering: ReturnType<typeof startRendering>;
  readonly readWeather: ReadWeatherDocument;
  readonly tasks: ReturnType<typeof startTasks>;
  readonly readCatalogs: ReturnType<typeof startLive>['readCatalogs'];
  readonly readiness: ReturnType<typeof makeReadiness>;
  readonly metrics: ReturnType<typeof makeMetrics>;
}

/** Builds the routes with their guards and listens; a worker has only the routes of its monitoring. */
export async function startInterface(deps: InterfaceDeps) {
  const { config, version, log, parts, tracing, store, open, keys, usage, quotas, maxFields } = deps;
  const { tasks, readiness, metrics, stopping } = deps;
  const {
    rendering: {
      areaParser,
      rendering,
      mosaics,
      zones,
      classes,
      planCoverage,
      measureCoverage,
      terrain,
      taskRendering,
    },
  } = deps;
  const makeCounter = startCounts(deps.countNews, parts);
  const knownCallers = makeKnownCallers(nowMs);
  const readTileTokens = makeReadLinks(store.secrets, 'tile-links', makeTileTokens);
  const { people, signIn } = startPeople({ config, store, keys, log });
  const auth = makeAuth({
    keys,
    readTileTokens,
    knownCallers,
    makeCounter,
    guestsPerMinute: config.guestsPerMinute,
    findSession: people.identify,
  });
  const readThumbnailLinks = makeReadLinks(store.secrets, 'thumbnail-links', makeThumbnailLinks);
  const now = (): Date => new Date();
  const recipes = {
    recipes: makeRecipes({ store: store.recipes, maxPerOwner: noLimitAtZero(config.recipesPerKey), now }),
    readShareLinks: makeReadLinks(store.secrets, 'recipe-links', makeShareLinks),
    now,
  };
  const fields = makeFields({ store: store.fields, maxPerOwner: maxFields, now });
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
              changes: store.changes('areas'),
            }),
            colormaps: makeColormaps({
              store: store.colormaps,
              maxPerOwner: noLimitAtZero(config.colormapsPerKey),
              nowMs,
              outageMs: OUTAGE_MS,
              changes: store.changes('colormaps'),
            }),
            maxAgeS: config.maxAgeS,
          },
          rendering,
          mosaics,
          zones,
          classes,
          planCoverage,
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
            readWeather: deps.readWeather,
            wallClockMs: Date.now,
          },
          tasks: tasks.services,
          recipes,
          itemWriter: startItems({ config, store, log, parts }),
          datasetTexts: store.datasetTexts,
          tileTokens: { readTileTokens },
          tileSetFiles: await readTileSets(config, log),
          sceneFiles: {
            openFile: open,
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
          people: { signIn, people, keys, usage, quotas, nowMs: Date.now },
          monitoring,
          pages: {
            version,
            nowMs,
            viewer: readViewer(new URL('../../web/dist/', import.meta.url)),
            origins: {
              readCatalogs: deps.readCatalogs,
              pictureOrigins: toPictureOrigins(config),
              hasDemo: makeHasDemo(config),
            },
            watermark: config.watermark,
            about: {
              contact: config.contact,
              hasGuests: config.guestsPerMinute > 0,
              hasSignIn: signIn !== null,
              baseMap: config.baseMap && { ...config.baseMap, origin: toBaseMapOrigin(config.baseMap) },
            },
          },
        }),
  );
  const publicAuth = makePublicAuth({
    ...recipes,
    fields,
    isActiveKey: keys.isActive,
    refuseWrongKey: auth.refuseWrongKey,
    knownCallers,
    makeCounter,
  });
  const plainApp = makeApp({
    routes,
    auth: tracing?.auth(auth) ?? auth,
    fields,
    groupOutlines: makeGroupOutlines({ fields: store.fields, areas: store.areas, parser: areaParser }),
    publicAuth: tracing?.publicAuth(publicAuth) ?? publicAuth,
    writeRate: makeWriteRate({ perMinute: config.writesPerMinute, makeCounter }),
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
    quotas,
    usage,
    openRate: makeOpenRate({ perMinute: config.thumbnailsPerMinute, makeCounter }),
    metrics,
    log,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    renderTimeoutMs: config.renderTimeoutMs,
    redact: makeRedactKeys(config.apiKey === null ? [] : [config.apiKey]),
    stopping,
  });
  const app = tracing?.app(plainApp) ?? plainApp;

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
  return { server, readThumbnailLinks };
}

/** Rates by the minute, which nodes count together. */
function startCounts(news: Store['countNews'], parts: AsyncDisposableStack): MakeCounter {
  const counts = makeSharedCounts({ news, windowMs: 60_000, nowMs });
  const telling = setInterval(() => void counts.tell(), TELL_MS).unref();
  parts.defer(() => {
    clearInterval(telling);
    counts.stop();
  });
  return counts.makeCounter;
}
