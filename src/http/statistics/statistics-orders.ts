/** What orders of statistics say, on the three addresses that take them. */
import type { CheckedArea } from '../../areas/index.ts';
import { isSwathError } from '../../errors.ts';
import type { PointGeometry } from '../../geo/index.ts';
import type { HistogramBins } from '../../numbers/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { SoilMoistureRequest } from '../../soil-moisture/index.ts';
import { MAX_MOISTURE_DAYS } from '../../soil-moisture/index.ts';
import type { StoredStatistics } from '../../tasks/index.ts';
import type { ClassLevel, StatisticsOrder } from '../../zonal/index.ts';
import { isAlias, MAX_EXPRESSIONS, refuseExpression } from '../../zonal/index.ts';
import type { AreaDeps } from '../areas.ts';
import { findArea } from '../areas.ts';
import { badInput } from '../errors.ts';
import { readGeometry } from '../kit/bodies.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { toPoint } from '../kit/fields.ts';
import type { StatisticsRefusal } from './statistics-answers.ts';
import { RefusedStatistics } from './statistics-answers.ts';
import { findSensors, statisticsFields } from './statistics-fields.ts';

/** The limits of orders; docs/operate/limits.md. */
export interface StatisticsLimits {
  readonly scenes: number;
  readonly km2: number;
  readonly indices: number;
}

/** What an address calls its params, and what it takes for those that are left out. */
export interface StatisticsDefaults {
  /** Null where they are required. */
  readonly datasets: readonly string[] | null;
  readonly maxCloudPercent: number | null;
  readonly masked: StatisticsOrder['clouds']['masked'];
  /** What the parameter of the expressions is called there. */
  readonly expressionsName: 'bm_type' | 'expressions' | 'expression';
  /** Whether the limit of indices holds, and not only that of expressions. */
  readonly limitsIndices: boolean;
}

/** Defaults of `/api`: no clouds are masked, and no scene is left out (docs/use/statistics.md, "As a task"). */
export const DOWNLOAD_DEFAULTS: StatisticsDefaults = {
  datasets: [
    ...['landsat8', 'sentinel2', 'landsat4tm', 'landsat4mss', 'landsat5tm', 'landsat5mss'],
    ...['cbers4mux', 'cbers4awfi', 'cbers4pan10m'],
  ],
  maxCloudPercent: null,
  masked: 'none',
  expressionsName: 'bm_type',
  limitsIndices: false,
};

/** Defaults of `/api/gdw/api`: scenes with clouds in the area are left out. */
export const STATISTICS_DEFAULTS: StatisticsDefaults = {
  datasets: null,
  maxCloudPercent: 0,
  masked: 'sentinel-2',
  expressionsName: 'bm_type',
  limitsIndices: true,
};

/** Scenes that are used if the order does not say how many. */
const DEFAULT_SCENES = 100;

interface StatisticsDeps extends AreaDeps {
  readonly statisticsLimits: StatisticsLimits;
}

/** What params say. */
interface ReadParams<Order> {
  readonly order: Order;
  /** A GeoJSON geometry as text: it may be large. */
  readonly area: string;
}

/** An order of statistics as its task stores it. */
type ReadStatistics =
  | { readonly order: Extract<StoredStatistics, { kind: 'refused' }>; readonly area: null }
  | TakenStatistics;

/** One that was not refused. */
export interface TakenStatistics {
  readonly order: Exclude<StoredStatistics, { kind: 'refused' }>;
  /** JSON text. */
  readonly area: string;
}

/** Reads an order of statistics; a refusal with a code of the interface is what its poll will say. */
export async function readStatistics(
  params: Params,
  { request, defaults }: { readonly request: ApiRequest; readonly defaults: StatisticsDefaults },
  deps: StatisticsDeps,
): Promise<ReadStatistics> {
  const { ticket } = request;
  const isList = isIndexList(params);
  try {
    if (asksForMoisture(params)) {
      const { order, area } = await readMoistureParams(params, { ticket, defaults }, deps);
      return { order: { kind: 'soil-moisture', order, isList }, area };
    }
    const { order, area } = await readStatisticsParams(params, { ticket, defaults }, deps);
    return { order: { kind: 'scenes', order, isList }, area };
  } catch (error) {
    if (!(error instanceof RefusedStatistics)) throw error;
    return { order: { kind: 'refused', error: { code: error.code, message: error.message } }, area: null };
  }
}

/** Bytes of a scene in a document, for each expression, and of each count of its histogram. */
const SCENE_BYTES = 500;
const COUNT_BYTES = 6;

/** What a document will take at most, roughly. */
export function estimateDocument(stored: StoredStatistics): number {
  if (stored.kind === 'refused') return 0;
  if (stored.kind === 'soil-moisture') return SCENE_BYTES * stored.order.limit;
  const { limit, expressions, histogram } = stored.order;
  return (SCENE_BYTES + COUNT_BYTES * (histogram?.bins ?? 0)) * limit * expressions.length;
}

