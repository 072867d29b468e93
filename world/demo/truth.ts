import { interpretTree, parseExpressions } from '../../src/bandmath/index.ts';
import { internal, notFound, unsupported } from '../../src/errors.ts';
import type { Sensor } from '../../src/sensors/index.ts';
import { aliasNames, findAlias, toExpressionNames } from '../../src/sensors/index.ts';
import { makeToLocal } from '../grids/degree-grid.ts';
import type { Cover, Locations, Survey } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import type { World } from '../ground/world.ts';
import type { Exposure, SkyPlan, SpectralBand } from '../light/exposure.ts';
import { expose } from '../light/index.ts';
import { angleOf, toDegrees } from '../numbers/steady-math.ts';
import { DAY_MS, frame } from '../setting.ts';

/** A location in local metres (`setting.ts`). */
export interface LocalPoint {
  readonly x: number;
  readonly y: number;
}

/** What the world is like at one location on one day. */
export interface Truth {
  readonly heightM: number;
  readonly slopeDeg: number;
  readonly cover: Cover;
  /** Null outside of all fields. */
  readonly field: { readonly id: number; readonly meanNdvi: number } | null;
  /** By band of the sensor: reflectance, or brightness temperature in kelvin. */
  readonly bands: readonly {
    readonly name: string;
    /** Of the ground below a cloudless sky, as Level-2 products have it. */
    readonly surface: number;
    /** At the top of the atmosphere, as Level-1 products have it; clouds included where a sky is given. */
    readonly top: number;
  }[];
  /** Of the surface, by alias; those the sensor has the bands for. */
  readonly indices: Readonly<Record<string, number>>;
  /** What stands between the sensor and the ground; null when no sky is given. */
  readonly cloud: 'none' | 'opaque' | 'cirrus' | 'shadow' | null;
}

/** Whom, when and through which sky. */
export interface TruthRequest {
  readonly sensor: Sensor;
  readonly atMs: number;
  /** The sky of a scene at that time; null for the ground alone. */
  readonly sky: SkyPlan | null;
}

const CLEAR: SkyPlan = { seed: 1, opaque: 0, cirrus: 0, haze: 0 };

/** Where a longitude and latitude lie in the world; outside of it throws `outside-world`. */
export function toLocalPoint(longitude: number, latitude: number): LocalPoint {
  const [x, y] = makeToLocal()(longitude, latitude);
  const isInside = x >= 0 && y >= 0 && x < frame.sizeM && y < frame.sizeM;
  if (!isInside) {
    throw notFound(
      'outside-world',
      `The demo world lies between about -123.0 and -121.5 degrees east and 47.8 and 48.7 north; ${longitude}, ${latitude} is outside.`,
    );
  }
  return { x, y };
}

/** The truth at a location, at the size of the sensor's pixels. */
export function findTruth(world: World, point: LocalPoint, request: TruthRequest): Truth {
  const { sensor, atMs, sky } = request;
  const bands = toSpectralBands(sensor);
  const pixelM = Math.min(...sensor.bands.map(({ resolutionM }) => resolutionM));
  const survey = world.ground.survey(toPixel(point, pixelM));
  const take = (level: 'top' | 'surface', through: SkyPlan): Exposure =>
    expose(world, { survey, atMs, bands, sky: through, level });
  const surface = take('surface', CLEAR);
  const top = take('top', sky ?? CLEAR);
  const { slopeX, slopeY, heightM, fieldId } = survey;
  const steepness = Math.sqrt((slopeX[0] ?? 0) ** 2 + (slopeY[0] ?? 0) ** 2);
  const values = bands.map(({ name }, i) => ({
    name,
    surface: surface.planes[i]?.[0] ?? Number.NaN,
    top: top.planes[i]?.[0] ?? Number.NaN,
  }));
  const id = fieldId[0] ?? 0;
  return {
    heightM: heightM[0] ?? 0,
    slopeDeg: toDegrees(angleOf(steepness, 1)),
    cover: covers[surface.painted.cover[0] ?? 0] as Cover,
    field: id === 0 ? null : { id, meanNdvi: meanFieldNdvi(world, { id, point, atMs }) },
    bands: values,
    indices: toIndices(sensor, new Map(values.map(({ name, surface: value }) => [name, value]))),
    cloud: sky === null ? null : cloudAbove(top),
  };
}

