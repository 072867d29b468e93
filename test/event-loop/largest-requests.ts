import { areaLimits } from '../../src/areas/index.ts';
import { sensors } from '../../src/sensors/index.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { LAST_SCENE_DAY, WEATHER } from './crowded-data.ts';

/** One request. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  /** 200 if it is not said. */
  readonly status?: number;
  /** Set if 202 will do on a slow machine. */
  readonly mayTakeLonger?: boolean;
}

/** What was stored before the requests begin: repetitions take one after the other, so that no cache answers. */
export interface Stored {
  readonly areaRefs: readonly string[];
  /** An area with as many positions, but few pixels: hundreds of scenes are measured in it, by other threads. */
  readonly fieldRef: string;
  readonly colormapIds: readonly string[];
  /** Public recipes, each with an area of its own. */
  readonly recipes: readonly { readonly id: string; readonly token: string }[];
  /** Fields with the largest outlines, in a shared group. */
  readonly fieldIds: readonly string[];
  /** The token of that group. */
  readonly fieldsToken: string;
  /** Subscriptions, each to the largest area. */
  readonly subscriptionIds: readonly string[];
  /** Finished statistics: the largest document. */
  readonly documentId: string;
  /** Finished downloads; the last is the one of `resultPath`. */
  readonly fileIds: readonly string[];
  /** Signed path of a result. */
  readonly resultPath: string;
  /** Signed path of a thumbnail. */
  readonly thumbnailPath: string;
  /** Path of the largest file of the viewer. */
  readonly assetPath: string;
}

/** Makes the request of a repetition, from 0 on. */
type Ask = (repetition: number, stored: Stored) => Omit<Asked, 'method'>;

const [lon, lat] = [WEATHER.lon, WEATHER.lat];

/** A ring around the field of the demo with as many positions as an area may have, and numbers as long as they can be. */
export function largestPolygon(seed: number, degrees = 0.008) {
  const count = areaLimits.vertices - 1;
  const ring = Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count;
    const radius = degrees * (1 + 0.3 * Math.sin(40 * turn) + 1e-4 * seed);
    return [
      lon + radius * Math.cos(turn) + 1e-7 / 3,
      lat + radius * Math.sin(turn) + 1e-7 / 3,
      // Heights and measures are allowed, and ignored.
      ...[1 / 3 + i, 2 / 3 + i],
    ];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

/** As long as an expression may be, and with as many operations. */
const EXPRESSION = Array.from(
  { length: 23 },
  (_, i) => `(B08-B0${2 + (i % 3)})/(B08+B0${2 + (i % 3)}+1.0)`,
).join('+');
const PICTURE = `/api/render/${DEMO_SCENE.viewId}/${encodeURIComponent(EXPRESSION).replaceAll('%2F', '/')}`;
const SCENE_ID = DEMO_SCENE.viewId.slice('S2L2A/'.length);
const TILE = '12/655/1420';
const COLORS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(6, '0')).join(',');
const THRESHOLDS = Array.from({ length: 255 }, (_, i) => (i / 255).toFixed(4)).join(',');
const COLORED = `COLORS=${COLORS}&THRESHOLDS=${THRESHOLDS}`;
const LINE = Array.from(
  { length: 100 },
  (_, i) => `${(lon - 0.2 + i / 250).toFixed(6)},${(lat + 0.1 * Math.sin(i)).toFixed(6)}`,
).join(';');

const largestColormap = (seed: number) => ({
  type: 'discrete',
  thresholds_type: 'absolute',
  colors: Array.from({ length: 256 }, (_, i) => [i + seed / 1000, [i / 255, 0.123456789, 0.987654321]]),
  labels: Array.from({ length: 256 }, (_, i) => `${i} `.padEnd(190, 'x')),
});

const bodyOf = (value: unknown): string => JSON.stringify(value);

