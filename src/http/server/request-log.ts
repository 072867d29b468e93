import { isSwathError } from '../../errors.ts';
import type { Call } from './call.ts';
import { readAddress, readTarget } from './call.ts';
import { statusOf } from './error-answer.ts';
import type { RedactKeys } from './redact-keys.ts';

/** Where the access log goes; pino fits. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Writes the line of an answered request. */
export function logRequest(
  log: Log,
  c: Call,
  {
    ms,
    trustProxy,
    redact,
  }: { readonly ms: number; readonly trustProxy: boolean; readonly redact: RedactKeys },
): void {
  // The query is left out whole: keys travel in it.
  log.info(
    {
      request_id: c.get('requestId'),
      method: c.req.method,
      path: redact(readTarget(c).path).slice(0, 300),
      status: c.res.status,
      ms: Math.round(ms * 10) / 10,
      address: readAddress(c, trustProxy),
      ...(c.get('keyId') ? { key: c.get('keyId') } : {}),
    },
    'request',
  );
}

/** Writes what went wrong, when it was not the client's mistake. */
export function logFailure(log: Log, c: Call, error: unknown): void {
  const fields = { request_id: c.get('requestId'), err: error };
  const status = isSwathError(error) ? statusOf(error) : 500;
  if (status === 500) log.error(fields, 'request failed');
  else if (status === 502 || status === 504) log.warn(fields, 'a source failed');
  else if (isSwathError(error) && error.code === 'results-unavailable') {
    log.warn(fields, 'the storage of results failed');
  } else if (isSwathError(error) && error.code === 'result-on-another-node') {
    log.warn(fields, 'a result was asked for that another node stores: nodes must share SWATH_RESULTS');
  } else if (isSwathError(error) && error.code === 'cubes-unavailable') {
    log.warn(fields, 'the storage of data cubes failed');
  } else if (isSwathError(error) && error.code === 'weather-unavailable') {
    log.warn(fields, 'no source of weather could answer');
  }
}

/** Writes why an answer was not sent to its end, unless the client has left. */
export function logBrokenAnswer(log: Log, c: Call, error: unknown): void {
  if (isSwathError(error) && error.tag === 'cancelled') return;
  log.warn({ request_id: c.get('requestId'), err: error }, 'an answer broke off');
}
