/** What all requests about weather have: where and when, and how they are answered. */

import type { CheckedArea } from '../../areas/index.ts';
import { isSwathError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Ticket } from '../../pool/index.ts';
import type { WeatherLineage } from '../../weather/index.ts';
import type { AreaDeps } from '../areas.ts';
import { geometrySchema } from '../areas.ts';
import { badInput, cancelled, notFound, tooLarge, unavailable } from '../errors.ts';
import { fieldOfBody, groupOfBody } from '../fields/take-field.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCached, toServerTiming } from '../kit/answers.ts';
import { readGeometry } from '../kit/bodies.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, refuseField, text, toPoint, unread } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';
import type { ReadWeatherDocument, WeatherQuestion } from './weather-documents.ts';

const pointSchema = json.object({
  type: json.literal('Point'),
  coordinates: json.list(json.number(), {
    min: 2,
    max: 4,
    description: 'Longitude and latitude in degrees.',
  }),
});

const featureSchema = json.object({
  'type?': json.literal('Feature'),
  'properties?': json.nullable(json.map(json.any())),
  geometry: geometrySchema,
});

const pointFeatureSchema = json.object({ type: json.literal('Feature'), geometry: pointSchema });

/** The fields of a body that say where. */
export const locationFields = defineFields({
  geometry: unread(json.union([geometrySchema, pointSchema, featureSchema, pointFeatureSchema]), {
    description: 'A Polygon, MultiPolygon or Point in longitude and latitude, or a Feature of one.',
  }),
  polygon_id: text({ description: 'The cropper_ref of a stored area.' }),
  field: fieldOfBody,
  group: groupOfBody,
});

/** Whether a body names a stored area; programs send an empty text for an id that they do not have. */
const hasPolygonId = ({ polygon_id: id }: Params): boolean => (id ?? '') !== '';

/** The fields of a body: an object that says where, whatever is wrong with the rest of it. */
export function parseFields(body: unknown): Params {
  if (!isObject(body))
    throw badInput('bad-body', 'The body must be an object with a geometry or a polygon_id.');
  // The sentence is that of the interface: programs compare it.
  if ((body.geometry ?? null) === null && !hasPolygonId(body))
    throw badInput('no-location', 'Geometry or polygon_id are required.');
  return body;
}

/** A large country. Its weather is the mean of some 1,400 cells of a quarter of a degree, each a series to be read. */
const MAX_KM2 = 1_000_000;

/**
 * Reads the location of a body as the text of a GeoJSON geometry. `wins` is the field that counts if both are given; the other
 * one is used if it is left out.
 */
export async function readLocation(
  params: Params,
  { wins, ticket }: { readonly wins: keyof typeof locationFields; readonly ticket: Ticket },
  { areas, areaParser }: AreaDeps,
): Promise<string> {
  const geometry = locationFields.geometry.read(params);
  if (hasPolygonId(params) && (geometry === null || wins === 'polygon_id')) {
    const area = await areas.find(locationFields.polygon_id.read(params) ?? '');
    if (area === null) throw notFound('unknown-area', 'There is no area with this polygon_id.');
    return refuseVast(area);
  }
  const point = toPoint(geometry);
  if (point === 'malformed')
    throw badInput('bad-geometry', 'geometry: a Point needs coordinates: [longitude, latitude] in degrees.');
  return point === null
    ? refuseVast(await readGeometry('geometry', geometry, { areaParser, ticket }))
    : JSON.stringify(point);
}

function refuseVast({ geometry, km2 }: Pick<CheckedArea, 'geometry' | 'km2'>): string {
  if (km2 <= MAX_KM2) return geometry;
  throw tooLarge(
    'area-too-large',
    `The area has ${Math.round(km2)} km²; the weather of at most ${MAX_KM2} km² can be asked for.`,
  );
}

/** Local days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A day that must be there. */
export const day = (description?: string): Field<string> => ({
  schema: json.string({ description }),
  isRequired: true,
  parse(value, name) {
    const parsed = parseDay(value);
    if (parsed === null) throw refuseField(name, 'must be a date such as 2026-06-21 (YYYY-MM-DD).');
    return parsed;
  },
});

const DAY_MS = 86_400_000;

/** Refuses days that run backwards, or are too many. */
export function checkPeriod(from: string, to: string, maxDays: number): Period {
  if (from > to) throw badInput('dates-reversed', `start_date ${from} is later than end_date ${to}.`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days > maxDays) {
    throw badInput(
      'period-too-long',
      `start_date and end_date span ${days} days; the limit is ${maxDays} days.`,
    );
  }
  return { from, to };
}

/** What weather is answered with. */
export interface WeatherDeps extends AreaDeps {
  readonly readWeather: ReadWeatherDocument;
  /** The wall clock: the age of a run counts from it. */
  readonly wallClockMs: () => number;
  /** How long clients may cache what no longer changes. */
  readonly maxAgeS: number;
}

/** What the headers of an answer say, for the documentation. */
const lineageDocs = {
  'x-weather-source': 'The provider and its data set, such as grid:era5.',
  'x-weather-run': 'When the model run began, or the newest analysis was made; absent if it is not known.',
  'x-weather-age': 'Seconds since then.',
  'x-weather-method': 'How values were taken: mean of cells, interpolated, or nearest station.',
  'x-weather-day': 'The clock of the days, such as UTC+02:00; absent of hours and normals.',
  'x-weather-elevation': 'Metres; present if temperatures were corrected to this height.',
} as const;

