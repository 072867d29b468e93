import { HOUR_MS } from '../../units.ts';
import type { HourlyVariable } from './hourly-variables.ts';
import type { HoursRequest } from './hours-request.ts';
import { wrongAnswer } from './weather-unavailable.ts';

/** Hours at one location, in the units and at the times of Open-Meteo; NaN for gaps. */
export interface LocationHours {
  /** Height of the ground to which temperatures are corrected; null if they are not. */
  readonly elevationM: number | null;
  /** In the order of the variables that were asked for. */
  readonly values: readonly Float64Array[];
}

/** Cells of coarse models are up to 1° wide; an answer from farther away belongs to another location. */
const MAX_DISTANCE_DEG = 2;

type Fields = Readonly<Record<string, unknown>>;

/** Parses the text of an answer as JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The message of JSON.parse quotes the text.
    throw wrongAnswer('not JSON');
  }
}

/** Reads an answer to a request for hours; one in which anything is not as asked for is refused whole. */
export function parseHours(answer: unknown, request: HoursRequest): readonly LocationHours[] {
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
