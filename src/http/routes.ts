/** Every address of the service, who may ask for it, and what answers. The order of lines does not matter. */
import { createArea, deleteArea, readArea } from './areas.ts';
import type { ColorbarDeps } from './colormaps.ts';
import {
  colorbar,
  colormapLegend,
  colormapList,
  createColormap,
  deleteColormap,
  readColormap,
} from './colormaps.ts';
import type { Readiness } from './health.ts';
import { healthz, readyz } from './health.ts';
import type { Route } from './kit/endpoint.ts';
import { allow, always, drawn, linked, open, page, read, signed, write } from './kit/endpoint.ts';
import type { Metrics } from './metrics.ts';
import { metricsText } from './metrics.ts';
import { apiDocs } from './pages/docs.ts';
import { toOpenApi } from './pages/openapi.ts';
import type { ViewerFiles } from './pages/viewer.ts';
import { viewerAsset, viewerPage } from './pages/viewer.ts';
import { pictureLegend } from './pictures/legend.ts';
import type { PictureDeps } from './pictures/picture.ts';
import { picture } from './pictures/picture.ts';
import { preview } from './pictures/preview.ts';
import type { SignedThumbnailDeps } from './pictures/thumbnails.ts';
import { makeThumbnailCache, signedThumbnail, thumb } from './pictures/thumbnails.ts';
import { colormapStops, functionList, sensorList } from './reference.ts';
import type { SearchDeps } from './search/search.ts';
import { searchDataset, searchDatasets } from './search/search.ts';
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
import { comingDays, weatherForecast, weatherHistory, weatherNormals } from './weather/weather.ts';
import type { WeatherDeps } from './weather/weather-request.ts';

/** What monitoring reads. */
export interface MonitoringDeps {
  readonly readReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Who may read the metrics. */
  readonly metricsAccess: 'open' | 'read' | 'none';
}

/** What the routes are made of. */
export interface RouteDeps
  extends SearchDeps,
    PictureDeps,
    IntensityDeps,
    PointDeps,
    TerrainTileDeps,
    ElevationDeps,
    ProfileDeps,
    TerrainStatisticsDeps,
    TerrainTilejsonDeps,
    WeatherDeps,
    TaskDeps,
    ColorbarDeps,
    MonitoringDeps {
  readonly readThumbnailLinks: SignedThumbnailDeps['readThumbnailLinks'];
  /** What is written over previews. */
  readonly watermark: string;
  readonly results: ResultDeps;
  readonly version: string;
  readonly viewer: ViewerFiles;
}

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';
const SCENE = '{scene_id}/{bands}';

