/** Answers to requests that the application never sees. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SwathError } from '../../errors.ts';
import { toErrorBody, toErrorParts } from './error-answer.ts';
import type { Exchange } from './request-queue.ts';
import { addCorsHeaders, addSecureHeaders } from './write-answer.ts';

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
