/** Every address of the service, who may ask for it, and what answers. The order of lines does not matter. */
import type { About } from './about.ts';
import { about } from './about.ts';
import type { AreaDeps } from './areas.ts';
import { createArea, deleteArea, readArea } from './areas.ts';
import type { ClassesDeps } from './classes/classes.ts';
import { listClassPresets, measureClasses } from './classes/classes.ts';
import type { ColorbarDeps } from './colormaps.ts';
import {
  colorbar,
  colormapLegend,
  colormapList,
  createColormap,
  deleteColormap,
  readColormap,
} from './colormaps.ts';
import {
  anyExplanation,
  fileExplanation,
  orderExplanation,
  statisticsExplanation,
  terrainExplanation,
} from './explain/explain-schema.ts';
import { explainable } from './explain/explainable.ts';
import type { FieldFileDeps } from './fields/field-files.ts';
import { exportFile, exportShared, importFile } from './fields/field-files.ts';
import {
  changeField,
  createField,
  deleteField,
  deleteGroup,
  listFields,
  listSharedFields,
  readField,
} from './fields/fields.ts';
import type { GroupDeps } from './fields/groups.ts';
import { listGroups, shareGroup } from './fields/groups.ts';
import type { Readiness } from './health.ts';
import { healthz, readyz } from './health.ts';
import type { Route } from './kit/endpoint.ts';
import {
  allow,
  always,
  catalogued,
  drawn,
  linked,
  open,
  page,
  read,
  shown,
  signed,
  tokened,
  write,
} from './kit/endpoint.ts';
import type { Metrics } from './metrics.ts';
import { metricsText } from './metrics.ts';
import type { MosaicDeps } from './mosaic/mosaic-picture.ts';
import { mosaicLegend, mosaicPicture, mosaicSources, mosaicSourcesLegend } from './mosaic/mosaic-picture.ts';
import { mosaicIntensity, mosaicPoint, mosaicStatistics } from './mosaic/mosaic-values.ts';
import type { PyramidDeps } from './mosaic/pyramid.ts';
import { deletePyramid, orderPyramid } from './mosaic/pyramid.ts';
import { mosaicTilejson } from './mosaic/tilejson.ts';
import type { CoverageDeps } from './ogc/coverages.ts';
import { ogcCoverage } from './ogc/coverages.ts';
import type { TileSetFile } from './ogc/custom-tile-sets.ts';
import { parseTileSets } from './ogc/custom-tile-sets.ts';
import { makeLayers } from './ogc/layers.ts';
import {
  ogcCollection,
  ogcCollections,
  ogcConformance,
  ogcLanding,
  ogcTilejson,
  ogcTileMatrixSet,
  ogcTileMatrixSets,
  ogcTileset,
  ogcTilesets,
} from './ogc/ogc-api.ts';
import { ogcMap, ogcTile } from './ogc/ogc-api-maps.ts';
import { writeOwsException } from './ogc/ows-exceptions.ts';
import { makeTileMatrixSets } from './ogc/tile-matrix-sets.ts';
import { refusePost, wms } from './ogc/wms.ts';
import { writeWmsException } from './ogc/wms-exceptions.ts';
import { layerLegend, wmts, wmtsCapabilities, wmtsTile } from './ogc/wmts.ts';
import type { XyzDeps } from './ogc/xyz.ts';
import { xyzLayers, xyzTile } from './ogc/xyz.ts';
import { apiDocs } from './pages/docs.ts';
import { toOpenApi } from './pages/openapi.ts';
import type { ViewerFiles } from './pages/viewer.ts';
import { viewerAsset, viewerPage } from './pages/viewer.ts';
import { pictureLegend } from './pictures/legend.ts';
import type { PictureDeps } from './pictures/picture.ts';
import { picture } from './pictures/picture.ts';
import { preview } from './pictures/preview.ts';
import type { ThumbnailAddressDeps } from './pictures/thumbnails.ts';
import { makeThumbnailCache, signedThumbnail, thumb } from './pictures/thumbnails.ts';
import { makePublicAccess } from './recipes/public-recipes.ts';
import { makeOwnAccess } from './recipes/recipe-access.ts';
import { recipeDownload } from './recipes/recipe-downloads.ts';
import { deleteRecipePyramid, orderRecipePyramid } from './recipes/recipe-pyramid.ts';
import { recipeStatistics } from './recipes/recipe-statistics.ts';
import { recipeTilejson } from './recipes/recipe-tilejson.ts';
import { recipeLegend, recipePicture, recipePoint } from './recipes/recipe-views.ts';
import type { RecipeDeps } from './recipes/recipes.ts';
import { changeRecipe, createRecipe, deleteRecipe, listRecipes, readOneRecipe } from './recipes/recipes.ts';
import type { SceneOrigins } from './reference.ts';
import { colormapStops, functionList, sensorList } from './reference.ts';
import type { SearchDeps } from './search/search.ts';
import { searchDataset, searchDatasets } from './search/search.ts';
import { stacAggregate, stacAggregateByBody, stacAggregateOne, stacAggregations } from './stac/aggregate.ts';
import { browsable } from './stac/browse.ts';
import { stacCollection, stacCollections, stacNames } from './stac/collections.ts';
import { makeStacDatasets } from './stac/datasets.ts';
import type { SceneFileDeps } from './stac/files.ts';
import { sceneFile } from './stac/files.ts';
import { stacItem, stacItems, stacSearch, stacSearchByBody, stacTilejson } from './stac/items.ts';
import { stacConformance, stacLanding } from './stac/landing.ts';
import type { TransactionDeps } from './stac/transactions.ts';
import { createItem, deleteItem, replaceItem } from './stac/transactions.ts';
import { orderCollection } from './statistics/collection-file.ts';
import { pollPhenology, readPhenology } from './statistics/phenology.ts';
import { readStatisticsNow } from './statistics/statistics.ts';
import type { ResultDeps } from './tasks/result.ts';
import { taskResult } from './tasks/result.ts';
import type { TaskDeps } from './tasks/task.ts';
import {
  createTask,
  deleteTask,
  downloadHost,
  estimateTask,
  readTask,
  statisticsHost,
} from './tasks/task.ts';
import { listTasks } from './tasks/task-list.ts';
import type { ElevationDeps, ProfileDeps } from './terrain/elevations.ts';
import { elevation, elevationProfile } from './terrain/elevations.ts';
import type { TerrainStatisticsDeps } from './terrain/statistics.ts';
import { terrainStatistics } from './terrain/statistics.ts';
import type { TerrainTileDeps, TerrainTilejsonDeps } from './terrain/tile.ts';
import { terrainLegend, terrainTile, terrainTilejson } from './terrain/tile.ts';
import type { IntensityDeps } from './values/intensity-range.ts';
import { intensityRange } from './values/intensity-range.ts';
import { parseVb } from './values/parse-vb.ts';
import type { PointDeps } from './values/point.ts';
import { pointValue } from './values/point.ts';
import { dryRunSubscription } from './watch/dry-run.ts';
import type { SubscriptionDeps } from './watch/subscriptions.ts';
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  listEvents,
  listSubscriptions,
  readSubscription,
} from './watch/subscriptions.ts';
import { comingDays, weatherForecast, weatherHistory, weatherNormals } from './weather/weather.ts';
import type { WeatherDeps } from './weather/weather-request.ts';
import type { ZonesDeps } from './zones/zones.ts';
import { makeZones } from './zones/zones.ts';

