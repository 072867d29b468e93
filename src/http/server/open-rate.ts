import { makeWindowCounter } from '../../async/index.ts';
import { notAllowed } from '../../errors.ts';
import { toClientNetwork } from './client-network.ts';
import { toRateHeaders } from './rate-headers.ts';

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