/** What is measured, and when. */
type MeasuredParams = Omit<StatisticsOrder, 'area' | 'limit' | 'sceneId'> & {
  /** Null if the order does not say. */
  readonly limit: number | null;
};

/** Reads what is measured, without where. What a code of the interface covers is thrown as `RefusedStatistics`. */
export function readMeasured(
  params: Params,
  defaults: StatisticsDefaults,
  limits: StatisticsLimits,
): MeasuredParams {
  const { expressionsName: name, limitsIndices } = defaults;
  const expressions = statisticsFields.bm_type.parse(params.bm_type, name);
  refuseManyIndices(expressions, { name, max: limitsIndices ? limits.indices : MAX_EXPRESSIONS });
  const limit = statisticsFields.limit.read(params);
  if (limit !== null) refuseManyScenes(limit, limits);
  const clouds = {
    maxPercent: statisticsFields.max_cloud_cover_in_aoi.read(params) ?? defaults.maxCloudPercent,
    masked: readMasked(params, defaults.masked),
    level: (statisticsFields.cloud_masking_level.read(params) || null) as ClassLevel | null,
  };
  const histogram = statisticsFields.histogram.read(params);
  refuseManyCounts(histogram, {
    expressions: expressions.length,
    limit: limit ?? toDefaultLimit(limits),
  });
  const ordered = chooseOrdered(statisticsFields.sensors.read(params), defaults.datasets);
  const { from, to } = readDates(params);
  const datasets = chooseSensors(expressions, ordered, name).map(({ dataset }) => dataset);
  return { from, to, datasets, expressions, limit, clouds, histogram };
}

/** Reads the params of statistics of scenes. */
async function readStatisticsParams(
  params: Params,
  { ticket, defaults }: { readonly ticket: Ticket; readonly defaults: StatisticsDefaults },
  deps: StatisticsDeps,
): Promise<ReadParams<Omit<StatisticsOrder, 'area'>>> {
  const limits = deps.statisticsLimits;
  const measured = readMeasured(params, defaults, limits);
  const area = await readStatisticsArea(params, ticket, deps);
  return { order: { ...measured, limit: measured.limit ?? toDefaultLimit(limits) }, area };
}

const DAY_MS = 86_400_000;

/** What asks for soil moisture, as an index and as a sensor. */
const SOIL_MOISTURE = 'soilmoisture';

const isMoisture = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim().toLowerCase() === SOIL_MOISTURE
    : Array.isArray(value) && value.length === 1 && isMoisture(value[0]);

/** Whether an order is one of soil moisture. */
const asksForMoisture = ({ bm_type: index, sensors }: Params): boolean =>
  isMoisture(index) || isMoisture(sensors);

/** Reads the params of soil moisture: an area or a point, a period, and how many days at most. */
async function readMoistureParams(
  params: Params,
  { ticket, defaults }: { readonly ticket: Ticket; readonly defaults: StatisticsDefaults },
  deps: StatisticsDeps,
): Promise<ReadParams<Omit<SoilMoistureRequest, 'where'> & { readonly limit: number }>> {
  const { bm_type: index = SOIL_MOISTURE, sensors = SOIL_MOISTURE } = params;
  if (!isMoisture(sensors))
    throw new RefusedStatistics('statistics-sensors', 'sensors of soil moisture must be soilmoisture.');
  if (!isMoisture(index)) {
    throw new RefusedStatistics(
      'statistics-expression',
      `${defaults.expressionsName} of soil moisture must be soilmoisture.`,
    );
  }
  const limit = readLimit(params, deps.statisticsLimits);
  const { from, to } = readDates(params);
  const days = 1 + (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days > MAX_MOISTURE_DAYS) {
    throw badInput(
      'too-many-days',
      `date_start ${from} and date_end ${to} span ${days} days; soil moisture is read of ${MAX_MOISTURE_DAYS} at most.`,
    );
  }
  const point = readPoint(params.geometry);
  const area = point === null ? await readStatisticsArea(params, ticket, deps) : JSON.stringify(point);
  return { order: { from, to, limit }, area };
}

/** A point, or a feature of one; null for anything else. */
function readPoint(geometry: unknown): PointGeometry | null {
  const point = toPoint(geometry);
  if (point !== 'malformed') return point;
  throw new RefusedStatistics(
    'statistics-geometry-malformed',
    'geometry: a Point needs coordinates: [longitude, latitude] in degrees.',
  );
}

/** Whether `bm_type` is a list: then results are by index. */
const isIndexList = ({ bm_type: value }: Params): boolean => Array.isArray(value);

function refuseManyIndices(
  { length }: readonly string[],
  { name, max }: { readonly name: string; readonly max: number },
): void {
  if (length > max) throw badInput('too-many-indices', `${name} has ${length} indices; the limit is ${max}.`);
}

function readLimit(params: Params, limits: StatisticsLimits): number {
  const limit = statisticsFields.limit.read(params) ?? toDefaultLimit(limits);
  refuseManyScenes(limit, limits);
  return limit;
}

