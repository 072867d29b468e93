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
  /** Different render requests inside at once, of all callers and of one. */
  readonly maxInside: number;
  readonly maxPerCaller: number;
  /** Whether this text was a valid key lately; all others together count as one caller. */
  readonly isKnownKey: (text: string) => boolean;
  /** Told of each one that is turned away. */
  readonly onRefuse: () => void;
}

const nothingToLeave = (): void => {};

/**
 * So many that ask for what is being made already come in for each place, without taking one: they are parsed and
 * identified, some tenths of a millisecond each, and then wait for the one render. More would fill the event loop.
 */
const FOLLOWERS_PER_PLACE = 8;

/** What one caller has inside: how many times each target, and how many of these came while another was there. */
interface Caller {
  readonly targets: Map<unknown, number>;
  followers: number;
}

/**
 * The pool refuses what it cannot take, but only after the request was parsed, identified and planned: at thousands of
 * requests a second that alone fills the event loop, and then renders that are done wait to be answered. Here a look
 * at a few counters is all that a refused request costs. Search, health and preflights never stand in this line.
 */
export function makeFrontDoor({
  maxInside,
  maxPerCaller,
  isKnownKey,
  onRefuse,
}: FrontDoorOptions): FrontDoor {
  let [inside, followers] = [0, 0];
  const callers = new Map<string, Caller>();

  function admit(caller: Caller, target: unknown): boolean {
    const same = caller.targets.get(target) ?? 0;
    if (same > 0) {
      if (caller.followers >= FOLLOWERS_PER_PLACE * maxPerCaller) return false;
      if (followers >= FOLLOWERS_PER_PLACE * maxInside) return false;
      caller.followers += 1;
      followers += 1;
    } else {
      if (inside >= maxInside || caller.targets.size >= maxPerCaller) return false;
      inside += 1;
    }
    caller.targets.set(target, same + 1);
    return true;
  }

  function leave(name: string, caller: Caller, target: unknown): void {
    const left = (caller.targets.get(target) ?? 1) - 1;
    if (left > 0) {
      caller.targets.set(target, left);
      caller.followers -= 1;
      followers -= 1;
      return;
    }
    inside -= 1;
    caller.targets.delete(target);
    if (caller.targets.size === 0) callers.delete(name);
  }

  return {
    enter(request, response) {
      const { path, query } = splitTarget(request.url ?? '');
      if (request.method === 'OPTIONS' || !path.startsWith(RENDER_ROOT)) return nothingToLeave;
      const key = readKey(request, query);
      const isKnown = isKnownKey(key);
      const name = isKnown ? key : '';
      const caller = callers.get(name) ?? { targets: new Map(), followers: 0 };
      // Only what reads can be the same twice; whoever has no key that is known gets nothing for asking again.
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const target = isKnown && isRead ? request.url : Symbol('its own');
      if (!admit(caller, target)) {
        refuse(response);
        onRefuse();
        return null;
      }
      callers.set(name, caller);
      return () => leave(name, caller, target);
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
