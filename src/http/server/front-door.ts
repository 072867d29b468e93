import { isSwathError } from '../../errors.ts';
import { tooBusy } from '../errors.ts';
import { parseQuery } from '../kit/parameters.ts';
import { guessSession } from '../people/session-cookie.ts';
import { readCallerKey } from './guard.ts';
import type { Target } from './routing.ts';

/** What the front door looks at. */
export interface Visit extends Target {
  /** The header `x-api-key`. */
  readonly keyHeader: string | undefined;
  /** The header `cookie`, which may hold a session. */
  readonly cookieHeader?: string | undefined;
}

/** Turns render requests away before anything is spent on them. */
export interface FrontDoor {
  /** Takes a slot; null when there is none. */
  enter(visit: Visit): Slot | null;
}

/** The right of a request to be worked on. */
export interface Slot {
  /** Must be called when the answer is made. */
  leave(): void;
  /** Gives the slot to others while the request waits for bytes of a remote file; the result takes it back. */
  lend(): () => void;
}

interface FrontDoorOptions {
  /** Different render requests inside at once, of all callers and of one. */
  readonly maxInside: number;
  readonly maxPerCaller: number;
  /**
   * The key that a text, a key or the token of a public recipe, belongs to, if it was valid recently. All others count as
   * one caller.
   */
  readonly ownerOf: (text: string) => string | null;
}

/** The refusal of a request when no slot is free. */
export const noSlot = tooBusy('too-many-renders', 'Too many renders are under way; ask again in a moment.', {
  details: { retryAfterS: 1 },
});

const nothing = (): void => {};

/**
 * Followers: requests for a target that is being rendered already, which take no slot. They are parsed and identified, some
 * tenths of a millisecond each, and then wait for the one render. More of them would fill the event loop.
 */
const FOLLOWERS_PER_SLOT = 8;

/**
 * Requests that wait for a remote store and lend their slot to others meanwhile: they use no CPU, and pictures of other files
 * must not be refused because a store is slow.
 */
export const LENT_PER_SLOT = 8;

/** Slots that a caller gets even when many others are inside. */
const MIN_SHARE = 2;

/** Requests in flight for one caller: a count per target, and how many joined an existing one. */
interface Caller {
  readonly targets: Map<unknown, Visits>;
  followers: number;
  /** Targets whose slots are lent to others. */
  lent: number;
}

/** Requests for one target: how many there are, and how many of them wait for a remote store with their slot lent. */
interface Visits {
  count: number;
  waiting: number;
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
export function makeFrontDoor({ maxInside, maxPerCaller, ownerOf }: FrontDoorOptions): FrontDoor {
  let [inside, followers, lent] = [0, 0, 0];
  const callers = new Map<string, Caller>();

  /** The share of each caller: the more callers, the smaller it is. Requests that are already inside finish. */
  const shareOf = (isNew: boolean): number => {
    const all = callers.size + (isNew ? 1 : 0);
    return Math.min(maxPerCaller, Math.max(MIN_SHARE, Math.floor(maxInside / (all + 1))));
  };

  function admit(caller: Caller, target: unknown, isNew: boolean): Visits | null {
    const same = caller.targets.get(target);
    if (same !== undefined) {
      if (caller.followers >= FOLLOWERS_PER_SLOT * maxPerCaller) return null;
      if (followers >= FOLLOWERS_PER_SLOT * maxInside) return null;
      caller.followers += 1;
      followers += 1;
      same.count += 1;
      return same;
    }
    // Shares shrink before the slots over them are left: until then there may be twice as many inside.
    if (caller.targets.size - caller.lent >= shareOf(isNew) || inside >= 2 * maxInside) return null;
    inside += 1;
    const visits = { count: 1, waiting: 0 };
    caller.targets.set(target, visits);
    return visits;
  }

  function leave(name: string, caller: Caller, target: unknown): void {
    const visits = caller.targets.get(target);
    if (visits !== undefined && visits.count > 1) {
      visits.count -= 1;
      caller.followers -= 1;
      followers -= 1;
      return;
    }
    inside -= 1;
    caller.targets.delete(target);
    if (caller.targets.size === 0) callers.delete(name);
  }

  /** The first of the requests for a target that waits lends its slot, and the last takes it back. */
  function lend(caller: Caller, visits: Visits): () => void {
    const mayLend = caller.lent < LENT_PER_SLOT * maxPerCaller && lent < LENT_PER_SLOT * maxInside;
    if (visits.waiting === 0 && !mayLend) return nothing;
    if (visits.waiting === 0) count(-1);
    visits.waiting += 1;
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      visits.waiting -= 1;
      if (visits.waiting === 0) count(1);
    };

    function count(change: 1 | -1): void {
      inside += change;
      lent -= change;
      caller.lent -= change;
    }
  }

  return {
    enter({ path, query, keyHeader, cookieHeader }) {
      const text = readToken(path) ?? (readKey(query, keyHeader) || guessSession(cookieHeader ?? ''));
      const owner = text === null ? null : ownerOf(text);
      const isKnown = owner !== null;
      const name = owner ?? '';
      const known = callers.get(name);
      const caller = known ?? { targets: new Map(), followers: 0, lent: 0 };
      // A caller without a known key gets no more by asking for the same again.
      const target = isKnown ? `${path}?${query}` : Symbol('a target of its own');
      const visits = admit(caller, target, known === undefined);
      if (visits === null) return null;
      callers.set(name, caller);
      const returns = new Set<() => void>();
      let isLeft = false;
      return {
        lend() {
          // Shared work continues after its first caller has left.
          if (isLeft) return nothing;
          const takeBack = lend(caller, visits);
          returns.add(takeBack);
          return takeBack;
        },
        leave() {
          isLeft = true;
          for (const takeBack of returns) takeBack();
          leave(name, caller, target);
        },
      };
    },
  };
}

/** The token of a public recipe, whose owner the request is charged to; null for other addresses. */
const readToken = (path: string): string | null =>
  /^\/(?:api\/public|ogc\/xyz)\/([^/]+)/.exec(path)?.[1] ?? null;

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