/** What monitoring reads. */
export interface MonitoringDeps {
  readonly readReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Who may read the metrics. */
  readonly metricsAccess: 'open' | 'read' | 'none';
}

/** What endpoints of several subjects need: the catalog, what keys have stored, and how long answers may be cached. */
interface SharedDeps extends AreaDeps, Pick<PictureDeps, 'scenes' | 'colormaps'> {
  /** How long clients may cache what was drawn or measured. */
  readonly maxAgeS: number;
}

/** The services of one subject, without what all subjects share. */
type ServicesOf<Deps> = Omit<Deps, keyof SharedDeps | 'metrics'>;

/** What the routes are made of, by subject. */
export interface RouteDeps {
  readonly shared: SharedDeps;
  readonly rendering: ServicesOf<PictureDeps & IntensityDeps & PointDeps & ColorbarDeps>;
  readonly mosaics: MosaicDeps['mosaics'];
  readonly pyramids: PyramidDeps['pyramids'];
  readonly zones: ZonesDeps['zones'];
  readonly classes: ClassesDeps['classes'];
  readonly readCoverage: CoverageDeps['readCoverage'];
  readonly search: Pick<SearchDeps, 'measureCoverage'>;
  readonly thumbnails: ThumbnailAddressDeps;
  readonly terrain: ServicesOf<
    TerrainTileDeps & ElevationDeps & ProfileDeps & TerrainStatisticsDeps & TerrainTilejsonDeps
  >;
  readonly weather: ServicesOf<WeatherDeps>;
  readonly tasks: ServicesOf<TaskDeps>;
  readonly recipes: RecipeDeps;
  readonly tileTokens: Pick<XyzDeps, 'readTileTokens'>;
  /** Tile matrix sets of the operator. */
  readonly tileSetFiles: readonly TileSetFile[];
  readonly sceneFiles: Omit<SceneFileDeps, 'scenes'>;
  readonly itemWriter: TransactionDeps['itemWriter'];
  readonly fields: GroupDeps['fields'];
  readonly watches: Pick<SubscriptionDeps, 'subscriptions' | 'mayMail' | 'now'>;
  readonly fieldFiles: FieldFileDeps['fieldFiles'];
  readonly results: ResultDeps;
  readonly monitoring: MonitoringDeps;
  readonly pages: {
    readonly version: string;
    readonly viewer: ViewerFiles;
    readonly origins: SceneOrigins;
    /** The monotonic clock. */
    readonly nowMs: () => number;
    /** The text over previews. */
    readonly watermark: string;
    readonly about: About;
  };
}

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';
const SCENE = '{scene_id}/{bands}';
const WMTS_TILE = ':layer/:style/:set/:matrix/:row/:column';
const MOSAIC = '{sensors}/{period}/{bands}';
const MOSAIC_PICTURE = `${MOSAIC}/{z}/{x}/{y}`;

