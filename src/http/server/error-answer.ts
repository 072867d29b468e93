/** Errors: how they are answered, by the application and before it, and what the log says of them. */

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorTag } from '../../errors.ts';
import { isSwathError, SwathError } from '../../errors.ts';
import { mayPass } from '../../net/index.ts';
import { Answer, addCorsHeaders, addSecureHeaders } from '../kit/answers.ts';
import type { WriteError } from '../kit/endpoint.ts';
import { findDoorError } from '../ogc/door-errors.ts';
import type { Exchange } from './connections.ts';
import { toRateHeaders } from './guard.ts';

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
  'session-ended': 401,
  'path-too-long': 414,
  'query-too-long': 414,
  'body-too-large': 413,
  'method-not-allowed': 405,
  'no-post': 405,
  'rate-limited': 429,
  'daily-quota': 429,
  'write-rate-limited': 429,
  'work-limited': 429,
  'statistics-rate-limited': 429,
  'guest-rate-limited': 429,
  'open-rate-limited': 429,
  'map-rate-limited': 429,
  'too-many-wrong-keys': 429,
  'workers-down': 503,
  'key-limit': 402,
  'too-many-areas': 402,
  'area-storage-full': 402,
  'too-many-colormaps': 402,
  'too-many-recipes': 402,
  'too-many-fields': 402,
  'field-storage-full': 402,
  'field-version': 412,
  'too-many-subscriptions': 402,
  'task-storage-full': 402,
  'task-areas-full': 402,
  'too-many-tasks': 429,
  'unknown-expectation': 417,
  'link-expired': 410,
  'link-revoked': 410,
  'recipe-part-gone': 410,
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

/**
 * The status an error is answered with. A server or bucket of files that cannot be reached is 503 like our own store: the
 * same request succeeds once it is back. What it has and we cannot read is 502.
 */
export const statusOf = (error: SwathError): number =>
  statusByCode[error.code] ??
  (Object.hasOwn(storeSentences, error.code) || mayPass(error) ? 503 : statusByTag[error.tag]);

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
const toErrorBody = (code: string, text: string, requestId: string | null) => ({
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

/** Addresses of STAC, whose errors have a description beside the code, as OGC API and STAC API want it. */
const STAC_PATH = /^\/stac(?:\/|$)/;

/** Where an error occurred: the address, and how its endpoint writes errors. */
interface ErrorPlace {
  readonly path: string;
  readonly query: string;
  readonly writeError: WriteError | undefined;
}

/** Answers an error at an address. */
export function toErrorAnswer(error: unknown, requestId: string, place: ErrorPlace): Answer {
  const { path, query, writeError = findDoorError(path) } = place;
  const { status, headers, body } = toErrorParts(error, requestId);
  if (writeError === undefined && !STAC_PATH.test(path)) return new Answer(body, { status, headers });
  const parsed = JSON.parse(body) as { readonly error: string; readonly code: string };
  if (writeError !== undefined) {
    const written = writeError({ status, code: parsed.code, sentence: parsed.error }, query);
    const sent = { ...headers, 'content-type': written.type };
    return new Answer(written.body, { status: written.status ?? status, headers: sent });
  }
  return new Answer(JSON.stringify({ ...parsed, description: parsed.error }), { status, headers });
}

/** The access log; a pino logger fits. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Codes of failures that operators have to know of, although clients can only wait. */
const NOTED: Readonly<Record<string, string>> = {
  'results-unavailable': 'the storage of results failed',
  'result-on-another-node': 'a result was asked for that another node stores: nodes must share SWATH_RESULTS',
  'cubes-unavailable': 'the storage of data cubes failed',
  'weather-unavailable': 'no source of weather could answer',
};

/** Whether a server of files failed; that too many requests wait for one is a limit of ours. */
const isOfSource = (error: unknown): boolean =>
  mayPass(error) && isSwathError(error) && error.tag !== 'too-busy';

/** Writes what went wrong, when it was not the client's mistake. */
export function logFailure(log: Log, requestId: string, error: unknown): void {
  const fields = { request_id: requestId, err: error };
  const status = isSwathError(error) ? statusOf(error) : 500;
  const note = isSwathError(error) ? NOTED[error.code] : undefined;
  if (status === 500) log.error(fields, 'request failed');
  else if (status === 502 || status === 504 || isOfSource(error)) log.warn(fields, 'a source failed');
  else if (note !== undefined) log.warn(fields, note);
}

/** Writes why an answer was not sent to its end, unless the client has left. */
export function logBrokenAnswer(log: Log, requestId: string, error: unknown): void {
  if (isSwathError(error) && error.tag === 'cancelled') return;
  log.warn({ request_id: requestId, err: error }, 'an answer broke off');
}

/** The headers of every error, as the application adds them to its own answers. */
const fixedHeaders = ((): Readonly<Record<string, string>> => {
  const headers = new Map([['content-type', 'application/json']]);
  addSecureHeaders(headers);
  addCorsHeaders(headers);
  return Object.fromEntries(headers);
})();

/** Answers a request that the application never sees, in the one error body. */
export function answerEarly(response: ServerResponse, error: SwathError): void {
  const requestId = randomUUID();
  const { status, headers, body } = toErrorParts(error, requestId);
  response.writeHead(status, {
    ...fixedHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  });
  response.end(body);
}

type Refusal = readonly [status: string, code: string, text: string];

/** Refusals by the codes of Node's errors. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers-too-large',
    'The request line and headers are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request-timeout',
    'The request took too long to arrive.',
  ],
};
const notHttp: Refusal = ['400 Bad Request', 'bad-http', 'This is not a valid HTTP request.'];

/** Time for the refusal to leave; a client that does not read it loses it. */
const LINGER_MS = 1_000;

/** Exchanges whose end a refusal waits for. */
const awaited = new WeakSet<Exchange>();

/**
 * Answers what never became a request, or stopped in the middle of one, and closes the connection: no more can be read
 * from it. Whole requests that came before the broken bytes are answered first, or their client would read the refusal
 * in place of an answer.
 */
export function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  readCurrent: () => Exchange | null,
): void {
  const current = readCurrent();
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else if (current === null) refuse(socket, error);
  else if (current.request.complete) {
    // Node reports every chunk that follows the first broken byte.
    if (awaited.has(current)) return;
    awaited.add(current);
    current.response.once('close', () => answerBroken(error, socket, readCurrent));
  } else if (current.response.headersSent) socket.destroy();
  else refuse(socket, error);
}

function refuse(socket: Socket, error: NodeJS.ErrnoException): void {
  const [status, code, text] = refusals[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify(toErrorBody(code, text, null));
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // A client that neither reads nor closes would keep the half-closed connection open for as long as it likes.
  socket.destroySoon();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Errors of addresses that are perhaps those of something else, misspelt: below /api/render all others are pictures. */
const MISSPELT: ReadonlySet<string> = new Set(['unknown-route', 'unknown-sensor', 'unknown-scene']);

/** The error, with the address that may be meant. */
export function withNearAddress(error: unknown, suggest: () => string | null): unknown {
  if (!isSwathError(error) || error.tag !== 'not-found' || !MISSPELT.has(error.code)) return error;
  const suggestion = suggest();
  if (suggestion === null) return error;
  return new SwathError('not-found', error.code, `${error.message} Did you mean ${suggestion}?`, {
    details: { suggestion },
  });
}