const toDefaultLimit = ({ scenes }: StatisticsLimits): number => Math.min(DEFAULT_SCENES, scenes);

function refuseManyScenes(limit: number, { scenes }: StatisticsLimits): void {
  if (limit > scenes)
    throw new RefusedStatistics('statistics-scene-limit', `limit is ${limit}, and may be ${scenes} at most.`);
}

function readMasked(
  params: Params,
  fallback: StatisticsOrder['clouds']['masked'],
): StatisticsOrder['clouds']['masked'] {
  const isMasked = statisticsFields.exclude_cover_pixels.read(params) ?? fallback !== 'none';
  if (!isMasked) return 'none';
  return fallback === 'none' ? 'sentinel-2' : fallback;
}

/** Numbers in the histograms of one order: a document of about 2 MB, as large as that of the statistics themselves. */
const MAX_COUNTS = 500_000;

function refuseManyCounts(
  histogram: HistogramBins | null,
  { expressions, limit }: { readonly expressions: number; readonly limit: number },
): void {
  if (histogram === null) return;
  const { bins } = histogram;
  const counts = bins * expressions * limit;
  if (counts > MAX_COUNTS) {
    throw badInput(
      'bad-histogram',
      `histogram.bins (${bins}) times the number of expressions (${expressions}) times limit (${limit}) is ${counts}, and may be ${MAX_COUNTS} at most.`,
    );
  }
}

/** The sensors of an order; where it has none, those of its address. */
function chooseOrdered(
  given: readonly Sensor[] | null,
  fallback: readonly string[] | null,
): readonly Sensor[] {
  if (given !== null) return given;
  if (fallback === null)
    throw new RefusedStatistics('statistics-sensors', 'sensors is required: one or more dataset ids.');
  return findSensors(fallback);
}

/** The sensors that have all expressions; refuses what none of them has, and band math of several sensors. */
function chooseSensors(
  expressions: readonly string[],
  ordered: readonly Sensor[],
  name: string,
): readonly Sensor[] {
  if (ordered.length > 1) {
    const other = expressions.find((text) => !ordered.some((sensor) => isAlias(text, sensor)));
    if (other !== undefined) {
      throw new RefusedStatistics(
        'statistics-expression',
        `${name}: only aliases are supported for multiple sensors; ${JSON.stringify(other.slice(0, 80))} is none.`,
      );
    }
  }
  const refusals = ordered.map((sensor) =>
    expressions.reduce<string | null>((refusal, text) => refusal ?? refuseExpression(text, sensor), null),
  );
  const able = ordered.filter((_, i) => refusals[i] === null);
  if (able.length === 0)
    throw new RefusedStatistics('statistics-expression', `${name}: ${refusals[0] ?? 'is not valid.'}`);
  return able;
}

function readDates(params: Params): { readonly from: string; readonly to: string } {
  const from = statisticsFields.date_start.read(params);
  const to = statisticsFields.date_end.read(params);
  if (from <= to) return { from, to };
  throw new RefusedStatistics(
    'statistics-dates-reversed',
    `date_start ${from} is later than date_end ${to}.`,
  );
}

const AREA_REFUSALS: Readonly<Record<string, StatisticsRefusal>> = {
  malformed: 'statistics-geometry-malformed',
  type: 'statistics-geometry-type',
  invalid: 'statistics-geometry-invalid',
  'too-large': 'statistics-geometry-invalid',
};

/** The area by `geometry` or `cropper_ref`. */
async function readStatisticsArea(params: Params, ticket: Ticket, deps: StatisticsDeps): Promise<string> {
  const ref = statisticsFields.cropper_ref.read(params) ?? '';
  const geometry = statisticsFields.geometry.read(params);
  if (geometry === null && ref === '') {
    throw new RefusedStatistics(
      'statistics-no-geometry',
      'No geometry is provided: geometry or cropper_ref is required.',
    );
  }
  if (geometry !== null && ref !== '')
    throw badInput('several-areas', 'Only one of geometry and cropper_ref may be given.');
  const { geometry: area, km2 } =
    geometry === null ? await findArea(ref, deps.areas) : await checkArea(geometry, ticket, deps);
  const max = deps.statisticsLimits.km2;
  if (km2 > max) {
    throw new RefusedStatistics(
      'statistics-area',
      `The area has ${km2.toFixed(1)} km²; maximum extent size exceeded (${max} km²).`,
    );
  }
  return area;
}

async function checkArea(
  geometry: unknown,
  ticket: Ticket,
  { areaParser }: StatisticsDeps,
): Promise<CheckedArea> {
  try {
    return await readGeometry('geometry', geometry, { areaParser, ticket });
  } catch (error) {
    const kind = isSwathError(error) ? error.details.kind : null;
    const refusal = typeof kind === 'string' ? AREA_REFUSALS[kind] : undefined;
    if (refusal === undefined || !isSwathError(error)) throw error;
    const types = refusal === 'statistics-geometry-type' ? ' Valid types are Polygon and MultiPolygon.' : '';
    throw new RefusedStatistics(refusal, `${error.message}${types}`);
  }
}
