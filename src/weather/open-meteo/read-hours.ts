import type { TtlCache } from '../../async/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import type { ProvidedWeather } from '../weather-provider.ts';
import type { WeatherVariable } from '../weather-series.ts';
import { joinHours } from '../weather-series.ts';
import type { ServerAccess } from './ask-server.ts';
import { toCallCount, wrongAnswer } from './ask-server.ts';
import type { HourlyVariable, HoursRequest, OpenMeteoApi } from './hours-request.ts';
import { toPath } from './hours-request.ts';

/** Hours of weather in our units: each value is of the hour that begins. */
export interface HourSteps {
  readonly startMs: number;
  readonly stepCount: number;
  readonly values: Readonly<Partial<Record<WeatherVariable, Float64Array>>>;
  /** Height of the ground to which temperatures are corrected; null if they are not. */
  readonly elevationM: number | null;
}

/** Hours as they are cached, with their model run. */
export interface ReadHours {
  /** Null where the model has nothing. */
  readonly steps: HourSteps | null;
  /** Null if it is not known. */
  readonly runMs: number | null;
}

/** What the readers of histories and forecasts share. */
export interface ReaderContext {
  readonly access: ServerAccess;
  /** Each reader sets the TTL of its answers. */
  readonly cache: TtlCache<ReadHours>;
  /** Names of `models=`; null for the server's own choice. */
  readonly models: Readonly<Record<OpenMeteoApi, string | null>>;
  readonly nowMs: () => number;
}

/** A number, its comma, and room for unneeded digits. */
const BYTES_OF_VALUE = 32;
/** Everything in an answer except its arrays. */
const BYTES_OF_LOCATION = 16_384;

/** Reads `stepCount` hours from the start of a request; null where the model has none. */
export function readHours(
  { ask, toUrl }: ServerAccess,
  request: HoursRequest,
  stepCount: number,
  signal: AbortSignal,
): Promise<HourSteps | null> {
  const { api, locations, variables } = request;
  const days = (request.endMs - request.startMs) / DAY_MS;
  const valueCount = ((request.endMs - request.startMs) / HOUR_MS) * (variables.length + 1);
  return ask[api]({
    url: toUrl(api, toPath(request)),
    maxBytes: locations.length * (BYTES_OF_LOCATION + valueCount * BYTES_OF_VALUE),
    calls: toCallCount({ variables: variables.length, days, locations: locations.length }),
    signal,
    parse: (answer) => toSteps(parseHours(answer, request), request, stepCount),
  });
}

/**
 * The mean of all locations, as steps. Sums and means of an hour stand at its end in Open-Meteo: each is moved to the
 * step before, and the last step of them is a gap if `stepCount` leaves no hour after it.
 */
export function toSteps(
  answers: readonly LocationHours[],
  { locations, variables, startMs }: HoursRequest,
  stepCount: number,
): HourSteps {
  // Cells of equal degrees have areas like the cosine of their latitude.
  const weights = locations.map(([, lat]) => Math.max(1e-6, Math.cos((lat * Math.PI) / 180)));
  const values: Partial<Record<WeatherVariable, Float64Array>> = {};
  for (const [v, { variable, factor, isOfPrecedingHour }] of variables.entries()) {
    const columns = answers.map((answer) => answer.values[v]!);
    values[variable] = toMeans(columns, weights, { stepCount, factor, shift: isOfPrecedingHour ? 1 : 0 });
  }
  return { startMs, stepCount, values, elevationM: meanElevation(answers, weights) };
}

/** Means of the locations that have a value; a gap where none has. */
function toMeans(
  columns: readonly Float64Array[],
  weights: readonly number[],
  {
    stepCount,
    factor,
    shift,
  }: { readonly stepCount: number; readonly factor: number; readonly shift: number },
): Float64Array {
  const means = new Float64Array(stepCount);
  for (let i = 0; i < stepCount; i++) {
    let [sum, weight] = [0, 0];
    for (let c = 0; c < columns.length; c++) {
      // Past the end there is nothing, which is a gap too.
      const value = columns[c]![i + shift];
      if (value === undefined || Number.isNaN(value)) continue;
      sum += value * weights[c]!;
      weight += weights[c]!;
    }
    means[i] = weight === 0 ? Number.NaN : (sum / weight) * factor;
  }
  return means;
}

function meanElevation(answers: readonly LocationHours[], weights: readonly number[]): number | null {
  let [sum, weight] = [0, 0];
  for (const [i, { elevationM }] of answers.entries()) {
    if (elevationM === null) return null;
    sum += elevationM * weights[i]!;
    weight += weights[i]!;
  }
  return sum / weight;
}

