import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { SwathError } from '../../errors.ts';
import { toErrorParts } from './error-answer.ts';
import { addCorsHeaders, addSecureHeaders } from './secure-headers.ts';

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
