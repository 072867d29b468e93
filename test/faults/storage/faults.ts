import { gzipSync } from 'node:zlib';
import type { Behaviour } from './faulty-store.ts';

/** A way for a store to misbehave, and what a read must make of it when it happens every time. */
export interface Fault {
  readonly name: string;
  readonly behave: Behaviour;
  /** The error of a read under this fault alone. */
  readonly code: string;
  /** Requests one read makes: 1 where another try cannot help, 3 where it may. */
  readonly tries: 1 | 3;
}

/** Something to send that never ends; stops when the other side does. */
function sendEndlessly(send: (chunk: Uint8Array) => void, isOpen: () => boolean): void {
  const chunk = new Uint8Array(16 * 1024);
  const next = () => {
    if (!isOpen()) return;
    send(chunk);
    setTimeout(next, 1);
  };
  next();
}

/** Every fault of the matrix, with variants. */
export const FAULTS: readonly Fault[] = [
  { name: 'hangs before the headers', behave: () => {}, code: 'source-timed-out', tries: 1 },
  {
    name: 'hangs in the body',
    behave: ({ response, headers }) => response.writeHead(206, headers).write('x'),
    code: 'source-timed-out',
    tries: 1,
  },
  {
    name: 'drips one byte at a time',
    behave: ({ response, headers }) => {
      response.writeHead(206, headers);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    },
    code: 'source-timed-out',
    tries: 1,
  },
  {
    name: 'resets the connection',
    behave: ({ request }) => request.socket.resetAndDestroy(),
    code: 'source-unreachable',
    tries: 3,
  },
  {
    name: 'breaks off in the body',
    behave: ({ request, response, headers, bytes, offset }) => {
      response
        .writeHead(206, headers)
        .write(bytes.subarray(offset, offset + 10), () => request.socket.destroy());
    },
    code: 'source-cut-off',
    tries: 3,
  },
  {
    name: 'ends a chunked body early',
    behave: ({ response, headers, bytes, offset }) => {
      const { 'content-length': _, ...chunked } = headers;
      response.writeHead(206, chunked).end(bytes.subarray(offset, offset + 10));
    },
    code: 'source-short',
    tries: 3,
  },
  {
    name: 'announces a short body',
    behave: ({ response, headers, bytes, offset }) => {
      response.writeHead(206, { ...headers, 'content-length': 10 }).end(bytes.subarray(offset, offset + 10));
    },
    code: 'source-wrong-range',
    tries: 1,
  },
  {
    name: 'ignores the range and sends the file endlessly',
    behave: ({ response, headers }) => {
      response.writeHead(200, { etag: String(headers.etag) });
      sendEndlessly(
        (chunk) => response.write(chunk),
        () => !response.destroyed,
      );
    },
    code: 'source-no-ranges',
    tries: 1,
  },
  {
    name: 'sends another range',
    behave: ({ response, headers, bytes, offset, length }) => {
      const range = `bytes ${offset + 1}-${offset + length}/${bytes.length}`;
      response
        .writeHead(206, { ...headers, 'content-range': range })
        .end(bytes.subarray(offset + 1, offset + 1 + length));
    },
    code: 'source-wrong-range',
    tries: 1,
  },
  {
    name: 'compresses',
    behave: ({ response, headers, bytes, offset, length }) => {
      const zipped = gzipSync(bytes.subarray(offset, offset + length));
      response
        .writeHead(206, { ...headers, 'content-encoding': 'gzip', 'content-length': zipped.length })
        .end(zipped);
    },
    code: 'source-encoded',
    tries: 1,
  },
  {
    name: 'answers 500',
    behave: ({ response }) => response.writeHead(500).end('<html>Oops</html>'),
    code: 'source-failing',
    tries: 3,
  },
  {
    name: 'answers 503 with an endless page',
    behave: ({ response }) => {
      response.writeHead(503);
      sendEndlessly(
        (chunk) => response.write(chunk),
        () => !response.destroyed,
      );
    },
    code: 'source-failing',
    tries: 3,
  },
  {
    name: 'answers 429 and wants an hour of rest',
    behave: ({ response }) => response.writeHead(429, { 'retry-after': '3600' }).end(),
    code: 'source-failing',
    tries: 1,
  },
  {
    name: 'has another file, and says so',
    behave: ({ request, response, answerWell }) => {
      if (request.headers['if-match'] === undefined) answerWell();
      else response.writeHead(412).end();
    },
    code: 'source-changed',
    tries: 1,
  },
  {
    name: 'has another file, and sends it',
    behave: ({ request, response, headers, bytes, offset, length, answerWell }) => {
      if (request.headers['if-match'] === undefined) answerWell();
      else
        response.writeHead(206, { ...headers, etag: '"two"' }).end(bytes.subarray(offset, offset + length));
    },
    code: 'source-changed',
    tries: 1,
  },
  {
    name: 'sends endless chunks',
    behave: ({ response, headers }) => {
      const { 'content-length': _, ...chunked } = headers;
      response.writeHead(206, chunked);
      sendEndlessly(
        (chunk) => response.write(chunk),
        () => !response.destroyed,
      );
    },
    code: 'source-too-long',
    tries: 1,
  },
  {
    name: 'redirects',
    behave: ({ request, response }) => {
      response.writeHead(302, { location: `http://${request.headers.host}/elsewhere` }).end();
    },
    code: 'source-redirected',
    tries: 1,
  },
  {
    name: 'has lost it',
    behave: ({ response }) => response.writeHead(404).end(),
    code: 'source-gone',
    tries: 1,
  },
  {
    name: 'speaks no HTTP',
    behave: ({ request }) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    code: 'source-unreachable',
    tries: 3,
  },
];
