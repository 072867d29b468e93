import { isUnavailable } from '../../errors.ts';
import type { RateStore } from '../../keys/index.ts';
import { makeLru } from '../../lru.ts';
import { notAllowed } from '../errors.ts';
import type { Log } from './error-answer.ts';
import type { RateHeaders } from './guard.ts';
import { chooseTighter } from './guard.ts';

/** Counts requests to the statistics address, by key and endpoint, for all nodes together. */
export interface StatisticsRate {
  /** Counts one more request; throws 429 past the limit. Gives the RateLimit-* headers of the answer. */
  count(
    request: { readonly keyId: string; readonly name: string },
    ownHeaders: RateHeaders,
  ): Promise<RateHeaders>;
}

interface StatisticsRateDeps {
  readonly store: RateStore;
  /** Requests of one key to one endpoint in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Max cached refusals, by key and endpoint; on a miss the store is asked. */
const MAX_REFUSED = 10_000;

/**
 * Builds the limit. A refusal is remembered until its wait is over: until then requests are refused without the store,
 * which could not answer otherwise. Requests of one key to one endpoint take turns, so that a flood of them costs as many
 * questions to the store as there are requests left, and one more.
 */
export function makeStatisticsRate({ store, perMinute, nowMs, log }: StatisticsRateDeps): StatisticsRate {
  if (perMinute === 0) return { count: async (_, ownHeaders) => ownHeaders };
  const refusedUntilMs = makeLru<number>({ max: MAX_REFUSED });
  const lastTurns = new Map<string, Promise<unknown>>();
  let isAway = false;

  function refuseKnown(id: string): void {
    const waitMs = (refusedUntilMs.get(id) ?? 0) - nowMs();
    if (waitMs > 0) throw refuse(waitMs, perMinute);
  }

  async function countNext(
    id: string,
    owner: string,
    name: string,
    ownHeaders: RateHeaders,
  ): Promise<RateHeaders> {
    refuseKnown(id);
    const counted = await store.count({ owner, name, perMinute });
    if (isAway) log.info({}, 'requests to the statistics address are counted again');
    isAway = false;
    if (!counted.isAllowed) {
      refusedUntilMs.set(id, nowMs() + counted.waitMs);
      throw refuse(counted.waitMs, perMinute);
    }
    const { remaining, fullInMs } = counted;
    return chooseTighter(ownHeaders, { limit: perMinute, remaining, resetS: Math.ceil(fullInMs / 1000) });
  }

  /**
   * While the store cannot count, requests are let through, as keys that were used lately are: the limit protects the work
   * behind it, which needs the store too. On a full disk, polls go on. The causes are logged where they are noticed.
   */
  function letThrough(error: unknown, ownHeaders: RateHeaders): RateHeaders {
    if (!isUnavailable(error)) throw error;
    if (!isAway) log.warn({ code: error.code }, 'requests to the statistics address are not counted');
    isAway = true;
    return ownHeaders;
  }

  return {
    async count({ keyId, name }, ownHeaders) {
      const id = `${name} ${keyId}`;
      refuseKnown(id);
      const turn = (lastTurns.get(id) ?? Promise.resolve()).then(() =>
        countNext(id, keyId, name, ownHeaders).catch((error: unknown) => letThrough(error, ownHeaders)),
      );
      const ended = turn.catch(() => {});
      lastTurns.set(id, ended);
      try {
        return await turn;
      } finally {
        if (lastTurns.get(id) === ended) lastTurns.delete(id);
      }
    },
  };
}

function refuse(waitMs: number, perMinute: number): Error {
  const retryAfterS = Math.ceil(waitMs / 1000);
  return notAllowed(
    'statistics-rate-limited',
    `The limit of ${perMinute} requests per minute to this endpoint for one key is reached; ask again in ${retryAfterS} s.`,
    { details: { retryAfterS, rateLimit: perMinute } },
  );
}