/** Joins the steps of a span of time from several parts; later parts win. */
export function joinSteps(parts: readonly HourSteps[], startMs: number, stepCount: number): HourSteps {
  const elevationM = parts.find((part) => part.elevationM !== null)?.elevationM ?? null;
  return { startMs, stepCount, values: joinHours(parts, startMs, stepCount), elevationM };
}

/** Steps with their lineage; null if there are no values. */
export function toProvided(
  { startMs, stepCount, values, elevationM }: HourSteps,
  models: readonly (string | null)[],
  runMs: number | null,
): ProvidedWeather | null {
  if (Object.keys(values).length === 0) return null;
  const names = new Set(models.map((model) => model ?? 'best_match'));
  return {
    series: { stepHours: 1, startMs, stepCount, utcOffsetHours: 0, values },
    lineage: {
      source: `open-meteo:${[...names].join('+')}`,
      runMs,
      // Each location is a cell.
      method: 'mean of cells',
      correctedToM: elevationM,
    },
  };
}

/** Hours at one location, in the units and at the times of Open-Meteo; NaN for gaps. */
interface LocationHours {
  /** Height of the ground to which temperatures are corrected; null if they are not. */
  readonly elevationM: number | null;
  /** In the order of the requested variables. */
  readonly values: readonly Float64Array[];
}

/** Cells of coarse models are up to 1° wide; an answer from farther away belongs to another location. */
const MAX_DISTANCE_DEG = 2;

type Fields = Readonly<Record<string, unknown>>;

/** Parses the answer to a request for hours; an answer that differs from the request anywhere is refused as a whole. */
function parseHours(answer: unknown, request: HoursRequest): readonly LocationHours[] {
  // One location is answered by an object, several by an array of them.
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  if (all.length !== request.locations.length) {
    throw wrongAnswer(`${all.length} locations instead of ${request.locations.length}`);
  }
  return all.map((one, i) => parseLocation(one, request, i));
}

function parseLocation(answer: unknown, request: HoursRequest, index: number): LocationHours {
  const fields = toFields(answer, 'a location');
  checkPosition(fields, request, index);
  const hourly = toFields(fields.hourly, 'hourly');
  const units = toFields(fields.hourly_units, 'hourly_units');
  const hours = (request.endMs - request.startMs) / HOUR_MS;
  checkTimes(hourly.time, units.time, request.startMs, hours);
  const { elevation } = fields;
  return {
    // It is left out where there is none.
    elevationM:
      elevation === undefined || elevation === null ? null : toNumber(elevation, -500, 9_000, 'elevation'),
    values: request.variables.map((variable) => parseValues(hourly, units, variable, hours)),
  };
}

function checkPosition(fields: Fields, { locations }: HoursRequest, index: number): void {
  const [lon, lat] = locations[index]!;
  const foundLat = toNumber(fields.latitude, -90, 90, 'latitude');
  const foundLon = toNumber(fields.longitude, -360, 360, 'longitude');
  const turns = Math.abs(foundLon - lon) % 360;
  const isNear =
    Math.abs(foundLat - lat) <= MAX_DISTANCE_DEG && Math.min(turns, 360 - turns) <= MAX_DISTANCE_DEG;
  if (!isNear) throw wrongAnswer('another location');
}

function checkTimes(times: unknown, units: unknown, startMs: number, hours: number): void {
  if (units !== 'unixtime') throw wrongAnswer('units of time');
  if (!Array.isArray(times) || times.length !== hours) throw wrongAnswer('number of times');
  const startS = startMs / 1_000;
  for (let i = 0; i < hours; i++) if (times[i] !== startS + i * 3_600) throw wrongAnswer('a time');
}

function parseValues(
  hourly: Fields,
  allUnits: Fields,
  { name, units, min, max, lowest, highest }: HourlyVariable,
  hours: number,
): Float64Array {
  const [found, foundUnits] = [hourly[name], allUnits[name]];
  if (!Array.isArray(found) || found.length !== hours) throw wrongAnswer(`number of values of ${name}`);
  const values = new Float64Array(hours);
  let known = 0;
  for (let i = 0; i < hours; i++) {
    const value: unknown = found[i];
    if (value === null) values[i] = Number.NaN;
    else {
      values[i] = Math.min(highest, Math.max(lowest, toNumber(value, min, max, `a value of ${name}`)));
      known += 1;
    }
  }
  // A model that does not have the variable says null for each hour, and `undefined` instead of its units.
  if (foundUnits !== units && known > 0) throw wrongAnswer(`units of ${name}`);
  return values;
}

function toFields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongAnswer(`no ${what}`);
  return value as Fields;
}

function toNumber(value: unknown, min: number, max: number, what: string): number {
  if (typeof value !== 'number' || !(value >= min && value <= max)) throw wrongAnswer(what);
  return value;
}