/** All routes. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const { results, monitoring, pages } = deps;
  const { areas, colormaps } = deps.shared;
  const shared = { ...deps.shared, metrics: monitoring.metrics };
  const search = { ...shared, ...deps.search, ...deps.thumbnails };
  const pictures = { ...shared, ...deps.rendering };
  const thumbnails = { ...pictures, ...deps.thumbnails, thumbnailCache: makeThumbnailCache() };
  const mosaics = { ...shared, mosaics: deps.mosaics, explainer: deps.rendering.explainer };
  const pyramids = { ...shared, pyramids: deps.pyramids, tasks: deps.tasks.tasks };
  const zones = { ...shared, zones: deps.zones, version: pages.version };
  const classes = { ...shared, classes: deps.classes };
  const terrain = { ...shared, ...deps.terrain };
  const weather = { ...shared, ...deps.weather };
  const tasks = { ...shared, ...deps.tasks };
  const watches = { ...tasks, ...deps.watches };
  const recipes = { ...pictures, ...mosaics, ...deps.recipes, origins: pages.origins };
  const fields = { ...deps.recipes, ...shared, fields: deps.fields };
  const files = { fieldFiles: deps.fieldFiles, tasks: deps.tasks.tasks };
  const [own, everyone] = [makeOwnAccess(deps.recipes.recipes), makePublicAccess(deps.recipes.now)];
  const history = weatherHistory(weather);
  const forecast = weatherForecast(weather, 'padded');
  const stac = {
    ...search,
    ...deps.sceneFiles,
    itemWriter: deps.itemWriter,
    origins: pages.origins,
    datasets: makeStacDatasets({ ...shared, origins: pages.origins, nowMs: pages.nowMs }),
  };
  const ogc: XyzDeps & CoverageDeps = {
    readCoverage: deps.readCoverage,
    ...deps.tileTokens,
    ...recipes,
    ...terrain,
    layers: makeLayers({
      ...stac,
      recipes: deps.recipes.recipes,
      listDems: deps.terrain.listDems,
      recipeDeps: recipes,
      now: deps.recipes.now,
      nowMs: pages.nowMs,
    }),
    tileSets: makeTileMatrixSets(parseTileSets(deps.tileSetFiles)),
    version: pages.version,
  };
  const docs = apiDocs(() => toOpenApi(routes, pages.version), pages.viewer);
  const routes: readonly Route[] = [
    read.post('/api/lms/search/v2', 'searchAcrossDatasets', searchDatasets(search), { cost: 5 }),
    read.post('/api/lms/search/v2/:dataset_id', 'searchDataset', searchDataset(search), { cost: 5 }),

    drawn.get('/api/render/*', 'getTile', explainable(picture(pictures)), {
      shownPath: `/api/render/${PICTURE}`,
    }),
    drawn.get('/api/render/legend/:sensor/*', 'getTileLegend', explainable(pictureLegend(pictures)), {
      shownPath: `/api/render/legend/${PICTURE}`,
    }),
    drawn.get(
      '/api/render/:sensor/preview/*',
      'getPreview',
      explainable(preview({ ...pictures, watermark: pages.watermark })),
      {
        shownPath: `/api/render/{sensor}/preview/${SCENE}/{zoom}/{lat}/{lon}`,
      },
    ),
    drawn.get('/api/render/:sensor/thumb/*', 'getThumbnail', explainable(thumb(thumbnails)), {
      shownPath: '/api/render/{sensor}/thumb/{scene_id}',
    }),
    ...(deps.thumbnails.thumbnails === 'off'
      ? []
      : [
          signed.get(
            '/api/render/thumbnails/:signature/*',
            'getSignedThumbnail',
            signedThumbnail(thumbnails),
            {
              shownPath: '/api/render/thumbnails/{signature}/{view_id}.png',
            },
          ),
        ]),

    drawn.get('/api/mosaic/*', 'getMosaicTile', explainable(mosaicPicture(mosaics)), {
      shownPath: `/api/mosaic/${MOSAIC_PICTURE}`,
    }),
    drawn.get('/api/mosaic/legend/*', 'getMosaicLegend', explainable(mosaicLegend(mosaics)), {
      shownPath: `/api/mosaic/legend/${MOSAIC_PICTURE}`,
    }),
    drawn.get('/api/mosaic/sources/*', 'getMosaicSources', explainable(mosaicSources(mosaics)), {
      shownPath: `/api/mosaic/sources/${MOSAIC_PICTURE}`,
    }),
    drawn.get(
      '/api/mosaic/sources/legend/*',
      'getMosaicSourcesLegend',
      explainable(mosaicSourcesLegend({ ...mosaics, origins: pages.origins })),
      {
        shownPath: `/api/mosaic/sources/legend/${MOSAIC_PICTURE}`,
      },
    ),
    drawn.get('/api/mosaic/point/*', 'getMosaicPoint', explainable(mosaicPoint(mosaics)), {
      shownPath: `/api/mosaic/point/${MOSAIC}/{lat}/{lon}`,
    }),
    drawn.get('/api/mosaic/ir/*', 'getMosaicIntensityRange', explainable(mosaicIntensity(mosaics)), {
      shownPath: `/api/mosaic/ir/${MOSAIC}`,
    }),
    read.get(
      '/api/mosaic/tilejson/*',
      'getMosaicTilejson',
      mosaicTilejson({ ...mosaics, origins: pages.origins }),
      {
        shownPath: `/api/mosaic/tilejson/${MOSAIC}`,
      },
    ),
    write.post('/api/mosaic/pyramid/*', 'orderMosaicPyramid', orderPyramid(pyramids), {
      shownPath: `/api/mosaic/pyramid/${MOSAIC}`,
    }),
    write.remove('/api/mosaic/pyramid/*', 'deleteMosaicPyramid', deletePyramid(pyramids), {
      shownPath: `/api/mosaic/pyramid/${MOSAIC}`,
    }),
    read.post('/api/mosaic/statistics/*', 'getMosaicStatistics', explainable(mosaicStatistics(mosaics)), {
      shownPath: `/api/mosaic/statistics/${MOSAIC}`,
    }),

    drawn.get('/api/render/:sensor/point/*', 'getPointValue', explainable(pointValue(pictures)), {
      shownPath: `/api/render/{sensor}/point/${SCENE}/{lat}/{lon}`,
    }),
    drawn.get('/api/render/:sensor/ir/*', 'getIntensityRange', explainable(intensityRange(pictures)), {
      shownPath: `/api/render/{sensor}/ir/${SCENE}`,
    }),
    drawn.get('/api/render/:sensor/parse_vb/*', 'parseBands', parseVb(shared), {
      shownPath: '/api/render/{sensor}/parse_vb/{bands}',
    }),

    drawn.get(
      '/api/render/terrain/:z/:x/:y',
      'getTerrainTile',
      explainable(terrainTile(terrain), terrainExplanation),
    ),
    drawn.get('/api/render/legend/terrain/:z/:x/:y', 'getTerrainLegend', terrainLegend(terrain)),
    drawn.get(
      '/api/render/terrain/point/:lat/:lon',
      'getElevation',
      explainable(elevation(terrain), terrainExplanation),
    ),
    drawn.get(
      '/api/render/terrain/profile',
      'getElevationProfile',
      explainable(elevationProfile(terrain), terrainExplanation),
      { cost: 20 },
    ),
    drawn.get('/api/render/terrain/tilejson.json', 'getTerrainTilejson', terrainTilejson(terrain)),
    read.post(
      '/api/render/terrain/statistics',
      'measureTerrain',
      explainable(terrainStatistics(terrain), terrainExplanation),
      { cost: 10 },
    ),

    // Programs know several addresses of the same weather.
    read.post('/api/cz/backend/forecast-history', 'getWeatherHistory', history, { cost: 10 }),
    read.post('/weather/forecast-history', 'getWeatherHistoryOfWeatherHost', history, { cost: 10 }),
    read.post('/api/cz/backend/forecast', 'getComingDays', comingDays(weather), { cost: 5 }),
    read.post('/api/forecast/weather', 'getForecast', weatherForecast(weather, 'plain'), { cost: 5 }),
    read.post('/api/forecast/weather/forecast', 'getPaddedForecast', forecast, { cost: 5 }),
    read.post('/api/forecast/weather/forecast/world', 'getPaddedWorldForecast', forecast, { cost: 5 }),
    read.post('/api/weather/normals', 'getWeatherNormals', weatherNormals(weather), { cost: 10 }),

    read.get('/api/tasks', 'listTasks', listTasks(tasks), { cost: 5 }),
    read.post(
      '/api/tasks/estimate',
      'estimateTask',
      explainable(
        estimateTask({ ...tasks, ...mosaics, explainer: deps.rendering.explainer }),
        orderExplanation,
      ),
      { cost: 10 },
    ),
    write.post('/api', 'createDownload', createTask(tasks, downloadHost), { cost: 10 }),
    read.get('/api/:task_id', 'pollDownload', readTask(tasks, downloadHost), { cost: 5 }),
    write.remove('/api/:task_id', 'deleteDownload', deleteTask(tasks, downloadHost)),
    // The names under which requests are counted are stored: nodes of two versions share them.
    write.post('/api/gdw/api', 'createTask', createTask(tasks, statisticsHost), {
      cost: 10,
      countedAs: 'statistics orders',
    }),
    read.get('/api/gdw/api/:task_id', 'pollTask', readTask(tasks, statisticsHost), {
      cost: 5,
      countedAs: 'statistics polls',
    }),
    write.remove('/api/gdw/api/:task_id', 'deleteTask', deleteTask(tasks, statisticsHost)),
    write.post(
      '/api/statistics',
      'measureArea',
      explainable(readStatisticsNow(tasks), statisticsExplanation),
      { cost: 20 },
    ),
    write.post('/api/statistics/collection', 'measureCollection', orderCollection({ ...tasks, ...files }), {
      cost: 20,
    }),
    write.post('/api/phenology', 'measureSeasons', readPhenology(tasks), { cost: 20 }),
    read.get('/api/phenology/:task_id', 'readSeasons', pollPhenology(tasks), { cost: 5 }),
    read.post('/api/zones', 'makeZones', makeZones(zones), { cost: 20 }),
    read.post('/api/classes', 'measureClasses', measureClasses(classes), { cost: 20 }),
    read.get('/api/classes/presets', 'listClassPresets', listClassPresets(shared.maxAgeS)),
    linked.get('/api/results/:id/:file_name', 'getResult', taskResult(results)),

    write.post('/api/render/cropper', 'createArea', createArea(areas), { cost: 5 }),
    drawn.get('/api/render/cropper/:cropper_ref', 'readArea', readArea(areas)),
    write.remove('/api/render/cropper/:cropper_ref', 'deleteArea', deleteArea(areas)),

    drawn.get('/api/render/colormap/:all{[Aa][Ll][Ll]}', 'listColormaps', colormapList, {
      shownPath: '/api/render/colormap/all',
    }),
    write.post('/api/render/colormap', 'createColormap', createColormap(colormaps), { cost: 5 }),
    drawn.get('/api/render/colormap/:colormap_id', 'readColormap', readColormap(colormaps)),
    write.remove('/api/render/colormap/:colormap_id', 'deleteColormap', deleteColormap(colormaps)),
    drawn.get('/api/render/colorbar/:colormap_name', 'getColorbar', colorbar(pictures)),
    drawn.get('/api/render/legend/:colormap', 'getColormapLegend', colormapLegend(colormaps)),

    write.post('/api/recipes', 'createRecipe', createRecipe(recipes), { cost: 5 }),
    read.get('/api/recipes', 'listRecipes', listRecipes(recipes), { cost: 5 }),
    read.get('/api/recipes/:recipe_id', 'readRecipe', readOneRecipe(recipes)),
    write.patch('/api/recipes/:recipe_id', 'changeRecipe', changeRecipe(recipes)),
    write.remove('/api/recipes/:recipe_id', 'deleteRecipe', deleteRecipe(recipes)),
    drawn.get('/api/recipes/:recipe_id/:z/:x/:y', 'getRecipeTile', explainable(recipePicture(own, recipes))),
    drawn.get('/api/recipes/:recipe_id/legend', 'getRecipeLegend', explainable(recipeLegend(own, recipes))),
    drawn.get('/api/recipes/:recipe_id/tilejson.json', 'getRecipeTilejson', recipeTilejson(own, recipes)),
    drawn.get(
      '/api/recipes/:recipe_id/point/:lat/:lon',
      'getRecipePoint',
      explainable(recipePoint(own, recipes)),
    ),
    write.post(
      '/api/recipes/:recipe_id/statistics',
      'measureRecipe',
      explainable(recipeStatistics({ ...tasks, ...recipes }), anyExplanation),
      { cost: 20 },
    ),
    write.post(
      '/api/recipes/:recipe_id/download',
      'downloadRecipe',
      explainable(recipeDownload({ ...tasks, ...recipes }), fileExplanation),
      { cost: 10 },
    ),
    write.post(
      '/api/recipes/:recipe_id/pyramid',
      'orderRecipePyramid',
      orderRecipePyramid({ ...pyramids, ...deps.recipes }),
    ),
    write.remove(
      '/api/recipes/:recipe_id/pyramid',
      'deleteRecipePyramid',
      deleteRecipePyramid({ ...pyramids, ...deps.recipes }),
    ),
    shown.get('/api/public/:token/:z/:x/:y', 'getPublicTile', recipePicture(everyone, recipes)),
    shown.get('/api/public/:token/legend', 'getPublicLegend', recipeLegend(everyone, recipes)),
    shown.get('/api/public/:token/tilejson.json', 'getPublicTilejson', recipeTilejson(everyone, recipes)),
    shown.get('/api/public/:token/point/:lat/:lon', 'getPublicPoint', recipePoint(everyone, recipes)),

    write.post('/api/fields', 'createField', createField(fields), { cost: 5 }),
    read.get('/api/fields', 'listFields', listFields(fields), { cost: 10 }),
    write.remove('/api/fields', 'deleteGroup', deleteGroup(fields)),
    read.get('/api/fields/groups', 'listGroups', listGroups(fields), { cost: 5 }),
    write.patch('/api/fields/groups', 'shareGroup', shareGroup(fields)),
    write.post('/api/fields/import', 'importFields', importFile(files), { cost: 20 }),
    read.get('/api/fields/export', 'exportFields', exportFile(files), { cost: 20 }),
    shown.get('/api/public/:token/fields.geojson', 'exportSharedFields', exportShared(files)),
    read.get('/api/fields/:field_id', 'readField', readField(fields)),
    write.patch('/api/fields/:field_id', 'changeField', changeField(fields), { cost: 5 }),
    write.remove('/api/fields/:field_id', 'deleteField', deleteField(fields)),
    shown.get('/api/public/:token/fields', 'listSharedFields', listSharedFields(fields)),
    write.post('/api/subscriptions', 'createSubscription', createSubscription(watches), { cost: 5 }),
    read.get('/api/subscriptions', 'listSubscriptions', listSubscriptions(watches), { cost: 5 }),
    write.post('/api/subscriptions/dry-run', 'trySubscription', dryRunSubscription(watches), { cost: 10 }),
    read.get('/api/subscriptions/:subscription_id', 'readSubscription', readSubscription(watches)),
    write.patch('/api/subscriptions/:subscription_id', 'changeSubscription', changeSubscription(watches)),
    write.remove('/api/subscriptions/:subscription_id', 'deleteSubscription', deleteSubscription(watches)),
    read.get('/api/subscriptions/:subscription_id/events', 'listEvents', listEvents(watches), { cost: 5 }),

    read.get('/stac', 'getStacLanding', browsable(stacLanding(stac))),
    read.get('/stac/conformance', 'getStacConformance', stacConformance),
    read.get('/stac/queryables', 'getStacQueryables', stacNames('queryables', stac, false)),
    read.get('/stac/sortables', 'getStacSortables', stacNames('sortables', stac, false)),
    read.get('/stac/search', 'searchItems', browsable(stacSearch(stac)), { cost: 10 }),
    read.post('/stac/search', 'searchItemsByBody', stacSearchByBody(stac), { cost: 10 }),
    read.get('/stac/aggregations', 'listAggregations', stacAggregations(stac, false)),
    read.get('/stac/aggregate', 'aggregateItems', stacAggregate(stac), { cost: 20 }),
    read.post('/stac/aggregate', 'aggregateItemsByBody', stacAggregateByBody(stac), { cost: 20 }),
    read.get('/stac/collections', 'listCollections', browsable(stacCollections(stac)), { cost: 5 }),
    read.get('/stac/collections/:collection_id', 'getCollection', browsable(stacCollection(stac))),
    read.get(
      '/stac/collections/:collection_id/queryables',
      'getQueryables',
      stacNames('queryables', stac, true),
    ),
    read.get(
      '/stac/collections/:collection_id/sortables',
      'getSortables',
      stacNames('sortables', stac, true),
    ),
    read.get(
      '/stac/collections/:collection_id/aggregations',
      'listCollectionAggregations',
      stacAggregations(stac, true),
    ),
    read.get('/stac/collections/:collection_id/aggregate', 'aggregateCollection', stacAggregateOne(stac), {
      cost: 20,
    }),
    read.get('/stac/collections/:collection_id/items', 'listItems', browsable(stacItems(stac)), { cost: 10 }),
    catalogued.post('/stac/collections/:collection_id/items', 'createItem', createItem(stac), { cost: 10 }),
    read.get('/stac/collections/:collection_id/items/:item_id', 'getItem', browsable(stacItem(stac))),
    catalogued.put('/stac/collections/:collection_id/items/:item_id', 'replaceItem', replaceItem(stac), {
      cost: 10,
    }),
    catalogued.remove('/stac/collections/:collection_id/items/:item_id', 'deleteItem', deleteItem(stac)),
    read.get(
      '/stac/collections/:collection_id/items/:item_id/tilejson.json',
      'getItemTilejson',
      stacTilejson(stac),
    ),
    linked.get('/stac/files/*', 'getSceneFile', sceneFile(stac), {
      shownPath: '/stac/files/{permission}/{view_id}/{asset}',
    }),

    drawn.get('/ogc/wmts', 'getWmts', wmts(ogc)),
    drawn.get('/ogc/wmts/1.0.0/WMTSCapabilities.xml', 'getWmtsCapabilities', wmtsCapabilities(ogc)),
    drawn.get(`/ogc/wmts/1.0.0/${WMTS_TILE}`, 'getWmtsTile', wmtsTile(ogc, false)),
    drawn.get(
      `/ogc/wmts/1.0.0/${WMTS_TILE.replace('/:set', '/:time/:set')}`,
      'getWmtsTileOfTime',
      wmtsTile(ogc, true),
    ),
    read.post('/ogc/wmts', 'postWmts', refusePost('WMTS', writeOwsException)),
    drawn.get('/ogc/wms', 'getWms', wms(ogc)),
    read.post('/ogc/wms', 'postWms', refusePost('WMS', writeWmsException)),
    read.get('/ogc', 'getOgcLanding', ogcLanding),
    drawn.get('/ogc/conformance', 'getOgcConformance', ogcConformance),
    drawn.get('/ogc/tileMatrixSets', 'listTileMatrixSets', ogcTileMatrixSets(ogc)),
    drawn.get('/ogc/tileMatrixSets/:set', 'getTileMatrixSet', ogcTileMatrixSet(ogc)),
    drawn.get('/ogc/collections', 'listOgcCollections', ogcCollections(ogc)),
    drawn.get('/ogc/collections/:collection', 'getOgcCollection', ogcCollection(ogc)),
    drawn.get('/ogc/collections/:collection/tilejson.json', 'getLayerTilejson', ogcTilejson(ogc)),
    drawn.get('/ogc/collections/:collection/coverage', 'getOgcCoverage', ogcCoverage(ogc), { cost: 10 }),
    drawn.get('/ogc/collections/:collection/map', 'getOgcMap', ogcMap(ogc)),
    drawn.get('/ogc/collections/:collection/map/tiles', 'listOgcTilesets', ogcTilesets(ogc)),
    drawn.get('/ogc/collections/:collection/map/tiles/:set', 'getOgcTileset', ogcTileset(ogc)),
    drawn.get('/ogc/collections/:collection/map/tiles/:set/:matrix/:row/:column', 'getOgcTile', ogcTile(ogc)),
    drawn.get('/ogc/xyz', 'listXyzLayers', xyzLayers(ogc)),
    tokened.get('/ogc/xyz/:token/:layer/:style/:z/:x/:y', 'getXyzTile', xyzTile(ogc)),
    drawn.get('/ogc/legends/:layer/:style', 'getLayerLegend', layerLegend(ogc)),

    open.get('/api/sensors', 'listSensors', sensorList(pages.origins)),
    open.get('/api/colormaps', 'listColormapStops', colormapStops),
    open.get('/api/functions', 'listFunctions', functionList),

    open.get('/api/about', 'getAbout', about(pages.about)),
    page.get(
      '/',
      'getViewer',
      viewerPage(
        pages.viewer,
        [...new Set(pages.origins.pictureOrigins)],
        pages.about.baseMap === null ? [] : [pages.about.baseMap.origin],
      ),
    ),
    page.get('/assets/*', 'getViewerFile', viewerAsset(pages.viewer)),
    page.get('/docs', 'getDocsPage', docs.page),
    page.get('/docs/style.css', 'getDocsStyle', docs.style),
    page.get('/docs/interface', 'getInterfaceText', docs.text),
    page.get('/openapi.json', 'getOpenApi', docs.json),

    ...makeWorkerRoutes(monitoring),
  ];
  return routes;
}

/** What a process answers that only works on tasks. */
export const makeWorkerRoutes = ({
  readReadiness,
  metrics,
  metricsAccess: access,
}: MonitoringDeps): readonly Route[] => [
  page.get('/healthz', 'getHealth', healthz),
  page.get('/readyz', 'getReadiness', readyz(readReadiness)),
  ...(access === 'none'
    ? []
    : [allow({ ...always, access }).get('/metrics', 'getMetrics', metricsText(metrics))]),
];
