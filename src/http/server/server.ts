/** The server: every request on a connection becomes a call, which the application answers. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { takeTurn } from '../../async/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import { badInput, internal } from '../errors.ts';
import type { Answer, RequestHeaders } from '../kit/answers.ts';
import { writeAnswer } from '../kit/answers.ts';
import { limits } from '../kit/limits.ts';
import type { Connections } from './connections.ts';
import { discardRest } from './connections.ts';
import { answerBroken, answerEarly } from './error-answer.ts';
import type { FrontDoor, Slot } from './front-door.ts';
import { noSlot } from './front-door.ts';
import type { RedactKeys } from './guard.ts';
import type { RouteMatch, RouteTable, Target } from './routing.ts';
import { parseTarget } from './routing.ts';

/** A request under way, from its first line to the line that the log gets of it. */
export interface Call {
  readonly method: string;
  /** In its canonical form. */
  readonly target: Target;
  /** The route that answers it: looked up once, for the front door and the application. */
  readonly match: RouteMatch | null;
  readonly headers: RequestHeaders;
  /** The host that the client means. */
  readonly host: string;
  /** The address of the other end of the connection. */
  readonly remoteAddress: string | undefined;
  readonly body: Readable;
  /** Aborts when the client leaves before its answer is sent. */
  readonly signal: AbortSignal;
  /** The slot of the front door; null if its route takes none, because it neither draws nor measures. */
  readonly slot: Slot | null;
  /** Calls when the whole answer is out of our hands. */
  onSent(listener: () => void): void;
  /** Ends the connection in the middle of an answer; false without one. */
  cut(): boolean;
}

/** Answers every call, whatever goes wrong. */
export type App = (call: Call) => Promise<Answer>;

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Stops listening, lets requests under way finish within the time given, then cuts what is left. */
  close(drainMs: number): Promise<void>;
}

interface ListenOptions {
  readonly app: App;
  readonly routes: Pick<RouteTable, 'find'>;
  readonly host: string;
  readonly port: number;
  readonly door: FrontDoor;
  readonly connections: Connections;
  readonly timeouts?: Timeouts;
  /** Called with errors of the listening socket. */
  readonly onError: (error: Error) => void;
  /** Called for each request that is answered before the application sees it. */
  readonly onEarlyAnswer: (status: number, method: string) => void;
}

/** How long clients may take, in milliseconds. */
export interface Timeouts {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly socketIdleMs: number;
  /** How often connections are checked; the other timeouts are late by up to this. */
  readonly checkMs: number;
}

/** Starts to listen, with limits on slow and greedy clients. */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { host, port, connections, timeouts = limits, onError } = options;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: timeouts.headersTimeoutMs,
    // Node's own limit has no minimum rate: a large file over a slow line would never arrive.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAliveTimeoutMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Node's own refusal has another body than ours.
    requireHostHeader: false,
  });
  const handle = makeHandler(options);
  const take = (request: IncomingMessage, response: ServerResponse, start: () => void): void =>
    connections.add({ request, response, start });
  server.on('connection', (socket: Socket) => connections.open(socket));
  server.on('request', (request, response) => take(request, response, () => handle(request, response)));
  server.on('checkExpectation', (request, response) =>
    take(request, response, () => answerEarly(response, unknownExpectation)),
  );
  server.on('clientError', (error, socket) =>
    answerBroken(error, socket as Socket, () => connections.currentOf(socket as Socket)),
  );
  // Not while its request is being answered: work has limits of its own, and a client may only wait for it.
  server.setTimeout(timeouts.socketIdleMs, (socket) => {
    if (connections.currentOf(socket) === null) socket.destroy();
  });
  const check = setInterval(() => {
    connections.cutSlowReaders();
    for (const socket of connections.listSlowSenders(timeouts))
      answerBroken(makeTimeout(), socket, () => connections.currentOf(socket));
  }, timeouts.checkMs);
  await bind(server, { host, port, onError }).catch((error: unknown) => {
    clearInterval(check);
    throw error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(drainMs) {
      await closeServer(server, connections, drainMs);
      clearInterval(check);
    },
  };
}

/** What Node reports of a request that takes too long to arrive. */
const makeTimeout = (): NodeJS.ErrnoException =>
  Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Answers one request: canonical form of its address, route, front door, application. */
