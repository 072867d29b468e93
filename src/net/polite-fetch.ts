import type { Breaker, CallOutcome, Clock } from '../async/index.ts';
import {
  makeBreaker,
  makeGate,
  makeTokenBuckets,
  systemClock,
  toBackoffMs,
  toCancelled,
} from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { parseRetryAfterMs } from './attempt.ts';
import { sourceBroken, tooBusy } from './errors.ts';
import type { ResponseHead } from './exchange.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** What requests to one service came to, for the metrics. */
export interface ServiceCounts {
  /** Requests that were sent. */
  requests: number;
  /** Refusals and failures by status (`429`) or code (`source-timed-out`). */
  readonly errors: Record<string, number>;
  /** How long requests have waited for their turn, all together. */
  waitedMs: number;
  /** Answers from the cache, without a request and after one that confirmed them. */
  cacheHits: number;
  revalidated: number;
  /** Requests that were answered within each of some times, and the time of all answered requests. */
  readonly within: { readonly seconds: number; requests: number }[];
  answered: number;
  answeredMs: number;
  /** Pauses that the service asked for, all together. */
  pausedMs: number;
}

const LATENCY_BOUNDS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Starts counting. */
export const makeServiceCounts = (): ServiceCounts => ({
  requests: 0,
  errors: {},
  waitedMs: 0,
  cacheHits: 0,
  revalidated: 0,
  within: LATENCY_BOUNDS_S.map((seconds) => ({ seconds, requests: 0 })),
  answered: 0,
  answeredMs: 0,
  pausedMs: 0,
});

interface PoliteOptions {
  readonly requestsPerMinute: number;
  /** Requests in flight. */
  readonly concurrency: number;
  /** A request that would wait longer for its turn is refused at once. */
  readonly maxWaitMs?: number;
  readonly clock?: Clock;
  /** For `Retry-After` dates. */
  readonly wallClockMs?: () => number;
  readonly counts?: ServiceCounts;
  /** What the service asks for, from `makePauses`; for callers that need to know how long it lasts. */
  readonly pauses?: Breaker;
}

/** Requests that may wait for each slot. More would wait longer than anybody does. */
const WAITING_PER_SLOT = 50;
const MAX_WAIT_MS = 60_000;
/** A burst may take what ten seconds allow; in the long run the rate is the stated one. */
const BURSTS_PER_MINUTE = 6;
/** The pause after a refusal that does not say how long; doubled with each further one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** No service is believed that asks for a longer pause. */
const MAX_PAUSE_MS = 600_000;
/** Consecutive failures after which requests to a service are paused. */
const FAILURES = 5;
const FAILURES_PAUSE_MS = 10_000;

/** Pauses that a service asks for. */
export const makePauses = ({ nowMs }: Pick<Clock, 'nowMs'>): Breaker =>
  makeBreaker({ failures: Number.POSITIVE_INFINITY, pauseMs: 0, maxPauseMs: MAX_PAUSE_MS, nowMs });

/**
 * Calls one service at its own rate. A request waits for its turn, as long as its signal allows. When the service refuses
 * one because of its load, all requests wait: as long as it asks, or a random part of a doubling time. Retries are left to
 * the caller.
 */
