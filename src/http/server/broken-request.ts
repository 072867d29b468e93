import type { Duplex } from 'node:stream';
import { toErrorBody } from './error-answer.ts';

type Refusal = readonly [status: string, code: string, text: string];

/** By the codes of Node's own errors. */
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

/** Answers what never became a request: there is no response to write to, only a socket. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, text] = refusals[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify(toErrorBody(code, text, null));
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