/** All routes. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const { areas, colormaps } = deps;
  const thumbnails = { ...deps, thumbnailCache: makeThumbnailCache() };
  const history = weatherHistory(deps);
  const forecast = weatherForecast(deps, 'padded');
  const docs = apiDocs(() => toOpenApi(routes, deps.version), deps.viewer);
  const routes: readonly Route[] = [
    read.post('/api/lms/search/v2', 'searchAcrossDatasets', searchDatasets(deps), { cost: 5 }),
    read.post('/api/lms/search/v2/:dataset_id', 'searchDataset', searchDataset(deps), { cost: 5 }),

    drawn.get('/api/render/*', 'getTile', picture(deps), { shownPath: `/api/render/${PICTURE}` }),
    drawn.get('/api/render/legend/:sensor/*', 'getTileLegend', pictureLegend(deps), {
      shownPath: `/api/render/legend/${PICTURE}`,
    }),
    drawn.get('/api/render/:sensor/preview/*', 'getPreview', preview(deps), {
      shownPath: `/api/render/{sensor}/preview/${SCENE}/{zoom}/{lat}/{lon}`,
    }),
    drawn.get('/api/render/:sensor/thumb/*', 'getThumbnail', thumb(thumbnails), {
      shownPath: '/api/render/{sensor}/thumb/{scene_id}',
    }),
    ...(deps.thumbnails === 'off'
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

    drawn.get('/api/render/:sensor/point/*', 'getPointValue', pointValue(deps), {
      shownPath: `/api/render/{sensor}/point/${SCENE}/{lat}/{lon}`,
    }),
    drawn.get('/api/render/:sensor/ir/*', 'getIntensityRange', intensityRange(deps), {
      shownPath: `/api/render/{sensor}/ir/${SCENE}`,
    }),
    drawn.get('/api/render/:sensor/parse_vb/*', 'parseBands', parseVb(deps), {
      shownPath: '/api/render/{sensor}/parse_vb/{bands}',
    }),

    drawn.get('/api/render/terrain/:z/:x/:y', 'getTerrainTile', terrainTile(deps)),
    drawn.get('/api/render/legend/terrain/:z/:x/:y', 'getTerrainLegend', terrainLegend(deps)),
    drawn.get('/api/render/terrain/point/:lat/:lon', 'getElevation', elevation(deps)),
    drawn.get('/api/render/terrain/profile', 'getElevationProfile', elevationProfile(deps), { cost: 20 }),
    drawn.get('/api/render/terrain/tilejson.json', 'getTerrainTilejson', terrainTilejson(deps)),
    read.post('/api/render/terrain/statistics', 'measureTerrain', terrainStatistics(deps), { cost: 10 }),

    // Programs know several addresses of the same weather.
    read.post('/api/cz/backend/forecast-history', 'getWeatherHistory', history, { cost: 10 }),
    read.post('/weather/forecast-history', 'getWeatherHistoryOfWeatherHost', history, { cost: 10 }),
    read.post('/api/cz/backend/forecast', 'getComingDays', comingDays(deps), { cost: 5 }),
    read.post('/api/forecast/weather', 'getForecast', weatherForecast(deps, 'plain'), { cost: 5 }),
    read.post('/api/forecast/weather/forecast', 'getPaddedForecast', forecast, { cost: 5 }),
    read.post('/api/forecast/weather/forecast/world', 'getPaddedWorldForecast', forecast, { cost: 5 }),
    read.post('/api/weather/normals', 'getWeatherNormals', weatherNormals(deps), { cost: 10 }),

    read.get('/api/tasks', 'listTasks', listTasks(deps), { cost: 5 }),
    read.post('/api/tasks/estimate', 'estimateTask', estimateTask(deps), { cost: 10 }),
    write.post('/api', 'createDownload', createTask(deps, downloadHost), { cost: 10 }),
    read.get('/api/:task_id', 'pollDownload', readTask(deps, downloadHost), { cost: 5 }),
    write.remove('/api/:task_id', 'deleteDownload', deleteTask(deps, downloadHost)),
    // The names under which requests are counted are stored: nodes of two versions share them.
    write.post('/api/gdw/api', 'createTask', createTask(deps, statisticsHost), {
      cost: 10,
      countedAs: 'statistics orders',
    }),
    read.get('/api/gdw/api/:task_id', 'pollTask', readTask(deps, statisticsHost), {
      cost: 5,
      countedAs: 'statistics polls',
    }),
    write.remove('/api/gdw/api/:task_id', 'deleteTask', deleteTask(deps, statisticsHost)),
    write.post('/api/statistics', 'measureArea', readStatisticsNow(deps), { cost: 20 }),
    linked.get('/api/results/:id/:file_name', 'getResult', taskResult(deps.results)),

    write.post('/api/render/cropper', 'createArea', createArea(areas), { cost: 5 }),
    drawn.get('/api/render/cropper/:cropper_ref', 'readArea', readArea(areas)),
    write.remove('/api/render/cropper/:cropper_ref', 'deleteArea', deleteArea(areas)),

    drawn.get('/api/render/colormap/:all{[Aa][Ll][Ll]}', 'listColormaps', colormapList, {
      shownPath: '/api/render/colormap/all',
    }),
    write.post('/api/render/colormap', 'createColormap', createColormap(colormaps), { cost: 5 }),
    drawn.get('/api/render/colormap/:colormap_id', 'readColormap', readColormap(colormaps)),
    write.remove('/api/render/colormap/:colormap_id', 'deleteColormap', deleteColormap(colormaps)),
    drawn.get('/api/render/colorbar/:colormap_name', 'getColorbar', colorbar(deps)),
    drawn.get('/api/render/legend/:colormap', 'getColormapLegend', colormapLegend(colormaps)),

    open.get('/api/sensors', 'listSensors', sensorList),
    open.get('/api/colormaps', 'listColormapStops', colormapStops),
    open.get('/api/functions', 'listFunctions', functionList),

    page.get('/', 'getViewer', viewerPage(deps.viewer)),
    page.get('/assets/*', 'getViewerFile', viewerAsset(deps.viewer)),
    page.get('/docs', 'getDocsPage', docs.page),
    page.get('/docs/style.css', 'getDocsStyle', docs.style),
    page.get('/docs/interface', 'getInterfaceText', docs.text),
    page.get('/openapi.json', 'getOpenApi', docs.json),

    ...makeWorkerRoutes(deps),
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
