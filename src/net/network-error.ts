import type { SwathError } from '../errors.ts';
import { isSwathError, sourceBroken, timedOut } from '../errors.ts';

/** Codes by which undici says that a time limit passed. */
const TIME_OUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Codes by which OpenSSL and Node refuse a certificate: expired, of another host, signed by an unknown authority. */
const CERTIFICATE_CODE =
  /^(CERT_|CRL_|ERR_TLS_CERT_ALTNAME|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;

/** Turns what the network threw into one of ours; the sentence says nothing of the address, the cause is for the log. */
export function toNetworkError(error: unknown, when: 'before-answer' | 'in-body'): SwathError {
  const refusal = findRefusal(error);
  if (refusal !== null) return refusal;
  if (TIME_OUT_CODES.has(codeOf(error))) {
    return timedOut.about('source-timed-out', '{server} took too long to answer.', { cause: error });
  }
  // Final, unlike a connection that broke: the same certificate comes the next time.
  if (CERTIFICATE_CODE.test(codeOf(error))) {
    return sourceBroken.about('source-untrusted', 'The certificate of {server} is not valid.', {
      cause: error,
    });
  }
  if (when === 'in-body') {
    return sourceBroken.about('source-cut-off', '{server} broke off in the middle of an answer.', {
      cause: error,
    });
  }
  return sourceBroken.about('source-unreachable', '{server} cannot be reached.', { cause: error });
}

/** A refusal of ours may come back wrapped, when several addresses were tried. */
function findRefusal(error: unknown): SwathError | null {
  if (isSwathError(error)) return error;
  const inner = error instanceof AggregateError ? error.errors : error instanceof Error ? [error.cause] : [];
  return inner.find(isSwathError) ?? null;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