const EXPRESSIONS = ['NDVI', 'NDWI', 'EVI', 'B02', 'B03', 'B04', 'B08', 'B05', 'B06', 'B07'];
/** A few hundred scenes of a small field: all of them are measured before the requests begin. */
const statisticsOf = (area: object, limit = 500) => ({
  ...area,
  sensors: ['sentinel2l2a'],
  date_start: '2020-01-01',
  date_end: LAST_SCENE_DAY,
  limit,
});

/** As many small fields as a body holds, more or less. */
const manyFields = (seed: number) => ({
  type: 'FeatureCollection',
  features: Array.from({ length: 2_500 }, (_, i) => {
    const [west, south] = [lon + 0.0002 * (i % 50) + 1e-7 / 3, lat + 0.0002 * Math.floor(i / 50) + 1e-7 / 3];
    const [east, north] = [west + 0.00015 + 1e-9 * seed, south + 0.00015];
    return {
      type: 'Feature',
      properties: { name: `Field ${i}` },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
    };
  }),
});

const years = { start_date: WEATHER.first, end_date: WEATHER.last };
const DAY_FIELDS = [
  ...['growing_degree_days', 'growing_degree_sum', 'reference_evapotranspiration', 'water_balance'],
  ...['water_balance_sum', 'humidity', 'cloudiness'],
];
const weather = (seed: number, more: object) => bodyOf({ geometry: largestPolygon(seed, 0.2), ...more });

const search = (more: object) => bodyOf({ search: { date: { from: '2010-01-01' }, ...more }, limit: 1_000 });

/** A day before the last scene. */
const dayBefore = (days: number): string =>
  new Date(Date.parse(LAST_SCENE_DAY) - days * 86_400_000).toISOString().slice(0, 10);

const order = (type: string, params: object, seed: number) =>
  bodyOf({
    type,
    params: { view_id: DEMO_SCENE.viewId, reference: `order ${type} ${seed} ${Math.random()}`, ...params },
  });
const ordered = (seed: number) =>
  order('bandmath', { bm_type: 'NDVI', geometry: largestPolygon(seed) }, seed);
const orderedByRef = (ref: string | undefined, seed: number) =>
  order('jpeg', { bm_type: 'B04,B03,B02', cropper_ref: ref }, seed);
const orderedStatistics = (area: object, seed: number) =>
  bodyOf({
    type: 'mt_stats',
    params: {
      ...statisticsOf(area, 3),
      bm_type: EXPRESSIONS.slice(0, 3),
      reference: `stats ${seed} ${Math.random()}`,
    },
  });
/** A recipe with the longest expression and style, and an area. */
export const largestRecipe = (cropperRef: string | undefined, seed: number) => ({
  name: `${seed} `.padEnd(200, 'x'),
  scenes: { view_id: DEMO_SCENE.viewId },
  bands: EXPRESSION,
  style: { COLORS, THRESHOLDS, cropper_ref: cropperRef, GAMMA: 1 + seed / 1000 },
  public: { rate_per_minute: 60_000 },
});
/** A field with the largest outline and properties. */
export const largestField = (seed: number) => ({
  external_id: `largest ${seed}`,
  group: 'largest',
  properties: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`a property ${i}`, i / 3])),
  geometry: largestPolygon(seed),
});

const subscriptionOf = ({ subscriptionIds }: Stored, i: number): string =>
  `/api/subscriptions/${subscriptionIds[i % 3]}`;

/** The largest subscription: an area with as many positions as there may be. */
export const largestSubscription = (seed: number) => ({
  name: 'x'.repeat(200),
  geometry: largestPolygon(seed),
  sensors: ['sentinel2l2a'],
  expression: 'NDVI',
  condition: { kind: 'drop', by: 0.2, against: 'normal', years: 10, around_days: 45 },
  // Nothing is measured while requests are.
  since: '2100-01-01',
});

const recipeOf = ({ recipes }: Stored, i: number): string =>
  `/api/recipes/${recipes[i % recipes.length]?.id}`;
const publicOf = ({ recipes }: Stored, i: number): string =>
  `/api/public/${recipes[i % recipes.length]?.token}`;

