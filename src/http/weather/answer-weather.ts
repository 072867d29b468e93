import { answerCached } from '../answer/cached-answer.ts';
import { toServerTiming } from '../answer/server-timing.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { askWeather } from './ask-weather.ts';
import { addLineage } from './lineage-headers.ts';
import type { WeatherDeps } from './weather-deps.ts';
import type { WeatherQuestion } from './weather-documents.ts';

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
  { readWeather, now }: Pick<WeatherDeps, 'readWeather' | 'now'>,
): Promise<Response> {
  const { bytes, digest, lineage, utcOffsetHours } = await askWeather(
    (signal) => readWeather(question, signal),
    request.ticket,
  );
  const readAt = performance.now();
  const type = TYPES[question.form];
  const response = await answerCached(request, { content: digest, type, maxAgeS, read: async () => bytes });
  const { headers } = response;
  headers.append('vary', 'accept');
  addLineage(headers, { lineage, utcOffsetHours, nowMs: now().getTime() });
  headers.set(
    'server-timing',
    toServerTiming({ weather: readAt - startedAt, total: performance.now() - startedAt }),
  );
  return response;
}
