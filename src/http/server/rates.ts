/** Rates of writes and of requests without a key, and the headers that announce them. */
import { makeWindowCounter } from '../../async/index.ts';
import { notAllowed } from '../../errors.ts';
import { toClientNetwork } from './connections.ts';

/** What a client may still ask. */
interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

/** The headers that tell a client how much it may still ask. */
export const toRateHeaders = (rate: Rate): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetS),
});

/** The headers of the tighter of two rates: the one with fewer requests left. */
export function chooseTighter(
  headers: Readonly<Record<string, string>>,
  rate: Rate,
): Readonly<Record<string, string>> {
  const remaining = headers['ratelimit-remaining'];
  return remaining !== undefined && Number(remaining) <= rate.remaining ? headers : toRateHeaders(rate);
}

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

/** Counts what callers without a key have drawn, by the address of the client. */
export interface OpenRate {
  /** Counts one more request; throws 429 past the limit. Gives the RateLimit-* headers of the answer. */
  count(address: string): Readonly<Record<string, string>>;
}

interface OpenRateOptions {
  /** Requests of one client address, or of one IPv6 network of /64, in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** Builds the limit on open routes that draw: signed thumbnails. */
export function makeOpenRate({ perMinute, nowMs }: OpenRateOptions): OpenRate {
  if (perMinute === 0) return { count: () => ({}) };
  const requests = makeWindowCounter({ windowMs: 60_000, nowMs });
  return {
    count(address) {
      const { count, resetS } = requests.add(toClientNetwork(address));
      if (count > perMinute) {
        throw notAllowed(
          'open-rate-limited',
          `The limit of ${perMinute} thumbnails per minute for one address is reached.`,
          { details: { retryAfterS: resetS, rateLimit: perMinute } },
        );
      }
      return toRateHeaders({ limit: perMinute, remaining: perMinute - count, resetS });
    },
  };
}
