import type { ErrorTag, SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import { Answer } from '../kit/answers.ts';
import { toRateHeaders } from './rates.ts';

/** The one table from kinds of errors to HTTP statuses. */
const statusByTag: Readonly<Record<ErrorTag, number>> = {
  'bad-input': 400,
  unsupported: 422,
  'not-found': 404,
  'not-allowed': 403,
  conflict: 409,
  'too-large': 422,
  'too-busy': 503,
  unavailable: 503,
  'source-broken': 502,
  'timed-out': 504,
  // The client has gone and reads nothing; 499 is what proxies log for that.
  cancelled: 499,
  internal: 500,
};

/** Codes whose status differs from their kind's. */
const statusByCode: Readonly<Record<string, number>> = {
  'no-key': 401,
  'path-too-long': 414,
  'query-too-long': 414,
  'body-too-large': 413,
  'method-not-allowed': 405,
  'rate-limited': 429,
  'write-rate-limited': 429,
  'work-limited': 429,
  'statistics-rate-limited': 429,
  'open-rate-limited': 429,
  'too-many-wrong-keys': 429,
  'workers-down': 503,
  'too-many-areas': 402,
  'area-storage-full': 402,
  'too-many-colormaps': 402,
  'task-storage-full': 402,
  'task-areas-full': 402,
  'too-many-tasks': 429,
  'unknown-expectation': 417,
  'link-expired': 410,
  'link-revoked': 410,
  'other-state': 412,
  'no-such-range': 416,
};

const STORE_AWAY = 'The store does not answer at the moment.';
const STORE_UNUSABLE = 'The store cannot be used at the moment.';

/**
 * Failures of the store, and what users read of them: 503, because the request is not at fault. The message itself is for
 * operators, in the log and on the command line: it names paths and settings.
 */
const storeSentences: Readonly<Record<string, string>> = {
  'store-full':
    'Nothing can be stored at the moment, because the disk of the store is full. Reading goes on.',
  'store-read-only':
    'Nothing can be stored at the moment, because the store can only be read. Reading goes on.',
  'store-io-error': 'The store cannot be read or written at the moment.',
  'store-busy': 'The store has too much to do at the moment.',
  'store-timeout': 'The store took too long to answer.',
  'store-unavailable': STORE_AWAY,
  'store-thread-lost': STORE_AWAY,
  'store-closed': STORE_AWAY,
  'store-refused': STORE_UNUSABLE,
  'store-missing': STORE_UNUSABLE,
  'store-rights': STORE_UNUSABLE,
  'store-encoding': STORE_UNUSABLE,
  'store-too-old': STORE_UNUSABLE,
  'store-corrupt': STORE_UNUSABLE,
  'store-newer': STORE_UNUSABLE,
  'store-locked': STORE_UNUSABLE,
  'data-not-writable': STORE_UNUSABLE,
  'postgis-missing': STORE_UNUSABLE,
  'postgis-not-enabled': STORE_UNUSABLE,
};

/** The status an error is answered with. */
export const statusOf = ({ code, tag }: SwathError): number =>
  statusByCode[code] ?? (Object.hasOwn(storeSentences, code) ? 503 : statusByTag[tag]);

/** What a user reads. What we throw on purpose is written for users; anything else could tell about our insides. */
function toSentence(error: unknown): string {
  if (!isSwathError(error))
    return 'Something went wrong inside Swath. The log has more under this request id.';
  return Object.hasOwn(storeSentences, error.code) ? (storeSentences[error.code] as string) : error.message;
}

/** Details that help the author of a request: where an expression is wrong, and what may have been meant. */
const SHOWN_DETAILS = ['position', 'expected', 'suggestion', 'picture'] as const;

const toShownDetails = (error: unknown): object =>
  isSwathError(error)
    ? Object.fromEntries(
        SHOWN_DETAILS.flatMap((name) =>
          error.details[name] === undefined ? [] : [[name, error.details[name]]],
        ),
      )
    : {};

/** The one body of every error. */
export const toErrorBody = (code: string, text: string, requestId: string | null) => ({
  status: false,
  error: text,
  code,
  request_id: requestId,
});

/** An error as status, headers and body. What is not ours to show stays hidden. */
export function toErrorParts(
  error: unknown,
  requestId: string,
): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const known = isSwathError(error) ? error : null;
  const status = known === null ? 500 : statusOf(known);
  const body = {
    ...toErrorBody(known?.code ?? 'internal', toSentence(error), requestId),
    ...toShownDetails(error),
  };
  const { retryAfterS, rateLimit, allow, contentRange } = known?.details ?? {};
  const isTimed = typeof retryAfterS === 'number';
  const waitS = isTimed ? Math.max(1, Math.ceil(retryAfterS)) : status === 503 ? 1 : null;
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(waitS === null ? {} : { 'retry-after': String(waitS) }),
      ...(isTimed && typeof rateLimit === 'number'
        ? toRateHeaders({ limit: rateLimit, remaining: 0, resetS: retryAfterS })
        : {}),
      // RFC 9110 15.5.2 wants a challenge with 401. No browser knows this scheme, so none asks its user for a password.
      ...(status === 401 ? { 'www-authenticate': 'ApiKey realm="Swath"' } : {}),
      ...(typeof allow === 'string' ? { allow } : {}),
      ...(typeof contentRange === 'string' ? { 'content-range': contentRange } : {}),
      // The rest of a hostile body is not read, not even to throw it away.
      ...(known?.code === 'body-chunks-too-small' ? { connection: 'close' } : {}),
    },
    body: JSON.stringify(body),
  };
}

/** Answers an error. */
export function toErrorAnswer(error: unknown, requestId: string): Answer {
  const { status, headers, body } = toErrorParts(error, requestId);
  return new Answer(body, { status, headers });
}
