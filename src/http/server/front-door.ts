import { isSwathError, tooBusy } from '../../errors.ts';
import { parseQuery } from '../request/query.ts';
import { readCallerKey } from './caller-key.ts';
import type { RouteTable } from './route-table.ts';
import type { Target } from './target.ts';

/** What the front door looks at. */
export interface Visit extends Target {
  readonly method: string;
  /** The header `x-api-key`. */
  readonly keyHeader: string | undefined;
}

/** Turns render requests away before anything is spent on them. */
export interface FrontDoor {
  /** Takes a slot, to be left when the answer is made; null when there is none. */
  enter(visit: Visit): (() => void) | null;
}

interface FrontDoorOptions {
  /** Whose admission says which requests take a slot. */
  readonly routes: Pick<RouteTable, 'find'>;
  /** Different render requests inside at once, of all callers and of one. */
  readonly maxInside: number;
  readonly maxPerCaller: number;
  /** Whether this text was a valid key lately; all others together count as one caller. */
  readonly isKnownKey: (text: string) => boolean;
}

/** What a request is told when there is no slot. */
export const noSlot = tooBusy('too-many-renders', 'Too many renders are under way; ask again in a moment.', {
  details: { retryAfterS: 1 },
});

const nothingToLeave = (): void => {};

/**
 * Requests for something that is being made already, at most so many for each slot, come in without taking one: they are
 * parsed and identified, some tenths of a millisecond each, and then wait for the one render. More would fill the event
 * loop.
 */
const FOLLOWERS_PER_SLOT = 8;

/** Slots that a caller gets even when many others are inside. */
const MIN_SHARE = 2;

/** What one caller has inside: how many times each target, and how many of these came while another was there. */
interface Caller {
  readonly targets: Map<unknown, number>;
  followers: number;
}

/**
 * The pool refuses what it cannot take, but only after the request was parsed, identified and planned: at thousands of
 * requests a second that alone fills the event loop, and then renders that are done wait to be answered. Here a look
 * at a few counters is all that a refused request costs.
 *
 * Only routes whose door is `render` take a slot: a search, a preflight and a body that is still on its way do not.
 * Callers share the slots, and one share is always free for the next one: a caller that asks for little is not turned
 * away because others ask for much, as long as there are not more callers than slots.
 */
export function makeFrontDoor({ routes, maxInside, maxPerCaller, isKnownKey }: FrontDoorOptions): FrontDoor {
  let [inside, followers] = [0, 0];
  const callers = new Map<string, Caller>();

  /** Fewer for each the more there are; what callers had inside before that is finished. */
  const shareOf = (isNew: boolean): number => {
    const all = callers.size + (isNew ? 1 : 0);
    return Math.min(maxPerCaller, Math.max(MIN_SHARE, Math.floor(maxInside / (all + 1))));
  };

  function admit(caller: Caller, target: unknown, isNew: boolean): boolean {
    const same = caller.targets.get(target) ?? 0;
    if (same > 0) {
      if (caller.followers >= FOLLOWERS_PER_SLOT * maxPerCaller) return false;
      if (followers >= FOLLOWERS_PER_SLOT * maxInside) return false;
      caller.followers += 1;
      followers += 1;
    } else {
      // Shares shrink before the slots over them are left: until then there may be twice as many inside.
      if (caller.targets.size >= shareOf(isNew) || inside >= 2 * maxInside) return false;
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
    enter({ method, path, query, keyHeader }) {
      if (routes.find(method, path)?.route?.door !== 'render') return nothingToLeave;
      const key = readKey(query, keyHeader);
      const isKnown = isKnownKey(key);
      const name = isKnown ? key : '';
      const known = callers.get(name);
      const caller = known ?? { targets: new Map(), followers: 0 };
      // A caller without a known key gets no more by asking for the same again.
      const target = isKnown ? `${path}?${query}` : Symbol('a target of its own');
      if (!admit(caller, target, known === undefined)) return null;
      callers.set(name, caller);
      return () => leave(name, caller, target);
    },
  };
}

/** A query that cannot be read is answered with 400 inside; until then its sender counts as unknown. */
function readKey(query: string, header: string | undefined): string {
  // Most maps send the key in the header: then nothing in the query can be one.
  if (!query.includes('api_key') && !query.includes('%')) return header ?? '';
  try {
    return readCallerKey(parseQuery(query), header);
  } catch (error) {
    if (isSwathError(error)) return '';
    throw error;
  }
}
