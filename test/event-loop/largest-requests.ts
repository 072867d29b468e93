import { sensors } from '../../src/sensors/index.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { LAST_SCENE_DAY } from './crowded-data.ts';
import type { Ask } from './largest-bodies.ts';
import {
  bodyOf,
  COLORED,
  DAY_FIELDS,
  dayBefore,
  EXPRESSION,
  EXPRESSIONS,
  LINE,
  LONG,
  largestPolygon,
  lat,
  lon,
  manyFields,
  medianOf,
  mosaicOf,
  ordered,
  orderedByRef,
  orderedStatistics,
  PICTURE,
  refOf,
  SCENE_ID,
  search,
  statisticsOf,
  TILE,
  weather,
  years,
} from './largest-bodies.ts';
import { LARGEST_OGC } from './largest-ogc.ts';
import { LARGEST_STAC } from './largest-stac.ts';
import { LARGEST_STORED } from './largest-stored.ts';

/** Every route of the service with the most that it takes. The names are those of the route table. */
export const LARGEST: Readonly<Record<string, readonly Ask[]>> = {
  // First, as long as no other task is under way.
  'POST /api/statistics': [
    ...['application/json', 'text/csv', 'application/geo+json'].map(
      (accept): Ask =>
        (_, { fieldRef }) => ({
          path: '/api/statistics',
          accept,
          mayTakeLonger: true,
          body: bodyOf({ ...statisticsOf({ cropper_ref: fieldRef }), expressions: EXPRESSIONS }),
        }),
    ),
    (i) => ({
      path: '/api/statistics',
      mayTakeLonger: true,
      body: bodyOf({
        ...statisticsOf({ collection: manyFields(i) }, 1),
        expressions: 'NDVI',
        format: 'geojson',
      }),
    }),
  ],
  // As many rows as a file has do not matter to the main thread: another one checks them.
  'POST /api/statistics/collection': [
    (i) => ({
      path: `/api/statistics/collection?order=${encodeURIComponent(bodyOf({ ...statisticsOf({}, 1), expressions: 'NDVI' }))}`,
      status: 202,
      body: bodyOf(manyFields(1_000 + i)),
    }),
  ],
  'POST /api/phenology': [
    (_, { fieldRef }) => ({
      path: '/api/phenology',
      mayTakeLonger: true,
      body: bodyOf({
        cropper_ref: fieldRef,
        expression: 'NDVI',
        sensors: ['sentinel2l2a'],
        date_end: LAST_SCENE_DAY,
        years: 30,
        envelope: 0.99,
        normal_window_days: 91,
      }),
    }),
  ],
  'POST /api/zones': (['geojson', 'isoxml'] as const).map(
    (format): Ask =>
      (i) => ({
        path: '/api/zones',
        mayTakeLonger: true,
        body: bodyOf({
          geometry: largestPolygon(i),
          expression: 'NDVI',
          view_ids: [DEMO_SCENE.viewId],
          zones: 7,
          smoothing: 0,
          min_area_ha: 0,
          rates: [1, 2, 3, 4, 5, 6, 7],
          unit: 'kg/ha',
          format,
        }),
      }),
  ),
  'POST /api/classes': (['json', 'geojson', 'geotiff'] as const).map(
    (format): Ask =>
      (i) => ({
        path: '/api/classes',
        mayTakeLonger: true,
        body: bodyOf({
          geometry: largestPolygon(i),
          expression: 'NDVI',
          view_id: DEMO_SCENE.viewId,
          before_view_id: DEMO_SCENE.viewId,
          thresholds: Array.from({ length: 19 }, (_, step) => step / 20),
          bins: 512,
          format,
        }),
      }),
  ),
  'GET /api/classes/presets': [() => ({ path: '/api/classes/presets' })],
  'POST /api/lms/search/v2': [
    () => ({
      path: '/api/lms/search/v2',
      body: search({ satellites: sensors.map(({ dataset }) => dataset) }),
    }),
  ],
  'POST /api/lms/search/v2/:dataset_id': [
    (i) => ({
      path: '/api/lms/search/v2/sentinel2l2a',
      body: search({ shape: largestPolygon(i), shapeRelation: 'INTERSECTS' }),
    }),
    () => ({
      path: '/api/lms/search/v2/sentinel2l2a',
      body: search({ sceneID: Array.from({ length: 500 }, (_, i) => `${i}`.padEnd(300, 'x')) }),
    }),
    // Scenes that no search has measured before.
    (i) => ({
      path: '/api/lms/search/v2/sentinel2l2a',
      body: search({
        shape: largestPolygon(i),
        date: { from: dayBefore(50 * i + 49), to: dayBefore(50 * i) },
        cloudCoverageInArea: { from: 0 },
      }),
    }),
    // As many as one search measures.
    (i) => ({
      path: '/api/lms/search/v2/sentinel2l2a',
      body: search({ shape: largestPolygon(i), dataCoverageInArea: { from: 0 } }),
    }),
  ],
  ...LARGEST_STAC,
  ...LARGEST_OGC,
  'GET /api/render/{view_id}/{bands}/{z}/{x}/{y}': [
    (i) => ({ path: `${PICTURE}/${TILE}?MIN_MAX=0,${5 + i}` }),
    (i) => ({
      path: `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/12/-122.5;-122.3;4326/48.3;48.1${i};4326?TILE_SIZE=2048,2048&mimetype=image/png`,
    }),
    (i, stored) => ({
      path: `/api/render/${DEMO_SCENE.viewId}/B04/${TILE}?${COLORED}&cropper_ref=${refOf(stored, i)}`,
    }),
  ],
  'GET /api/render/legend/{view_id}/{bands}/{z}/{x}/{y}': [
    (i) => ({
      path: `${PICTURE.replace('/api/render/', '/api/render/legend/')}/${TILE}?${COLORED}&MIN_MAX=0,${5 + i}`,
    }),
  ],
  'GET /api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}': [
    () => ({ path: `/api/render/S2L2A/preview/${SCENE_ID}/B04,B03,B02/12/${lat}/${lon}` }),
  ],
  'GET /api/render/{sensor}/thumb/{scene_id}': [() => ({ path: `/api/render/S2L2A/thumb/${SCENE_ID}` })],
  'GET /api/render/thumbnails/{signature}/{view_id}.png': [
    (_, { thumbnailPath }) => ({ path: thumbnailPath }),
  ],
  'GET /api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}': [
    () => ({
      path: `/api/render/S2L2A/point/${SCENE_ID}/${encodeURIComponent(EXPRESSION).replaceAll('%2F', '/')}/${lat}/${lon}`,
    }),
  ],
  'GET /api/render/{sensor}/ir/{scene_id}/{bands}': [
    (i, stored) => ({ path: `/api/render/S2L2A/ir/${SCENE_ID}/B04,B03,B02?cropper_ref=${refOf(stored, i)}` }),
  ],
  'GET /api/render/{sensor}/parse_vb/{bands}': [
    () => ({ path: `/api/render/S2L2A/parse_vb/${encodeURIComponent(EXPRESSION).replaceAll('%2F', '/')}` }),
  ],
  'GET /api/render/terrain/:z/:x/:y': [
    (i) => ({ path: `/api/render/terrain/12/655/${1418 + i}@2x?format=contours` }),
  ],
  'GET /api/render/legend/terrain/:z/:x/:y': [
    () => ({ path: `/api/render/legend/terrain/${TILE}?format=slope` }),
  ],
  'GET /api/render/terrain/point/:lat/:lon': [() => ({ path: `/api/render/terrain/point/${lat}/${lon}` })],
  'GET /api/render/terrain/profile': [
    () => ({ path: `/api/render/terrain/profile?LINE=${LINE}&SAMPLES=2000` }),
  ],
  'GET /api/render/terrain/tilejson.json': [() => ({ path: '/api/render/terrain/tilejson.json' })],
  'POST /api/render/terrain/statistics': [
    (i) => ({ path: '/api/render/terrain/statistics', body: bodyOf({ geometry: largestPolygon(i, 0.2) }) }),
    (i, stored) => ({
      path: '/api/render/terrain/statistics',
      body: bodyOf({ cropper_ref: refOf(stored, i) }),
    }),
  ],
  'POST /api/cz/backend/forecast-history': [
    (i) => ({ path: '/api/cz/backend/forecast-history', body: weather(i, { ...years, fields: DAY_FIELDS }) }),
    (i, stored) => ({
      path: '/api/cz/backend/forecast-history',
      accept: 'text/csv',
      body: bodyOf({ polygon_id: refOf(stored, i), ...years, fields: DAY_FIELDS }),
    }),
    (i) => ({
      path: '/api/cz/backend/forecast-history',
      body: weather(i, { start_date: '2024-01-01', end_date: '2024-12-31', step: 'hour' }),
    }),
  ],
  'POST /weather/forecast-history': [(i) => ({ path: '/weather/forecast-history', body: weather(i, years) })],
  'POST /api/cz/backend/forecast': [(i) => ({ path: '/api/cz/backend/forecast', body: weather(i, {}) })],
  'POST /api/forecast/weather': [
    (i) => ({ path: '/api/forecast/weather', body: weather(i, { full: true }) }),
  ],
  'POST /api/forecast/weather/forecast': [
    (i) => ({ path: '/api/forecast/weather/forecast', body: weather(i, { full: true }) }),
  ],
  'POST /api/forecast/weather/forecast/world': [
    (i) => ({ path: '/api/forecast/weather/forecast/world', body: weather(i, { full: true }) }),
  ],
  'POST /api/weather/normals': [(i) => ({ path: '/api/weather/normals', body: weather(i, {}) })],
  'GET /api/tasks': [() => ({ path: '/api/tasks?limit=100' })],
  'POST /api/tasks/estimate': [
    (i) => ({ path: '/api/tasks/estimate', body: ordered(i) }),
    (i, stored) => ({ path: '/api/tasks/estimate', body: orderedByRef(refOf(stored, i), i) }),
    (i) => ({ path: '/api/tasks/estimate', body: orderedStatistics({ geometry: largestPolygon(i) }, i) }),
    (i, stored) => ({
      path: '/api/tasks/estimate',
      body: orderedStatistics({ cropper_ref: refOf(stored, i) }, i),
    }),
  ],
  'POST /api': [
    (i) => ({ path: '/api', body: ordered(i), status: 202 }),
    (i, stored) => ({ path: '/api', body: orderedByRef(refOf(stored, i), i), status: 202 }),
  ],
  'GET /api/:task_id': [(_, { documentId }) => ({ path: `/api/${documentId}` })],
  'DELETE /api/:task_id': [(i, { fileIds }) => ({ path: `/api/${fileIds[i]}`, status: 204 })],
  'POST /api/gdw/api': [
    (i) => ({
      path: '/api/gdw/api',
      body: orderedStatistics({ geometry: largestPolygon(i) }, i),
      status: 202,
    }),
    (i, stored) => ({
      path: '/api/gdw/api',
      body: orderedStatistics({ geometry: largestPolygon(i + refOf(stored, i).length) }, i),
      status: 202,
    }),
  ],
  'GET /api/phenology/:task_id': [(_, { documentId }) => ({ path: `/api/phenology/${documentId}` })],
  'GET /api/gdw/api/:task_id': [(_, { documentId }) => ({ path: `/api/gdw/api/${documentId}` })],
  'DELETE /api/gdw/api/:task_id': [
    (i, { fileIds }) => ({ path: `/api/gdw/api/${fileIds[i + 4]}`, status: 204 }),
  ],
  ...LARGEST_STORED,
  'GET /auth/sign-in': [() => ({ path: `/auth/sign-in?return=/${'x'.repeat(1_900)}`, status: 404 })],
  'GET /auth/callback': [() => ({ path: `/auth/callback?code=${'x'.repeat(1_900)}&state=y`, status: 404 })],
  'POST /auth/sign-out': [() => ({ path: '/auth/sign-out', status: 404 })],
  'GET /api/account': [() => ({ path: '/api/account' })],
  'GET /api/keys': [() => ({ path: '/api/keys' })],
  // The key of this test has not the role.
  'POST /api/keys': [() => ({ path: '/api/keys', body: bodyOf({ label: 'x' }), status: 403 })],
  'DELETE /api/keys/:key_id': [(i) => ({ path: `/api/keys/${i}`, status: 404 })],
  'GET /api/people': [() => ({ path: '/api/people', status: 403 })],
  'PATCH /api/people/:person_id': [
    (i) => ({ path: `/api/people/${i}`, body: bodyOf({ role: 'read' }), status: 403 }),
  ],
  'GET /api/usage': [() => ({ path: '/api/usage?from=2026-01-01&to=2026-12-31' })],
  'GET /api/about': [() => ({ path: '/api/about' })],
  'GET /api/sensors': [() => ({ path: '/api/sensors' })],
  'GET /api/colormaps': [() => ({ path: '/api/colormaps' })],
  'GET /api/functions': [() => ({ path: '/api/functions' })],
  'GET /api/results/:id/:file_name': [(_, { resultPath }) => ({ path: resultPath })],
  'GET /api/mosaic/{sensors}/{period}/{bands}/{z}/{x}/{y}': [
    (i) => ({ path: `/api/mosaic/${mosaicOf(LONG)}/11/327/710?dilate=${100 + i}&${COLORED}` }),
    (i) => ({ path: `/api/mosaic/${medianOf(LONG, i)}/${TILE}?selection=median&MIN_MAX=0,1` }),
    (i) => ({ path: `/api/mosaic/${medianOf('B04,B03,B02', i)}/${TILE}?selection=mean&explain=1` }),
  ],
  'GET /api/mosaic/legend/{sensors}/{period}/{bands}/{z}/{x}/{y}': [
    (i) => ({ path: `/api/mosaic/legend/${mosaicOf(LONG)}/${TILE}?max_cloud=${50 + i}&${COLORED}` }),
  ],
  'GET /api/mosaic/sources/{sensors}/{period}/{bands}/{z}/{x}/{y}': [
    (i) => ({ path: `/api/mosaic/sources/${mosaicOf('B04')}/11/327/710?dilate=${i}` }),
  ],
  'GET /api/mosaic/sources/legend/{sensors}/{period}/{bands}/{z}/{x}/{y}': [
    (i) => ({ path: `/api/mosaic/sources/legend/${medianOf('B04', i)}/${TILE}?selection=median` }),
  ],
  'GET /api/mosaic/point/{sensors}/{period}/{bands}/{lat}/{lon}': [
    (i) => ({ path: `/api/mosaic/point/${medianOf(LONG, i)}/${lat}/${lon}?selection=median` }),
  ],
  'GET /api/mosaic/ir/{sensors}/{period}/{bands}': [
    (i) => ({ path: `/api/mosaic/ir/${mosaicOf('B04,B03,B02')}?max_cloud=${50 + i}` }),
  ],
  'GET /api/mosaic/tilejson/{sensors}/{period}/{bands}': [
    (i) => ({ path: `/api/mosaic/tilejson/${mosaicOf(LONG)}?max_cloud=${50 + i}&${COLORED}` }),
  ],
  'POST /api/mosaic/pyramid/{sensors}/{period}/{bands}': [
    (i, stored) => ({
      path: `/api/mosaic/pyramid/${mosaicOf('NDVI')}?within=${refOf(stored, i)}`,
      status: 202,
    }),
  ],
  'DELETE /api/mosaic/pyramid/{sensors}/{period}/{bands}': [
    (i) => ({ path: `/api/mosaic/pyramid/${mosaicOf(LONG)}?dilate=${i}`, status: 404 }),
  ],
  'POST /api/mosaic/statistics/{sensors}/{period}/{bands}': [
    (i) => ({
      path: `/api/mosaic/statistics/${mosaicOf('NDVI')}`,
      body: bodyOf({ geometry: largestPolygon(200 + i) }),
    }),
  ],
  'GET /': [() => ({ path: '/' })],
  'GET /assets/*': [(_, { assetPath }) => ({ path: assetPath })],
  'GET /docs': [() => ({ path: '/docs' })],
  'GET /docs/style.css': [() => ({ path: '/docs/style.css' })],
  'GET /docs/interface': [() => ({ path: '/docs/interface' })],
  'GET /openapi.json': [() => ({ path: '/openapi.json' })],
  'GET /healthz': [() => ({ path: '/healthz' })],
  'GET /readyz': [() => ({ path: '/readyz' })],
  'GET /metrics': [() => ({ path: '/metrics' })],
};
