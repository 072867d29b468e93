import { areaParser } from '../../areas/testing/area-parser.ts';
import type { SceneStore } from '../../catalog/index.ts';
import type { ClassMeasurer } from '../../classes/index.ts';
import type { MeasureCoverage } from '../../coverage/index.ts';
import type { Fields } from '../../fields/index.ts';
import { makeResultCache } from '../../files/index.ts';
import type { Areas, Colormaps, Recipes } from '../../library/index.ts';
import { makeMemoryDatasetTexts } from '../../library/testing/memory-library.ts';
import type { Mosaics, PyramidStore } from '../../mosaic/index.ts';
import type { DrawColorbar, Explainer, FindIntensity, ReadPoint, Renderer } from '../../render/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { Subscriptions } from '../../watch/index.ts';
import type { Weather } from '../../weather/index.ts';
import type { ZoneMaker } from '../../zones/index.ts';
import type { About } from '../about.ts';
import {
  makeFileLinks,
  makeMetrics,
  makeResultLinks,
  makeRoutes,
  makeShareLinks,
  makeThumbnailLinks,
  makeTileTokens,
  toViewerFile,
} from '../index.ts';
import type { ViewerFiles } from '../pages/viewer.ts';
import type { ThumbnailLinks } from '../pictures/thumbnails.ts';
import type { SearchedCatalog } from '../reference.ts';
import type { RouteDeps } from '../routes/services.ts';
import { writeDocument } from '../statistics/statistics-formats.ts';
import type { ResultDeps } from '../tasks/result.ts';
import { makeReadWeatherDocument } from '../weather/weather-documents.ts';

type TerrainServices = RouteDeps['terrain'];
type TaskServices = Omit<RouteDeps['tasks'], 'writeDocument'>;

/** What a test provides of the services behind the routes. */
export interface TestRouteOptions {
  /** What the service tells about itself; nothing unless given. */
  readonly about?: About;
  readonly scenes?: Partial<SceneStore>;
  readonly areas?: Partial<Areas>;
  readonly colormaps?: Partial<Colormaps>;
  readonly recipes?: Recipes;
  readonly fields?: Fields;
  readonly subscriptions?: Partial<Subscriptions>;
  /** Whether an address may be sent e-mail; none is sent unless given. */
  readonly mayMail?: (address: string) => boolean;
  readonly fieldFiles?: RouteDeps['fieldFiles'];
  readonly tileSetFiles?: RouteDeps['tileSetFiles'];
  readonly planCoverage?: RouteDeps['planCoverage'];
  readonly drawColorbar?: DrawColorbar;
  readonly renderer?: Partial<Renderer>;
  readonly mosaics?: Partial<Mosaics>;
  readonly zones?: ZoneMaker;
  readonly classes?: ClassMeasurer;
  readonly pyramids?: Partial<PyramidStore>;
  readonly explainer?: Partial<Explainer>;
  readonly readPoint?: ReadPoint;
  readonly findIntensity?: FindIntensity;
  readonly measureCoverage?: MeasureCoverage;
  readonly terrain?: Partial<TerrainServices>;
  readonly tasks?: Partial<TaskServices>;
  readonly weather?: Partial<Weather>;
  /** The wall clock; the real one unless given. */
  readonly now?: () => Date;
  readonly results?: ResultDeps;
  readonly itemWriter?: RouteDeps['itemWriter'];
  readonly datasetTexts?: RouteDeps['datasetTexts'];
  /** Opens files of scenes. */
  readonly openFile?: OpenSource;
  readonly thumbnails?: 'signed' | 'provider' | 'off';
  readonly readThumbnailLinks?: () => Promise<ThumbnailLinks>;
  readonly people?: Partial<RouteDeps['people']>;
  readonly metricsAccess?: 'open' | 'read' | 'none';
  /** Files of the viewer; a page of one line unless given. */
  readonly viewer?: ViewerFiles;
  /** Live catalogs; none unless given. */
  readonly catalogs?: readonly SearchedCatalog[];
}

