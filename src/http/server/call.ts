import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { badInput } from '../../errors.ts';
import type { Slot } from './front-door.ts';
import type { RedactKeys } from './redact-keys.ts';
import type { Target } from './target.ts';
import { splitTarget } from './target.ts';

/** What the web framework holds for us while a request is under way. */
export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; route: string; keyId: string };
};

/** A request under way, as the web framework sees it. */
export type Call = Context<Env>;

/** Path and query in their normal form; without a socket, as in tests, the framework's address will do. */
export function readTarget(c: Call): Target {
  return splitTarget(c.env?.incoming?.url ?? c.req.url.replace(/^https?:\/\/[^/?]*/, ''));
}

const slots = new WeakMap<IncomingMessage, Slot>();

/** Remembers the slot of a request until it is over. */
export const keepSlot = (request: IncomingMessage, slot: Slot): void => void slots.set(request, slot);

/** The slot that a request holds; null without a socket, as in tests. */
export const readSlot = (c: Call): Slot | null =>
  c.env?.incoming === undefined ? null : (slots.get(c.env.incoming as IncomingMessage) ?? null);

/** The body as a stream; without a socket, as in tests, that of the framework's request. */
export function readStream(c: Call): Readable {
  const { body } = c.env?.incoming === undefined ? c.req.raw : { body: null };
  return c.env?.incoming ?? (body === null ? Readable.from([]) : Readable.fromWeb(body as never));
}

/** A name or an address, and perhaps a port: whatever else a client writes there would end up in links of ours. */
const HOST = /^(?:[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

const checkHost = (host: string): void => {
  if (HOST.test(host)) return;
  throw badInput(
    'bad-host',
    'The Host header must be a host name or address, and may have a port behind it.',
  );
};

/** Refuses an invalid Host header (RFC 9112 3.2). */
export function refuseBadHost(c: Call): void {
  const host = c.req.header('host');
  if (host !== undefined) checkHost(host);
}

/** Scheme and host of the request, for links in answers. */
export function readOrigin(c: Call): string {
  const { origin, host } = new URL(c.req.url);
  checkHost(host);
  return origin;
}

/** The client's address. */
export function readAddress(c: Call, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || c.env?.incoming?.socket.remoteAddress || 'unknown';
}

/** A caller's own id is used when it is harmless in a log line; it helps to follow a request through proxies. */
export function readRequestId(c: Call, redact: RedactKeys): string {
  const given = c.req.header('x-request-id');
  const isHarmless = given !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(given) && redact(given) === given;
  return isHarmless ? given : randomUUID();
}
