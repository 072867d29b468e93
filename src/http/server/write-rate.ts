import { makeWindowCounter } from '../../async/index.ts';
import { notAllowed } from '../../errors.ts';
import { chooseTighter } from './rate-headers.ts';

/** Counts what a key changes, in addition to the rate that the key may have of its own. */
export interface WriteRate {
  /**
   * Counts one more write of a key; throws 429 past the limit. Gives the RateLimit-* headers of the answer: those of the
   * key's own rate where fewer requests are left by it.
   */
  count(keyId: string, ownHeaders: Headers): Headers;
}

type Headers = Readonly<Record<string, string>>;

interface WriteRateOptions {
  /** Writes of one key in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** Builds the limit on routes that change something. */
export function makeWriteRate({ perMinute, nowMs }: WriteRateOptions): WriteRate {
  if (perMinute === 0) return { count: (_, ownHeaders) => ownHeaders };
  const writes = makeWindowCounter({ windowMs: 60_000, nowMs });
  return {
    count(keyId, ownHeaders) {
      const { count, resetS } = writes.add(keyId);
      if (count > perMinute) {
        throw notAllowed(
          'write-rate-limited',
          `The limit of ${perMinute} writes per minute for one key is reached.`,
          { details: { retryAfterS: resetS, rateLimit: perMinute } },
        );
      }
      return chooseTighter(ownHeaders, { limit: perMinute, remaining: perMinute - count, resetS });
    },
  };
}
