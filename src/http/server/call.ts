import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { badInput } from '../../errors.ts';
import type { RequestHeaders } from '../kit/api-request.ts';
import type { Slot } from './front-door.ts';
import type { RedactKeys } from './request-log.ts';
import type { RouteMatch } from './route-table.ts';
import type { Target } from './target.ts';

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
  /** The slot of the front door; null without a connection, as in tests. */
  readonly slot: Slot | null;
  /** Calls when the whole answer is out of our hands. */
  onSent(listener: () => void): void;
  /** Ends the connection in the middle of an answer; false without one. */
  cut(): boolean;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly match: RouteMatch | null;
  readonly slot: Slot;
  /** The host of requests that name none, as those of HTTP/1.0 may. */
  readonly ownHost: string;
}

/** The call of a request on a connection. */
export function toCall({ request, response, target, match, slot, ownHost }: Arrived): Call {
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

/** A name or an address, and perhaps a port: whatever else a client writes there would end up in links of ours. */
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
