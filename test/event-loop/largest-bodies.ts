/** The largest bodies and addresses that requests may have, and what the service stores for them. */
import { areaLimits } from '../../src/areas/index.ts';
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
  /** Signed path of a file of a scene. */
  readonly filePath: string;
  /** Path of the TileJSON of a scene, with its token. */
  readonly tilejsonPath: string;
  /** Path of the largest file of the viewer. */
  readonly assetPath: string;
}

/** Makes the request of a repetition, from 0 on. */
export type Ask = (repetition: number, stored: Stored) => Omit<Asked, 'method'>;

export const [lon, lat] = [WEATHER.lon, WEATHER.lat];

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
export const EXPRESSION = Array.from(
  { length: 23 },
  (_, i) => `(B08-B0${2 + (i % 3)})/(B08+B0${2 + (i % 3)}+1.0)`,
).join('+');

export const PICTURE = `/api/render/${DEMO_SCENE.viewId}/${encodeURIComponent(EXPRESSION).replaceAll('%2F', '/')}`;

export const SCENE_ID = DEMO_SCENE.viewId.slice('S2L2A/'.length);

export const TILE = '12/655/1420';

const COLORS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(6, '0')).join(',');

const THRESHOLDS = Array.from({ length: 255 }, (_, i) => (i / 255).toFixed(4)).join(',');

export const COLORED = `COLORS=${COLORS}&THRESHOLDS=${THRESHOLDS}`;

export const LINE = Array.from(
  { length: 100 },
  (_, i) => `${(lon - 0.2 + i / 250).toFixed(6)},${(lat + 0.1 * Math.sin(i)).toFixed(6)}`,
).join(';');

export const largestColormap = (seed: number) => ({
  type: 'discrete',
  thresholds_type: 'absolute',
  colors: Array.from({ length: 256 }, (_, i) => [i + seed / 1000, [i / 255, 0.123456789, 0.987654321]]),
  labels: Array.from({ length: 256 }, (_, i) => `${i} `.padEnd(190, 'x')),
});

export const bodyOf = (value: unknown): string => JSON.stringify(value);

export const EXPRESSIONS = ['NDVI', 'NDWI', 'EVI', 'B02', 'B03', 'B04', 'B08', 'B05', 'B06', 'B07'];

/** A few hundred scenes of a small field: all of them are measured before the requests begin. */
export const statisticsOf = (area: object, limit = 500) => ({
  ...area,
  sensors: ['sentinel2l2a'],
  date_start: '2020-01-01',
  date_end: LAST_SCENE_DAY,
  limit,
});

/** As many small fields as a body holds, more or less. */
export const manyFields = (seed: number) => ({
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

export const years = { start_date: WEATHER.first, end_date: WEATHER.last };

export const DAY_FIELDS = [
  ...['growing_degree_days', 'growing_degree_sum', 'reference_evapotranspiration', 'water_balance'],
  ...['water_balance_sum', 'humidity', 'cloudiness'],
];

export const weather = (seed: number, more: object) =>
  bodyOf({ geometry: largestPolygon(seed, 0.2), ...more });

export const search = (more: object) =>
  bodyOf({ search: { date: { from: '2010-01-01' }, ...more }, limit: 1_000 });

/** A day before the last scene. */
export const dayBefore = (days: number): string =>
  new Date(Date.parse(LAST_SCENE_DAY) - days * 86_400_000).toISOString().slice(0, 10);

const order = (type: string, params: object, seed: number) =>
  bodyOf({
    type,
    params: { view_id: DEMO_SCENE.viewId, reference: `order ${type} ${seed} ${Math.random()}`, ...params },
  });

export const ordered = (seed: number) =>
  order('bandmath', { bm_type: 'NDVI', geometry: largestPolygon(seed) }, seed);

export const orderedByRef = (ref: string | undefined, seed: number) =>
  order('jpeg', { bm_type: 'B04,B03,B02', cropper_ref: ref }, seed);

export const orderedStatistics = (area: object, seed: number) =>
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

export const subscriptionOf = ({ subscriptionIds }: Stored, i: number): string =>
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

export const recipeOf = ({ recipes }: Stored, i: number): string =>
  `/api/recipes/${recipes[i % recipes.length]?.id}`;

export const publicOf = ({ recipes }: Stored, i: number): string =>
  `/api/public/${recipes[i % recipes.length]?.token}`;

/** The address of a mosaic of all scenes, of which a picture looks at some hundred. */
export const mosaicOf = (bands: string): string => `S2L2A/2010..2026/${bands}`;

/** That of as many scenes as a median may read; other ones each time. */
export const medianOf = (bands: string, i: number): string =>
  `S2L2A/${dayBefore(63 + i)}..${dayBefore(i)}/${bands}`;

export const LONG = encodeURIComponent(EXPRESSION).replaceAll('%2F', '/');

export const refOf = ({ areaRefs }: Stored, i: number): string => areaRefs[i % areaRefs.length] ?? '';