export function makePoliteFetch(fetch: GuardedFetch, options: PoliteOptions): GuardedFetch {
  const { requestsPerMinute, concurrency, maxWaitMs = MAX_WAIT_MS, clock = systemClock } = options;
  const { wallClockMs = Date.now, counts = makeServiceCounts(), pauses = makePauses(clock) } = options;
  const gate = makeGate(concurrency);
  const burst = Math.max(1, requestsPerMinute / BURSTS_PER_MINUTE);
  const rate = makeTokenBuckets([{ max: burst, spanMs: (60_000 * burst) / requestsPerMinute }], clock.nowMs);
  /** Opens after failures: a service that is down is not waited for. */
  const circuit = makeBreaker({ failures: FAILURES, pauseMs: FAILURES_PAUSE_MS, nowMs: clock.nowMs });
  let waiting = 0;
  let refusals = 0;

  /** Waits until the rate allows a request and no pause is under way. */
  async function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    const startedMs = clock.nowMs();
    for (;;) {
      const openMs = circuit.pausedMs();
      if (openMs > 0) throw resting(openMs);
      const pausedMs = pauses.pausedMs();
      const waitMs = pausedMs > 0 ? pausedMs : rate.take(1);
      if (waitMs === null) return;
      if (clock.nowMs() - startedMs + waitMs > maxWaitMs) throw resting(waitMs);
      await clock.sleep(waitMs, signal);
    }
  }

  /** Enters the queue; the result leaves it. */
  async function enter(signal: AbortSignal | undefined): Promise<() => void> {
    if (waiting >= WAITING_PER_SLOT * concurrency) {
      throw tooBusy.about('too-many-waiting', 'Too many requests wait for {server}.', {
        details: { retryAfterS: Math.ceil(maxWaitMs / 1_000) },
      });
    }
    const startedMs = clock.nowMs();
    waiting += 1;
    let leave = (): void => {};
    try {
      leave = await gate.enter(signal);
      await waitForTurn(signal);
      return leave;
    } catch (error) {
      leave();
      throw isSwathError(error) ? error : toCancelled(error);
    } finally {
      waiting -= 1;
      counts.waitedMs += clock.nowMs() - startedMs;
    }
  }

  /** Notes how the service is. */
  function note(head: ResponseHead): CallOutcome {
    const { status } = head;
    if (status >= 400) count(String(status));
    if (status !== 429 && status !== 503) {
      refusals = 0;
      return status >= 500 ? 'failed' : 'well';
    }
    const backoff = { firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_BACKOFF_MS, random: clock.random };
    const pauseMs =
      parseRetryAfterMs(head.header('retry-after'), wallClockMs()) ?? toBackoffMs(refusals, backoff);
    pauses.pause(pauseMs);
    counts.pausedMs += Math.min(pauseMs, MAX_PAUSE_MS);
    refusals += 1;
    // The pause is enough: a service that counts requests is well.
    return status === 503 ? 'failed' : 'unknown';
  }

  const count = (what: string): void => {
    counts.errors[what] = (counts.errors[what] ?? 0) + 1;
  };

  function countLatency(ms: number): void {
    counts.answered += 1;
    counts.answeredMs += ms;
    for (const bound of counts.within) if (ms <= 1_000 * bound.seconds) bound.requests += 1;
  }

  return async (request) => {
    const leave = await enter(request.signal);
    const settle = circuit.admit();
    if (settle === null) {
      leave();
      throw resting(FAILURES_PAUSE_MS);
    }
    let outcome: CallOutcome = 'unknown';
    counts.requests += 1;
    const sentMs = clock.nowMs();
    try {
      const answer = await fetch(request);
      countLatency(clock.nowMs() - sentMs);
      outcome = note(answer);
      return answer;
    } catch (error) {
      if (isSwathError(error) && error.tag !== 'cancelled') count(error.code);
      if (isFailure(error)) outcome = 'failed';
      throw error;
    } finally {
      settle(outcome);
      leave();
    }
  };
}

const resting = (forMs: number) =>
  sourceBroken.about(
    'source-resting',
    'Requests to {server} are paused because it refused or failed earlier ones.',
    {
      details: { retryAfterS: Math.max(1, Math.ceil(forMs / 1_000)) },
    },
  );

/** Whether an error says that the service does not answer, in time or at all. */
function isFailure(error: unknown): boolean {
  if (!isSwathError(error)) return false;
  const { tag, code, cause } = error;
  if (tag === 'timed-out' || code === 'source-unreachable' || code === 'source-cut-off') return true;
  return tag === 'cancelled' && cause instanceof DOMException && cause.name === 'TimeoutError';
}