/** Fails every call of a service that a test does not provide. */
const untouchable = (what: string, provided: object = {}) =>
  new Proxy(provided, {
    get: (known, name) =>
      Reflect.get(known, name) ??
      (() => Promise.reject(new Error(`the test does not expect ${what}.${String(name)}`))),
  });

/** A catalog without scenes, for those who ask what is in it before they go on. */
const noScenes: Pick<SceneStore, 'findByViewId' | 'findByName'> = {
  findByViewId: async () => null,
  findByName: async () => null,
};

const unexpected = (what: string) => () => Promise.reject(new Error(`the test does not expect ${what}`));

const unexpectedTerrain: TerrainServices = {
  terrainTiles: untouchable('terrainTiles') as TerrainServices['terrainTiles'],
  readElevation: unexpected('an elevation'),
  readProfile: unexpected('a profile'),
  readAreaStatistics: unexpected('statistics of an area'),
  listDems: unexpected('a list of elevation models'),
  terrainExplainer: untouchable('terrainExplainer') as TerrainServices['terrainExplainer'],
};

const unexpectedTasks: TaskServices = {
  tasks: untouchable('tasks') as TaskServices['tasks'],
  downloads: untouchable('downloads') as TaskServices['downloads'],
  statisticsLimits: { scenes: 500, km2: 200, indices: 3 },
  orderedShapes: untouchable('orderedShapes') as TaskServices['orderedShapes'],
  callbacks: untouchable('callbacks') as TaskServices['callbacks'],
  callbackPolicy: null,
  explainStatistics: unexpected('an explanation of statistics'),
  toResultLink: () => {
    throw new Error('the test does not expect a link');
  },
  retentionMs: 604_800_000,
  stopping: new AbortController().signal,
};

const unexpectedResults: ResultDeps = {
  findResult: unexpected('a result'),
  isActiveKey: unexpected('a key'),
  blobs: untouchable('blobs') as ResultDeps['blobs'],
  readLinks: async () => makeResultLinks({ secret: 'a-secret-for-tests' }),
  redirects: false,
};

const noFolder = {
  hits: 0,
  misses: 0,
  dropped: 0,
  evicted: 0,
  readBytes: 0,
  writtenBytes: 0,
  usedBytes: 0,
  budgetBytes: 0,
};