const cloudAbove = ({ opaque, cirrus, shadow }: Exposure): Truth['cloud'] => {
  if (opaque[0] === 1) return 'opaque';
  if (cirrus[0] === 1) return 'cirrus';
  return shadow[0] === 1 ? 'shadow' : 'none';
};

/** Bands with a spectrum. Radar has none, because it does not measure reflectance. */
function toSpectralBands({ bands, title }: Sensor): readonly SpectralBand[] {
  const spectral = bands.flatMap(({ name, kind, centreNm, widthNm }) =>
    (kind === 'reflective' || kind === 'thermal') && centreNm !== null && widthNm !== null
      ? [{ name, kind, centreNm, widthNm }]
      : [],
  );
  if (spectral.length === 0) {
    throw unsupported('no-reflectance', `${title} measures no reflectance; choose an optical sensor.`);
  }
  return spectral;
}

/** One pixel around a location. */
const toPixel = ({ x, y }: LocalPoint, sideM: number): Locations => ({
  width: 1,
  height: 1,
  sideM,
  x: Float64Array.of(x),
  y: Float64Array.of(y),
});

function toIndices(sensor: Sensor, values: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const names = toExpressionNames(sensor);
  const indices: Record<string, number> = {};
  for (const alias of aliasNames) {
    if (findAlias(sensor, alias)?.kind !== 'index') continue;
    const tree = parseExpressions(alias, names);
    const [plane] = interpretTree(tree, {
      width: 1,
      height: 1,
      masks: tree.inputs.map(() => null),
      bands: tree.inputs.map(({ band }) => Float32Array.of(values.get(band) ?? Number.NaN)),
    });
    indices[alias] = plane?.values[0] ?? Number.NaN;
  }
  return indices;
}

/** Those of Sentinel-2, counted from the world's corner as in its products. */
const FIELD_PIXEL_M = 10;
/** No field is wider or longer than this. */
const MAX_FIELD_M = 2_000;
const RED_AND_NIR: readonly SpectralBand[] = [
  { name: 'RED', kind: 'reflective', centreNm: 665, widthNm: 31 },
  { name: 'NIR', kind: 'reflective', centreNm: 833, widthNm: 106 },
];

interface FieldRequest {
  readonly id: number;
  readonly point: LocalPoint;
  readonly atMs: number;
}

/** Mean of NDVI over a field's pixels of 10 m, below a clear sky. */
function meanFieldNdvi(world: World, { id, point, atMs }: FieldRequest): number {
  const survey: Survey = world.ground.survey(toFieldGrid(world.ground, id, point));
  const request = { survey, atMs, bands: RED_AND_NIR, sky: CLEAR, level: 'surface' } as const;
  const [red, nir] = expose(world, request).planes as readonly [Float32Array, Float32Array];
  let sum = 0;
  let count = 0;
  for (const [i, one] of survey.fieldId.entries()) {
    if (one !== id) continue;
    const [r, n] = [red[i] as number, nir[i] as number];
    sum += (n - r) / (n + r);
    count += 1;
  }
  return sum / count;
}

/** The pixels around a field that a location lies in. */
function toFieldGrid({ fieldsIn }: World['ground'], id: number, { x, y }: LocalPoint): Locations {
  const far = MAX_FIELD_M;
  const near = fieldsIn({ minX: x - far, minY: y - far, maxX: x + far, maxY: y + far });
  const field = near.find((one) => one.id === id);
  if (field === undefined) throw internal('no-such-field', `The field ${id} does not lie around ${x}, ${y}.`);
  const spanOf = (metres: readonly number[]) => {
    const from = Math.floor(Math.min(...metres) / FIELD_PIXEL_M);
    return { from, count: Math.ceil(Math.max(...metres) / FIELD_PIXEL_M) - from };
  };
  const columns = spanOf(field.ring.map(([east]) => east));
  const rows = spanOf(field.ring.map(([, south]) => south));
  const indices = Array.from({ length: columns.count * rows.count }, (_, i) => i);
  const middleOf = (pixel: number): number => (pixel + 0.5) * FIELD_PIXEL_M;
  return {
    width: columns.count,
    height: rows.count,
    sideM: FIELD_PIXEL_M,
    x: Float64Array.from(indices, (i) => middleOf(columns.from + (i % columns.count))),
    y: Float64Array.from(indices, (i) => middleOf(rows.from + Math.floor(i / columns.count))),
  };
}

/** Noon by the sun, on a day: when no scene says a better moment. */
export const noonOf = (day: number): number => (day + 20.15 / 24) * DAY_MS;
