import { notAllowed } from '../../errors.ts';
import type { KeyRecord } from '../../keys/index.ts';
import { makeLru } from '../../lru.ts';
import { chooseTighter } from './rates.ts';

/** Counts the work that the requests of a key may cost, in addition to the rate that the key may have of its own. */
export interface WorkBudget {
  /**
   * Pays for a request; throws 429 if the key has used up its budget. Gives the RateLimit-* headers of the answer: how
   * many such requests are left, or those of a tighter rate.
   */
  pay(key: Pick<KeyRecord, 'id' | 'scope'>, cost: number, ownHeaders: Headers): Headers;
}

type Headers = Readonly<Record<string, string>>;

interface WorkBudgetOptions {
  /** Milliseconds of work of one key in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** The same for read-only keys. */
  readonly readOnlyPerMinute: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** What a key had left, and when. */
interface Account {
  readonly left: number;
  readonly atMs: number;
}

/** Max keys that are remembered; one that is forgotten has a whole budget again. */
const MAX_KEYS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Builds the budget: a token bucket for each key, in memory. It holds the work of a minute, which may be used at once, and
 * fills evenly. Each node counts on its own, because the work is that of its main thread.
 */
export function makeWorkBudget({ perMinute, readOnlyPerMinute, nowMs }: WorkBudgetOptions): WorkBudget {
  const accounts = makeLru<Account>({ max: MAX_KEYS });
  return {
    pay({ id, scope }, cost, ownHeaders) {
      const whole = scope === 'read' ? readOnlyPerMinute : perMinute;
      if (whole === 0 || cost === 0) return ownHeaders;
      // A budget that is smaller than one request allows one at a time.
      const price = Math.min(cost, whole);
      const now = nowMs();
      const before = accounts.get(id) ?? { left: whole, atMs: now };
      const left = Math.min(whole, before.left + ((now - before.atMs) * whole) / MINUTE_MS);
      const limit = Math.floor(whole / price);
      if (left < price) {
        const retryAfterS = Math.ceil(((price - left) * 60) / whole);
        throw notAllowed(
          'work-limited',
          `This key's budget of ${whole} ms of work per minute is used up: ${limit} requests of this kind a minute, which cost ${price} each; ask again in ${retryAfterS} s.`,
          { details: { retryAfterS, rateLimit: limit } },
        );
      }
      accounts.set(id, { left: left - price, atMs: now });
      return chooseTighter(ownHeaders, {
        limit,
        remaining: Math.floor((left - price) / price),
        resetS: Math.max(1, Math.ceil(((whole - left + price) * 60) / whole)),
      });
    },
  };
}