/** All routes of the service over parts a test provides; what it does not provide must not be touched. */
export function makeTestRoutes(options: TestRouteOptions = {}) {
  const metrics = makeMetrics({ version: '0.0.0', log: { debug() {} } });
  metrics.watchRendering({
    readBlocks: () => ({ hits: 1, misses: 2, evicted: 0, refused: 0, usedBytes: 3, budgetBytes: 4 }),
    readTiles: makeResultCache(null).stats,
    readRanges: () => noFolder,
    readHeaders: () => noFolder,
    readPool: () => ({
      threads: 2,
      busy: 0,
      waiting: 0,
      ledgerBytes: 0,
      ledgerBudgetBytes: 0,
      totals: { done: 1 },
    }),
  });
  const recipes = {
    // Nothing but their list is read unless a test provides them.
    recipes: (options.recipes ?? untouchable('recipes', { list: async () => [] })) as Recipes,
    readShareLinks: async () => makeShareLinks('a-secret-for-tests'),
    now: options.now ?? (() => new Date()),
  };
  const fields = (options.fields ?? { findShared: async () => null }) as Fields;
  // Made once, as in the service: the benches measure requests to this application.
  const wallClockMs = (): number => options.now?.().getTime() ?? Date.now();
  const tileTokens = makeTileTokens('a-secret-for-tests', wallClockMs);
  const fileLinks = makeFileLinks('a-secret-for-tests', wallClockMs);
  const thumbnailLinks = makeThumbnailLinks('a-secret-for-tests');
  const readTileTokens = async () => tileTokens;
  const routes = makeRoutes({
    watches: {
      subscriptions: (options.subscriptions ?? untouchable('subscriptions')) as Subscriptions,
      mayMail: options.mayMail ?? null,
      now: options.now ?? (() => new Date()),
    },
    shared: {
      scenes: untouchable('scenes', { ...noScenes, ...options.scenes }) as SceneStore,
      areaParser,
      areas: (options.areas ?? untouchable('areas')) as Areas,
      colormaps: (options.colormaps ?? untouchable('colormaps')) as Colormaps,
      maxAgeS: 60,
    },
    rendering: {
      renderer: (options.renderer ?? untouchable('renderer')) as Renderer,
      explainer: untouchable('explainer', options.explainer) as Explainer,
      readPoint: options.readPoint ?? unexpected('a point to be read'),
      findIntensity: options.findIntensity ?? unexpected('an intensity range'),
      drawColorbar: options.drawColorbar ?? unexpected('a colorbar'),
    },
    mosaics: (options.mosaics ?? untouchable('mosaics')) as Mosaics,
    zones: options.zones ?? { make: unexpected('zones') },
    planCoverage: options.planCoverage ?? unexpected('a coverage'),
    classes: options.classes ?? { measure: unexpected('classes') },
    pyramids: untouchable('pyramids', options.pyramids) as PyramidStore,
    search: { measureCoverage: options.measureCoverage ?? unexpected('cloud in an area') },
    thumbnails: {
      thumbnails: options.thumbnails ?? 'signed',
      readThumbnailLinks: options.readThumbnailLinks ?? (async () => thumbnailLinks),
    },
    terrain: { ...unexpectedTerrain, ...options.terrain },
    weather: {
      readWeather: makeReadWeatherDocument((options.weather ?? untouchable('weather')) as Weather),
      wallClockMs,
    },
    tasks: {
      ...unexpectedTasks,
      ...options.tasks,
      writeDocument: async (question) => writeDocument(question),
    },
    recipes,
    datasetTexts: options.datasetTexts ?? makeMemoryDatasetTexts(),
    itemWriter: options.itemWriter ?? { ingest: unexpected('an item to be ingested') },
    tileTokens: { readTileTokens },
    tileSetFiles: options.tileSetFiles ?? [],
    sceneFiles: {
      openFile: options.openFile ?? unexpected('a file of a scene'),
      readFileLinks: async () => fileLinks,
      isActiveKey: options.results?.isActiveKey ?? (async () => true),
    },
    fields,
    fieldFiles: (options.fieldFiles ?? untouchable('fieldFiles')) as RouteDeps['fieldFiles'],
    results: options.results ?? unexpectedResults,
    people: {
      signIn: null,
      people: { find: async () => null, list: unexpected('people'), change: unexpected('a change') },
      usage: { list: unexpected('usage') },
      quotas: { find: () => null },
      keys: { list: async () => [], create: unexpected('a new key'), revoke: unexpected('a revocation') },
      nowMs: () => options.now?.().getTime() ?? Date.now(),
      ...options.people,
    },
    monitoring: {
      readReadiness: async () => ({
        ready: false,
        degraded: false,
        waiting: 'the first demo scene',
        checks: { store: 'ok' },
        unreached_places: null,
      }),
      metrics,
      metricsAccess: options.metricsAccess ?? 'open',
    },
    pages: {
      version: '0.0.0',
      nowMs: () => performance.now(),
      viewer:
        options.viewer ??
        new Map([['index.html', toViewerFile('index.html', new TextEncoder().encode('<p>map</p>'))]]),
      origins: {
        readCatalogs: async () => options.catalogs ?? [],
        pictureOrigins: (options.catalogs ?? []).flatMap((catalog) => catalog.pictureOrigins),
        hasDemo: async () => false,
      },
      watermark: 'test',
      about: options.about ?? { contact: '', hasGuests: false, hasSignIn: false, baseMap: null },
    },
  });
  return { routes, metrics, recipes, fields, readTileTokens };
}
