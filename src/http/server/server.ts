import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { badInput } from '../../errors.ts';
import { limits } from '../request/limits.ts';
import { answerBroken } from './broken-request.ts';
import { toErrorResponse } from './error-answer.ts';
import type { FrontDoor } from './front-door.ts';

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Stops listening, lets requests under way finish within the time given, then cuts what is left. */
  close(drainMs: number): Promise<void>;
}

interface ListenOptions {
  readonly fetch: (request: Request, env: unknown) => Response | Promise<Response>;
  readonly host: string;
  readonly port: number;
  readonly door: FrontDoor;
  /** Told of trouble with the listening socket itself. */
  readonly onError: (error: Error) => void;
}

/** Starts to listen, with limits on slow and greedy clients. */
export async function listen({ fetch, host, port, door, onError }: ListenOptions): Promise<HttpServer> {
  const answer = getRequestListener(fetch, {
    hostname: host,
    // Its own Response holds bytes as they are; Node's copies them into a stream, a third of a cached tile's work.
    overrideGlobalObjects: true,
    errorHandler: (error) => toErrorResponse(toHttpError(error), randomUUID()),
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: 2_000,
    },
    (request, response) => {
      const leave = door.enter(request, response);
      // The place is free when the answer is made: how slowly a client reads it is its own affair.
      if (leave !== null) void answer(request, response).finally(leave);
    },
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.socketIdleMs);
  server.on('clientError', answerBroken);
  await bind(server, { host, port, onError });
  return { port: (server.address() as AddressInfo).port, close: (drainMs) => closeServer(server, drainMs) };
}

function bind(
  server: Server,
  { host, port, onError }: Pick<ListenOptions, 'host' | 'port' | 'onError'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainBind(error, host, port)));
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      server.on('error', onError);
      resolve();
    });
  });
}

/** What cannot even be read as a request of ours (a bad Host header, `OPTIONS *`) is the client's mistake. */
const toHttpError = (error: unknown): Error =>
  error instanceof Error && error.name === 'RequestError'
    ? badInput('bad-http', 'This is not a valid HTTP request.', { cause: error })
    : (error as Error);

function explainBind(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return badInput(
        'port-busy',
        `Port ${port} on ${host} is used by another program. Choose another with SWATH_PORT.`,
      );
    case 'EACCES':
      return badInput(
        'port-forbidden',
        `Port ${port} may not be opened by this user. Choose one above 1023 with SWATH_PORT.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return badInput('bad-host', `${host} is not an address of this machine. Check SWATH_HOST.`);
    default:
      return error;
  }
}

async function closeServer(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A keep-alive connection becomes idle only after its last answer, so idle ones are closed again and again.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
