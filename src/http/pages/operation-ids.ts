import type { Route } from '../kit/endpoint.ts';
import { documentedPathOf } from './documented-path.ts';

/**
 * The names of the operations: generated clients call their functions so, and people build on those. A name never
 * changes.
 */
const OPERATION_IDS: Readonly<Record<string, string>> = {
  'GET /api/sensors': 'listSensors',
  'GET /api/colormaps': 'listColormapStops',
  'GET /api/functions': 'listFunctions',
  'POST /api/lms/search/v2': 'searchAcrossDatasets',
  'POST /api/lms/search/v2/{dataset_id}': 'searchDataset',
  'GET /api/render/{view_id}/{bands}/{z}/{x}/{y}': 'getTile',
  'GET /api/render/legend/{view_id}/{bands}/{z}/{x}/{y}': 'getTileLegend',
  'GET /api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}': 'getPreview',
  'GET /api/render/{sensor}/thumb/{scene_id}': 'getThumbnail',
  'GET /api/render/thumbnails/{signature}/{view_id}.png': 'getSignedThumbnail',
  'GET /api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}': 'getPointValue',
  'GET /api/render/{sensor}/ir/{scene_id}/{bands}': 'getIntensityRange',
  'GET /api/render/{sensor}/parse_vb/{bands}': 'parseBands',
  'GET /api/render/terrain/{z}/{x}/{y}': 'getTerrainTile',
  'GET /api/render/legend/terrain/{z}/{x}/{y}': 'getTerrainLegend',
  'GET /api/render/terrain/point/{lat}/{lon}': 'getElevation',
  'GET /api/render/terrain/profile': 'getElevationProfile',
  'GET /api/render/terrain/tilejson.json': 'getTerrainTilejson',
  'POST /api/render/terrain/statistics': 'measureTerrain',
  'POST /api/cz/backend/forecast-history': 'getWeatherHistory',
  'POST /weather/forecast-history': 'getWeatherHistoryOfWeatherHost',
  'POST /api/cz/backend/forecast': 'getComingDays',
  'POST /api/forecast/weather': 'getForecast',
  'POST /api/forecast/weather/forecast': 'getPaddedForecast',
  'POST /api/forecast/weather/forecast/world': 'getPaddedWorldForecast',
  'POST /api/weather/normals': 'getWeatherNormals',
  'POST /api': 'createDownload',
  'GET /api/{task_id}': 'pollDownload',
  'DELETE /api/{task_id}': 'deleteDownload',
  'GET /api/tasks': 'listTasks',
  'POST /api/tasks/estimate': 'estimateTask',
  'POST /api/gdw/api': 'createTask',
  'GET /api/gdw/api/{task_id}': 'pollTask',
  'DELETE /api/gdw/api/{task_id}': 'deleteTask',
  'POST /api/statistics': 'measureArea',
  'POST /api/render/cropper': 'createArea',
  'GET /api/render/cropper/{cropper_ref}': 'readArea',
  'DELETE /api/render/cropper/{cropper_ref}': 'deleteArea',
  'GET /api/render/colormap/all': 'listColormaps',
  'POST /api/render/colormap': 'createColormap',
  'GET /api/render/colormap/{colormap_id}': 'readColormap',
  'DELETE /api/render/colormap/{colormap_id}': 'deleteColormap',
  'GET /api/render/colorbar/{colormap_name}': 'getColorbar',
  'GET /api/render/legend/{colormap}': 'getColormapLegend',
  'GET /api/results/{id}/{file_name}': 'getResult',
  'GET /': 'getViewer',
  'GET /assets/{file}': 'getViewerFile',
  'GET /docs': 'getDocsPage',
  'GET /docs/style.css': 'getDocsStyle',
  'GET /docs/interface': 'getInterfaceText',
  'GET /openapi.json': 'getOpenApi',
  'GET /healthz': 'getHealth',
  'GET /readyz': 'getReadiness',
  'GET /metrics': 'getMetrics',
};

/** Whether the name of a route's operation is settled. */
export const hasOperationId = (route: Route): boolean => Object.hasOwn(OPERATION_IDS, addressOf(route));

/** The name of a route's operation; made of its method and path while no one has settled it. */
export const toOperationId = (route: Route): string =>
  OPERATION_IDS[addressOf(route)] ??
  route.method.toLowerCase() +
    documentedPathOf(route)
      .split(/\W+/)
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join('');

const addressOf = (route: Route): string => `${route.method} ${documentedPathOf(route)}`;
