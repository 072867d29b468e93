/** What the log says of requests, and what it must not say. */
import { isSwathError } from '../../errors.ts';
import { statusOf } from './error-answer.ts';

/** The access log; a pino logger fits. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What the log says of an answered request. */
interface RequestLine {
  readonly requestId: string;
  /** Empty without a key. */
  readonly keyId: string;
  readonly method: string;
  /** Redacted. The query is never logged, because it may hold a key. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
}

/** Writes the line of an answered request. */
export function logRequest(
  log: Log,
  { requestId, keyId, path, ms, method, status, address }: RequestLine,
): void {
  log.info(
    {
      request_id: requestId,
      method,
      path: path.slice(0, 300),
      status,
      ms: Math.round(ms * 10) / 10,
      address,
      ...(keyId === '' ? {} : { key: keyId }),
    },
    'request',
  );
}

/** Codes of failures that operators have to know of, although clients can only wait. */
const NOTED: Readonly<Record<string, string>> = {
  'results-unavailable': 'the storage of results failed',
  'result-on-another-node': 'a result was asked for that another node stores: nodes must share SWATH_RESULTS',
  'cubes-unavailable': 'the storage of data cubes failed',
  'weather-unavailable': 'no source of weather could answer',
};

/** Writes what went wrong, when it was not the client's mistake. */
export function logFailure(log: Log, requestId: string, error: unknown): void {
  const fields = { request_id: requestId, err: error };
  const status = isSwathError(error) ? statusOf(error) : 500;
  const note = isSwathError(error) ? NOTED[error.code] : undefined;
  if (status === 500) log.error(fields, 'request failed');
  else if (status === 502 || status === 504) log.warn(fields, 'a source failed');
  else if (note !== undefined) log.warn(fields, note);
}

/** Writes why an answer was not sent to its end, unless the client has left. */
export function logBrokenAnswer(log: Log, requestId: string, error: unknown): void {
  if (isSwathError(error) && error.tag === 'cancelled') return;
  log.warn({ request_id: requestId, err: error }, 'an answer broke off');
}

/** Takes keys out of a text that is about to be logged. */
export type RedactKeys = (text: string) => string;

/**
 * Builds the redaction: anything that looks like a key of ours or is named like one, signatures of thumbnails, and the secrets of the settings,
 * which look like anything. A secret holds only characters that the normal form of an address leaves unencoded.
 */
export function makeRedactKeys(secrets: readonly string[]): RedactKeys {
  return (text) => {
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    return known
      .replace(/(api[_-]?key(?:=|%3d|%253d))[^&/]*/gi, '$1…')
      .replace(/(\/render\/thumbnails\/)[^/]+/g, '$1…')
      .replace(/apk(?:\.|%2e)[0-9a-f]+/gi, 'apk.…');
  };
}