function makeHandler({
  app,
  routes,
  host,
  door,
  onEarlyAnswer,
}: ListenOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = async (call: Call, response: ServerResponse): Promise<void> => {
    await writeAnswer(response, await app(call));
  };
  const refuse = (request: IncomingMessage, response: ServerResponse, error: SwathError): void => {
    answerEarly(response, error);
    onEarlyAnswer(response.statusCode, request.method ?? '');
  };
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      response.once('close', () => discardRest(request));
    let target: Target;
    try {
      target = readTarget(request);
    } catch (error) {
      if (!isSwathError(error)) throw error;
      refuse(request, response, error);
      return;
    }
    const { method = 'GET', headers } = request;
    const match = routes.find(method, target.path);
    const takesSlot = match?.route?.door === 'render';
    const slot = takesSlot
      ? door.enter({
          ...target,
          keyHeader: headers['x-api-key'] as string | undefined,
          cookieHeader: headers.cookie,
        })
      : null;
    if (takesSlot && slot === null) {
      refuse(request, response, noSlot);
      return;
    }
    const call = toCall({ request, response, target, match, slot, ownHost: host });
    // The slot is free when the answer is made: reading it slowly takes nothing from others.
    void answer(call, response)
      .catch((error: unknown) => breakOff(response, error))
      .finally(() => slot?.leave());
  };
}

/** Handles a failure to write an answer; failures of the application itself are answers already. */
function breakOff(response: ServerResponse, cause: unknown): void {
  if (response.headersSent) response.destroy();
  else answerEarly(response, internal('internal', 'Something went wrong inside Swath.', { cause }));
}

const unknownExpectation = badInput('unknown-expectation', 'The Expect header may only say 100-continue.');

/** Parses the request target and replaces it with its canonical form, the only one that later code sees. */
function readTarget(request: IncomingMessage): Target {
  const { path, query, host } = parseTarget(request.url ?? '');
  if (countHosts(request) > 1) throw badInput('bad-host', 'A request has one Host header.');
  if (host !== null) request.headers.host = host;
  // RFC 9112 3.2: HTTP/1.0 has no such rule.
  if (request.headers.host === undefined && request.httpVersionMinor === 1) {
    throw badInput('no-host', 'HTTP/1.1 requests need a Host header.');
  }
  request.url = query === '' ? path : `${path}?${query}`;
  return { path, query };
}

/** Node keeps the first of several. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count += 1;
  return count;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly match: RouteMatch | null;
  readonly slot: Slot | null;
  /** The host of requests that name none, as those of HTTP/1.0 may. */
  readonly ownHost: string;
}

/** The call of a request on a connection. */
function toCall({ request, response, target, match, slot, ownHost }: Arrived): Call {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(new Error('The client has left.'));
  });
  return {
    method: request.method ?? 'GET',
    target,
    match,
    headers: { get: (name) => readHeader(request, name) },
    host: request.headers.host ?? ownHost,
    remoteAddress: request.socket.remoteAddress,
    body: request,
    signal: leaving.signal,
    slot,
    onSent: (listener) => void response.once('finish', listener),
    cut() {
      response.destroy();
      return true;
    },
  };
}

function readHeader({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** A name or an address, and perhaps a port: the host becomes part of links in answers, so nothing else is accepted. */
const HOST = /^(?:[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Refuses an invalid Host header (RFC 9112 3.2). */
export function refuseBadHost({ host }: Call): void {
  if (HOST.test(host)) return;
  throw badInput(
    'bad-host',
    'The Host header must be a host name or address, and may have a port behind it.',
  );
}

/** Scheme and host of the request, for links in answers. */
export const readOrigin = ({ host }: Call): string => new URL(`http://${host}`).origin;

/** The client's address. */
export function readAddress({ headers, remoteAddress }: Call, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || remoteAddress || 'unknown';
}

/** A caller's own id is used when it is harmless in a log line; it helps to follow a request through proxies. */
export function readRequestId({ headers }: Call, redact: RedactKeys): string {
  const given = headers.get('x-request-id');
  const isHarmless = given !== null && /^[A-Za-z0-9._-]{8,64}$/.test(given) && redact(given) === given;
  return isHarmless ? given : randomUUID();
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

/** Connections that the kernel holds for a server until it accepts them, at most: Node's default. */
const BACKLOG = 511;
/** A connection is accepted in one turn of the event loop and read in a later one. */
const READING_TURNS = 3;

/**
 * Accepts the connections that wait, one in each turn as libuv does, and reads what they have sent: their clients cannot
 * know that nobody has looked at them, and a closed server would cut them off.
 */
async function takeWaiting(connections: Connections): Promise<void> {
  for (let turn = 0, quiet = 0; quiet < READING_TURNS && turn < BACKLOG; turn += 1) {
    const before = connections.count();
    await takeTurn();
    quiet = connections.count() > before ? 0 : quiet + 1;
  }
}

async function closeServer(server: Server, connections: Connections, drainMs: number): Promise<void> {
  await takeWaiting(connections);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Node's own closeIdleConnections leaves those that have never sent a request, such as a browser opens in advance.
  connections.closeIdle();
  // A keep-alive connection becomes idle only after its last answer, so idle ones are closed repeatedly.
  const sweep = setInterval(() => connections.closeIdle(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
