import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const DAY_S = 86_400;
const HOUR_S = 3_600;

/** A server that answers as Open-Meteo does. */
export interface OpenMeteoServer {
  readonly url: string;
  /** Every address that was asked for. */
  readonly requests: URL[];
  /** Answers instead of the server; false leaves the answer to it. */
  fault: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
  /** Changes each answer of one location before it is sent. */
  alter: (answer: OpenMeteoAnswer) => unknown;
  stop(): Promise<void>;
}

/** An answer for one location. */
export interface OpenMeteoAnswer {
  latitude: number;
  longitude: number;
  elevation?: number;
  hourly_units: Record<string, string>;
  hourly: Record<string, unknown[]> & { time: number[] };
  [field: string]: unknown;
}

interface ServerOptions {
  readonly nowMs: () => number;
  /** Hours of which nothing is known, as UNIX times. */
  readonly isGap?: (name: string, timeS: number) => boolean;
  /** Locations outside of the model. */
  readonly isOutside?: (lon: number, lat: number) => boolean;
  /** When the last run of each model began, by its folder. */
  readonly runs?: Readonly<Record<string, number>>;
}

/** A refusal in the words of Open-Meteo. */
class Refusal extends Error {}

/** Starts one. */
export async function startOpenMeteoServer(options: ServerOptions): Promise<OpenMeteoServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    self.requests.push(url);
    if (self.fault(request, response, url)) return;
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
    };
    try {
      const answer = answerTo(url, options, (one) => self.alter(one));
      if (answer === null) send(404, { error: true, reason: 'Not Found' });
      else send(200, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(400, { error: true, reason: error.message });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: OpenMeteoServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    fault: () => false,
    alter: (answer) => answer,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return self;
}

/* The weather of the Open-Meteo server of the tests: a formula for each variable, so that every value is known. */

/** Units as `hourly_units` writes them. */
const OPEN_METEO_UNITS: Readonly<Record<string, string>> = {
  temperature_2m: '°C',
  dew_point_2m: '°C',
  relative_humidity_2m: '%',
  precipitation: 'mm',
  snow_depth: 'm',
  wind_speed_10m: 'm/s',
  cloud_cover: '%',
  shortwave_radiation: 'W/m²',
  soil_temperature_0cm: '°C',
  soil_temperature_6cm: '°C',
  soil_temperature_0_to_7cm: '°C',
  soil_temperature_0_to_10cm: '°C',
};

/** Variables that only one of the two APIs has. */
const ONLY_FORECAST: readonly string[] = [
  'soil_temperature_0cm',
  'soil_temperature_6cm',
  'soil_temperature_0_to_10cm',
];

const hourOf = (timeS: number): number => (timeS / HOUR_S) % 24;
/** A number from 0 to 9 that each hour has. */
const digitOf = (timeS: number): number => (timeS / HOUR_S) % 10;
const round = (value: number): number => Math.round(value * 10) / 10;

/** The value that the server answers for a time; sums and means are of the hour before it. */
export function truthOf(name: string, lat: number, timeS: number): number {
  switch (name) {
    case 'temperature_2m':
      return round(lat / 10 + hourOf(timeS) / 2);
    case 'dew_point_2m':
      return round(lat / 10 - 5);
    case 'relative_humidity_2m':
      return 50 + hourOf(timeS);
    case 'precipitation':
      return round(digitOf(timeS) / 10);
    case 'snow_depth':
      return 0.25;
    case 'wind_speed_10m':
      return round(2 + digitOf(timeS) / 10);
    case 'cloud_cover':
      return 10 * digitOf(timeS);
    case 'shortwave_radiation':
      return 10 * hourOf(timeS);
    default:
      return round(lat / 10 + 1);
  }
}

/** Null for an unknown path. */
function answerTo(url: URL, options: ServerOptions, alter: OpenMeteoServer['alter']): unknown {
  const folder = /^\/data\/(\w+)\/static\/meta\.json$/.exec(url.pathname)?.[1];
  if (folder !== undefined) {
    const runMs = options.runs?.[folder];
    return runMs === undefined ? null : { last_run_initialisation_time: runMs / 1_000 };
  }
  if (url.pathname !== '/v1/forecast' && url.pathname !== '/v1/archive') return null;
  const isArchive = url.pathname === '/v1/archive';
  const { searchParams: query } = url;
  const [lats, lons] = [parseNumbers(query, 'latitude'), parseNumbers(query, 'longitude')];
  if (lats.length !== lons.length) {
    throw new Refusal("Parameter 'latitude' and 'longitude' must have the same number of elements");
  }
  const names = parseVariables(query.get('hourly') ?? '', isArchive);
  const [start, end] = parseDates(query, isArchive, options.nowMs());
  const units = { time: query.get('timeformat') ?? 'iso8601' };
  // Anything but GMT, UNIX times and metres per second would need answers of another form.
  if (units.time !== 'unixtime' || query.get('timezone') !== 'GMT' || query.get('wind_speed_unit') !== 'ms') {
    throw new Refusal('This server of tests answers in GMT, UNIX times and m/s only');
  }
  const answers = lats.map((lat, i) => {
    const lon = lons[i]!;
    checkCoordinates(lon, lat);
    if (options.isOutside?.(lon, lat)) throw new Refusal('No data is available for this location');
    return alter(toAnswer({ lat, lon, names, start, end, isGap: options.isGap ?? (() => false), index: i }));
  });
  return answers.length === 1 ? answers[0] : answers;
}

function parseNumbers(query: URLSearchParams, name: string): readonly number[] {
  const text = query.get(name);
  if (text === null) throw new Refusal(`Value required for key '${name}'.`);
  return text.split(',').map((word) => {
    const value = word === '' ? Number.NaN : Number(word);
    if (Number.isNaN(value)) throw new Refusal(`Invalid value '${word}' for '${name}'.`);
    return value;
  });
}

function checkCoordinates(lon: number, lat: number): void {
  if (Math.abs(lat) > 90) throw new Refusal(`Latitude must be in range of -90 to 90°. Given: ${lat}.`);
  if (Math.abs(lon) > 180) throw new Refusal(`Longitude must be in range of -180 to 180°. Given: ${lon}.`);
}

function parseVariables(text: string, isArchive: boolean): readonly string[] {
  return text.split(',').map((name) => {
    const isKnown = Object.hasOwn(OPEN_METEO_UNITS, name) && !(isArchive && ONLY_FORECAST.includes(name));
    if (isKnown) return name;
    throw new Refusal(`Cannot initialize WeatherVariable from invalid String value ${name} for key hourly`);
  });
}

function parseDates(query: URLSearchParams, isArchive: boolean, nowMs: number): readonly [number, number] {
  const today = Math.floor(nowMs / 1_000 / DAY_S) * DAY_S;
  const first = isArchive ? Date.UTC(1940, 0, 1) / 1_000 : today - 92 * DAY_S;
  const last = isArchive ? today - DAY_S : today + 15 * DAY_S;
  const [start, end] = (['start_date', 'end_date'] as const).map((name) => {
    const text = query.get(name) ?? '';
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
      throw new Refusal(`Invalid date format. Make sure to use 'YYYY-MM-DD'`);
    const time = Date.parse(text) / 1_000;
    if (time >= first && time <= last) return time;
    throw new Refusal(`Parameter '${name}' is out of allowed range from ${toDate(first)} to ${toDate(last)}`);
  }) as [number, number];
  if (end < start) throw new Refusal('End-date must be larger or equals than start-date');
  return [start, end + DAY_S];
}

const toDate = (timeS: number): string => new Date(timeS * 1_000).toISOString().slice(0, 10);

interface AnswerOptions {
  readonly lat: number;
  readonly lon: number;
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly isGap: (name: string, timeS: number) => boolean;
  readonly index: number;
}

function toAnswer({ lat, lon, names, start, end, isGap, index }: AnswerOptions): OpenMeteoAnswer {
  const time = Array.from({ length: (end - start) / HOUR_S }, (_, i) => start + i * HOUR_S);
  const hourly: OpenMeteoAnswer['hourly'] = { time };
  for (const name of names)
    hourly[name] = time.map((at) => (isGap(name, at) ? null : truthOf(name, lat, at)));
  return {
    // The middle of its cell.
    latitude: Math.round(lat * 10) / 10,
    longitude: Math.round(lon * 10) / 10,
    generationtime_ms: 0.1,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 100 + 10 * index,
    ...(index === 0 ? {} : { location_id: index }),
    hourly_units: Object.fromEntries([
      ['time', 'unixtime'],
      ...names.map((name) => [name, OPEN_METEO_UNITS[name]!] as const),
    ]),
    hourly,
  };
}