/** The origin of an answer, for its headers. */
interface AnswerOrigin {
  readonly lineage: WeatherLineage;
  /** Hours that the midnights of its days are ahead of UTC; null without days. */
  readonly utcOffsetHours: number | null;
  readonly nowMs: number;
}

/** Adds the origin of an answer to its headers. */
function addLineage(headers: Map<string, string>, { lineage, utcOffsetHours, nowMs }: AnswerOrigin): void {
  const { source, runMs, method, correctedToM } = lineage;
  // Dataset names may come from providers: a character that headers do not allow would make the answer fail.
  headers.set('x-weather-source', source.replace(/[^\x20-\x7e]/g, '?'));
  headers.set('x-weather-method', method);
  if (runMs !== null) {
    headers.set('x-weather-run', new Date(runMs).toISOString().replace('.000Z', 'Z'));
    headers.set('x-weather-age', String(Math.max(0, Math.round((nowMs - runMs) / 1000))));
  }
  if (utcOffsetHours !== null) headers.set('x-weather-day', toClock(utcOffsetHours));
  if (correctedToM !== null) headers.set('x-weather-elevation', String(Math.round(correctedToM)));
}

/** Such as UTC+05:30. */
function toClock(offsetHours: number): string {
  const minutes = Math.round(Math.abs(offsetHours) * 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `UTC${offsetHours < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The answers of all weather, for the documentation. */
export const toWeatherAnswers = (
  description: string,
  content: Readonly<Record<string, JsonSchema | null>>,
): Endpoint['answers'] => ({
  200: { description, content, headers: lineageDocs },
  304: { description: 'The answer you have (If-None-Match) is still current.', headers: lineageDocs },
  400: {
    description: 'The body is malformed, or neither geometry nor polygon_id is there (no-location).',
  },
  404: {
    description: 'No such area, or no source has weather for this location and these days (no-weather).',
  },
  413: { description: 'The body is too large.' },
  422: {
    description: 'The area cannot be used; the code names the rule it breaks (area-too-large, area-…).',
  },
  503: {
    description:
      'No source can answer now (weather-unavailable); retry after the number of seconds in Retry-After.',
  },
});

/** Max age of answers that may change: model runs arrive every six hours, at any time of the day. */
const SHORT_S = 600;

/** Analyses are revised for some days: ERA5 is complete after five. */
const SETTLED_MS = 10 * 86_400_000;

/** How long clients may cache a forecast. */
export const toForecastAge = (maxAgeS: number): number => Math.min(maxAgeS, SHORT_S);

/** How long clients may cache a history: less while its last days may still change. */
export const toHistoryAge = (
  { to }: Period,
  { nowMs, maxAgeS }: { readonly nowMs: number; readonly maxAgeS: number },
): number => (Date.parse(to) < nowMs - SETTLED_MS ? maxAgeS : toForecastAge(maxAgeS));

/** When clients may retry: a brief network failure is over by then. */
const RETRY_AFTER_S = 30;

/** Asks for weather that must be there, and says why it is not. */
export async function askWeather<Found>(
  ask: (signal: AbortSignal | undefined) => Promise<Found | null>,
  { signal }: Pick<Ticket, 'signal'>,
): Promise<Found> {
  let found: Found | null;
  try {
    found = await ask(signal);
  } catch (error) {
    if (signal?.aborted) throw cancelled('cancelled', 'The client has gone.', { cause: error });
    throw isOfSource(error) ? toUnavailable(error) : error;
  }
  if (found !== null) return found;
  throw notFound(
    'no-weather',
    'No source has weather for this location and these days. The operator can take files in (swath ingest weather), or let Open-Meteo answer (SWATH_WEATHER_PROVIDERS=grid,open-meteo).',
  );
}

const isOfSource = (error: unknown): boolean =>
  isSwathError(error) && (error.tag === 'source-broken' || error.tag === 'timed-out');

/** A failing source is not the request's fault, whatever failed: the log has the cause. */
const toUnavailable = (cause: unknown): Error =>
  unavailable(
    'weather-unavailable',
    `No source of weather can answer at the moment; ask again in ${RETRY_AFTER_S} seconds.`,
    { cause, details: { retryAfterS: RETRY_AFTER_S } },
  );

const CSV = /\btext\/csv\b/i;

/** CSV where `Accept` says so, and JSON otherwise. */
export const readForm = ({ headers }: Pick<ApiRequest, 'headers'>): WeatherQuestion['form'] =>
  CSV.test(headers.get('accept') ?? '') ? 'csv' : 'json';

const TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' } as const;

/**
 * Has a question answered. RFC 9110 has 304 for GET and HEAD alone. These requests change nothing: a client that sends
 * the tag of an answer wants to know the same as with GET.
 */
export async function answerWeather(
  request: ApiRequest,
  question: WeatherQuestion,
  { startedAt, maxAgeS }: { readonly startedAt: number; readonly maxAgeS: number },
  { readWeather, wallClockMs }: Pick<WeatherDeps, 'readWeather' | 'wallClockMs'>,
): Promise<Answer> {
  const { bytes, digest, lineage, utcOffsetHours } = await askWeather(
    (signal) => readWeather(question, signal),
    request.ticket,
  );
  const readAt = performance.now();
  const type = TYPES[question.form];
  const response = await answerCached(request, { content: digest, type, maxAgeS, read: async () => bytes });
  const { headers } = response;
  headers.set('vary', `${headers.get('vary')}, accept`);
  addLineage(headers, { lineage, utcOffsetHours, nowMs: wallClockMs() });
  headers.set(
    'server-timing',
    toServerTiming({ weather: readAt - startedAt, total: performance.now() - startedAt }),
  );
  return response;
}
