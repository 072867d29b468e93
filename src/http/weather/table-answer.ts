import { answerCached } from '../answer/cached-answer.ts';
import { toCsv } from '../answer/csv.ts';
import { toServerTiming } from '../answer/server-timing.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { AnswerOrigin } from './lineage-headers.ts';
import { addLineage } from './lineage-headers.ts';

/** Values by the names of the wire. */
export type Row = Readonly<Record<string, string | number | null>>;

interface Answered {
  readonly origin: AnswerOrigin;
  readonly maxAgeS: number;
  /** When the request was taken up, and when the weather had been read; monotonic. */
  readonly startedAt: number;
  readonly readAt: number;
}

type Request = Pick<ApiRequest, 'headers'>;

/** Rows with the same fields, as a table or in JSON. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The JSON; the list of rows without. */
  readonly json?: object;
}

const CSV = /\btext\/csv\b/i;

/** Answers with rows: JSON, or CSV where `Accept` says so. */
export function answerTable(
  request: Request,
  { columns, rows, json }: Table,
  answered: Answered,
): Promise<Response> {
  if (!CSV.test(request.headers.get('accept') ?? '')) return answerJson(request, json ?? rows, answered);
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))];
  return answer(request, { content: toCsv(lines), type: 'text/csv; charset=utf-8' }, answered);
}

/** Answers with JSON. */
export const answerJson = (request: Request, value: object, answered: Answered): Promise<Response> =>
  answer(request, { content: JSON.stringify(value), type: 'application/json' }, answered);

/**
 * RFC 9110 has 304 for GET and HEAD alone. These requests change nothing: a client that sends the tag of an answer wants to
 * know the same as with GET.
 */
async function answer(
  request: Request,
  { content, type }: { readonly content: string; readonly type: string },
  { origin, maxAgeS, startedAt, readAt }: Answered,
): Promise<Response> {
  const response = await answerCached(request, { content, type, maxAgeS, read: async () => content });
  const { headers } = response;
  headers.append('vary', 'accept');
  addLineage(headers, origin);
  headers.set(
    'server-timing',
    toServerTiming({ weather: readAt - startedAt, total: performance.now() - startedAt }),
  );
  return response;
}
