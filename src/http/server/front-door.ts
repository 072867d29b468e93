import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RENDER_ROOT } from '../request/render-path.ts';
import { toErrorBody } from './error-answer.ts';
import { splitTarget } from './raw-target.ts';
import { addCorsHeaders, addSecureHeaders } from './secure-headers.ts';

/** Turns render requests away before anything is spent on them. */
export interface FrontDoor {
  /** A place inside, to be left when the answer is made; null when the request has been answered with 503. */
  enter(request: IncomingMessage, response: ServerResponse): (() => void) | null;
}

interface FrontDoorOptions {
  /** Render requests inside at once, of all callers and of one. */
  readonly maxInside: number;
  readonly maxPerCaller: number;
  /** Whether this text was a valid key lately; all others together count as one caller. */
  readonly isKnownKey: (text: string) => boolean;
  /** Told of each one that is turned away. */
  readonly onRefuse: () => void;
}

const nothingToLeave = (): void => {};

/**
 * The pool refuses what it cannot take, but only after the request was parsed, identified and planned: at thousands of
 * requests a second that alone fills the event loop, and then renders that are done wait to be answered. Here a look
 * at two counters is all that a refused request costs. Search, health and preflights never stand in this line.
 */
export function makeFrontDoor({
  maxInside,
  maxPerCaller,
  isKnownKey,
  onRefuse,
}: FrontDoorOptions): FrontDoor {
  let inside = 0;
  const callers = new Map<string, number>();
  return {
    enter(request, response) {
      const { path, query } = splitTarget(request.url ?? '');
      if (request.method === 'OPTIONS' || !path.startsWith(RENDER_ROOT)) return nothingToLeave;
      const key = readKey(request, query);
      const caller = isKnownKey(key) ? key : '';
      const own = callers.get(caller) ?? 0;
      if (inside >= maxInside || own >= maxPerCaller) {
        refuse(response);
        onRefuse();
        return null;
      }
      inside += 1;
      callers.set(caller, own + 1);
      return () => {
        inside -= 1;
        const left = (callers.get(caller) ?? 1) - 1;
        if (left > 0) callers.set(caller, left);
        else callers.delete(caller);
      };
    },
  };
}

function readKey({ headers }: IncomingMessage, query: string): string {
  const inHeader = headers['x-api-key'];
  if (typeof inHeader === 'string') return inHeader;
  return /(?:^|&)api_key=([^&]*)/.exec(query)?.[1] ?? '';
}

const HEADERS = new Headers({
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'retry-after': '1',
});
addSecureHeaders(HEADERS);
addCorsHeaders(HEADERS);
const FIXED_HEADERS = Object.fromEntries(HEADERS);

function refuse(response: ServerResponse): void {
  const requestId = randomUUID();
  const text = 'Too many renders are under way; ask again in a moment.';
  const body = JSON.stringify(toErrorBody('too-many-renders', text, requestId));
  response.writeHead(503, {
    ...FIXED_HEADERS,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  });
  response.end(body);
}