/** The address of a mosaic of all scenes, of which a picture looks at some hundred. */
const mosaicOf = (bands: string): string => `S2L2A/2010..2026/${bands}`;
/** That of as many scenes as a median may read; other ones each time. */
const medianOf = (bands: string, i: number): string => `S2L2A/${dayBefore(63 + i)}..${dayBefore(i)}/${bands}`;
const LONG = encodeURIComponent(EXPRESSION).replaceAll('%2F', '/');

const refOf = ({ areaRefs }: Stored, i: number): string => areaRefs[i % areaRefs.length] ?? '';

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
  'POST /api/render/cropper': [
    (i) => ({ path: '/api/render/cropper', body: bodyOf(largestPolygon(100 + i)) }),
  ],
  'GET /api/render/cropper/:cropper_ref': [
    (i, stored) => ({ path: `/api/render/cropper/${refOf(stored, i)}` }),
  ],
  'DELETE /api/render/cropper/:cropper_ref': [
    (i, { areaRefs }) => ({ path: `/api/render/cropper/${areaRefs.at(-1 - i)}`, status: 204 }),
  ],
  'GET /api/render/colormap/all': [() => ({ path: '/api/render/colormap/all' })],
  'POST /api/render/colormap': [(i) => ({ path: '/api/render/colormap', body: bodyOf(largestColormap(i)) })],
  'GET /api/render/colormap/:colormap_id': [
    (i, { colormapIds }) => ({ path: `/api/render/colormap/${colormapIds[i % colormapIds.length]}_r` }),
  ],
  'DELETE /api/render/colormap/:colormap_id': [
    (i, { colormapIds }) => ({ path: `/api/render/colormap/${colormapIds.at(-1 - i)}`, status: 204 }),
  ],
  'GET /api/render/colorbar/:colormap_name': [() => ({ path: '/api/render/colorbar/viridis' })],
  'GET /api/render/legend/:colormap': [
    (_, { colormapIds }) => ({ path: `/api/render/legend/${colormapIds[0]}?MIN_MAX=0,255` }),
  ],
  'POST /api/subscriptions': [
    (i) => ({ path: '/api/subscriptions', body: bodyOf(largestSubscription(400 + i)), status: 201 }),
  ],
  'GET /api/subscriptions': [() => ({ path: '/api/subscriptions' })],
  'POST /api/subscriptions/dry-run': [
    (i) => ({
      path: '/api/subscriptions/dry-run',
      body: bodyOf({ ...largestSubscription(450 + i), days: 1 }),
      status: 202,
    }),
  ],
  'GET /api/subscriptions/:subscription_id': [(i, stored) => ({ path: subscriptionOf(stored, i) })],
  'PATCH /api/subscriptions/:subscription_id': [
    (i, stored) => ({ path: subscriptionOf(stored, i), body: bodyOf({ name: `${i} `.padEnd(200, 'y') }) }),
  ],
  'DELETE /api/subscriptions/:subscription_id': [
    (i, { subscriptionIds }) => ({
      path: `/api/subscriptions/${subscriptionIds.at(-1 - i)}`,
      status: 204,
    }),
  ],
  'GET /api/subscriptions/:subscription_id/events': [
    (i, stored) => ({ path: `${subscriptionOf(stored, i)}/events?limit=1000` }),
  ],
  'POST /api/recipes': [
    (i, stored) => ({
      path: '/api/recipes',
      body: bodyOf(largestRecipe(refOf(stored, i), 500 + i)),
      status: 201,
    }),
  ],
  'GET /api/recipes': [() => ({ path: '/api/recipes?limit=50' })],
  'GET /api/recipes/:recipe_id': [(i, stored) => ({ path: recipeOf(stored, i) })],
  'PATCH /api/recipes/:recipe_id': [
    (i, stored) => ({ path: recipeOf(stored, i), body: bodyOf({ name: `${i} `.padEnd(200, 'y') }) }),
  ],
  'GET /api/recipes/:recipe_id/:z/:x/:y': [(i, stored) => ({ path: `${recipeOf(stored, i)}/${TILE}` })],
  'GET /api/recipes/:recipe_id/legend': [(i, stored) => ({ path: `${recipeOf(stored, i)}/legend` })],
  'GET /api/recipes/:recipe_id/tilejson.json': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/tilejson.json` }),
  ],
  'GET /api/recipes/:recipe_id/point/:lat/:lon': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/point/${lat}/${lon}` }),
  ],
  'POST /api/recipes/:recipe_id/statistics': [
    (i, stored) => ({
      path: `${recipeOf(stored, i)}/statistics`,
      body: bodyOf({ geometry: largestPolygon(i, 0.002) }),
      mayTakeLonger: true,
    }),
  ],
  'POST /api/recipes/:recipe_id/download': [
    (i, stored) => ({
      path: `${recipeOf(stored, i)}/download`,
      body: bodyOf({ geometry: largestPolygon(i), reference: `recipe ${i} ${Math.random()}` }),
      status: 202,
    }),
  ],
  // The largest recipes are of one scene.
  'POST /api/recipes/:recipe_id/pyramid': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/pyramid`, status: 422 }),
  ],
  'DELETE /api/recipes/:recipe_id/pyramid': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/pyramid`, status: 422 }),
  ],
  'GET /api/public/:token/:z/:x/:y': [(i, stored) => ({ path: `${publicOf(stored, i)}/${TILE}@2x` })],
  'GET /api/public/:token/legend': [(i, stored) => ({ path: `${publicOf(stored, i)}/legend` })],
  'GET /api/public/:token/tilejson.json': [(i, stored) => ({ path: `${publicOf(stored, i)}/tilejson.json` })],
  'GET /api/public/:token/point/:lat/:lon': [
    (i, stored) => ({ path: `${publicOf(stored, i)}/point/${lat}/${lon}` }),
  ],
  // Last, because the others use them.
  'DELETE /api/recipes/:recipe_id': [
    (i, { recipes }) => ({ path: `/api/recipes/${recipes.at(-1 - i)?.id}`, status: 204 }),
  ],
  'POST /api/fields': [(i) => ({ path: '/api/fields', body: bodyOf(largestField(1_000 + i)), status: 201 })],
  'GET /api/fields': [() => ({ path: '/api/fields?limit=1000' })],
  'GET /api/fields/groups': [() => ({ path: '/api/fields/groups' })],
  'PATCH /api/fields/groups': [
    (i) => ({
      path: '/api/fields/groups',
      body: bodyOf({ group: 'largest', public: { rate_per_minute: 60_000 - i } }),
    }),
  ],
  'POST /api/fields/import': [
    (i) => ({
      path: '/api/fields/import',
      body: bodyOf({
        type: 'FeatureCollection',
        features: Array.from({ length: 8 }, (_, n) => ({
          type: 'Feature',
          id: `imported ${i} ${n}`,
          properties: {},
          geometry: largestPolygon(3_000 + 8 * i + n),
        })),
      }),
    }),
  ],
  'GET /api/fields/export': [() => ({ path: '/api/fields/export' })],
  'GET /api/public/:token/fields.geojson': [
    (_, { fieldsToken }) => ({ path: `/api/public/${fieldsToken}/fields.geojson` }),
  ],
  'GET /api/fields/:field_id': [
    (i, { fieldIds }) => ({ path: `/api/fields/${fieldIds[i % fieldIds.length]}` }),
  ],
  'PATCH /api/fields/:field_id': [
    (i, { fieldIds }) => ({
      path: `/api/fields/${fieldIds[i % fieldIds.length]}`,
      body: bodyOf({ geometry: largestPolygon(2_000 + i) }),
    }),
  ],
  'GET /api/public/:token/fields': [
    (_, { fieldsToken }) => ({ path: `/api/public/${fieldsToken}/fields?limit=1000` }),
  ],
  'DELETE /api/fields/:field_id': [
    (i, { fieldIds }) => ({ path: `/api/fields/${fieldIds.at(-1 - i)}`, status: 204 }),
  ],
  'DELETE /api/fields': [(i) => ({ path: `/api/fields?group=${i}` })],
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
