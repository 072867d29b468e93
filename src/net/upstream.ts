import type { Breaker, CallOutcome, Clock, Gate } from '../async/index.ts';
import { makeBreaker, makeGate, systemClock, toBackoffMs, toCancelled } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { makeLru } from '../lru.ts';
import type { Attempt } from './attempt.ts';
import { hedge, PassingFailure, startDeadline } from './attempt.ts';
import { sourceBroken } from './errors.ts';

/** Recent latencies of one origin. */
interface Latencies {
  note(durationMs: number): void;
  /** The latency above which an answer is late; null while too few are known. */
  lateAfterMs(): number | null;
}

interface LatencyOptions {
  /** Latencies remembered. */
  readonly count: number;
  /** With fewer latencies no answer counts as late. */
  readonly minCount: number;
  /** The share of answers that are in time. */
  readonly percentile: number;
  /** Lower bound: within it a second request would not be faster than the first. */
  readonly minMs: number;
}

/** Builds the memory of an origin's latest latencies. */
function makeLatencies({ count, minCount, percentile, minMs }: LatencyOptions): Latencies {
  const last: number[] = [];
  let next = 0;
  let known: number | null = null;
  return {
    note(durationMs) {
      last[next] = durationMs;
      next = (next + 1) % count;
      known = null;
    },
    lateAfterMs() {
      if (last.length < minCount) return null;
      // Sorted once for many reads: a few hundred numbers take microseconds.
      known ??= last.toSorted((a, b) => a - b)[Math.floor(percentile * (last.length - 1))] ?? 0;
      return Math.max(minMs, known);
    },
  };
}

/** Limits retries to a small share of the traffic, so that a failing store is not called more than a healthy one. */
interface RetryBudget {
  /** Counts a first try. */
  earn(): void;
  /** Whether a retry may be made now. */
  canSpend(): boolean;
  /** True when a retry may be made; it is then counted. */
  spend(): boolean;
}

interface BudgetOptions {
  /** Retries that each first try earns: 0.1 is one in ten. */
  readonly share: number;
  /** The first balance: enough for one read to use both its retries. */
  readonly initial: number;
  /** Max retries that can be saved up. */
  readonly max: number;
}

/** Builds the retry budget of one origin. */
export function makeRetryBudget({ share, initial, max }: BudgetOptions): RetryBudget {
  let balance = initial;
  // A sum of tenths is never exactly 1.
  const canSpend = (): boolean => balance >= 1 - 1e-9;
  return {
    earn() {
      balance = Math.min(max, balance + share);
    },
    canSpend,
    spend() {
      if (!canSpend()) return false;
      balance -= 1;
      return true;
    },
  };
}

/** Limits of the calls to a store. */
export interface UpstreamLimits {
  /** Upper bound of concurrent calls to one origin. */
  readonly concurrency: number;
  /** Time limit of one read with all its tries; waiting for a slot does not count. */
  readonly totalMs: number;
  readonly retries: number;
  /** Retries wait a random part of this, doubled each time ("full jitter"). */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  readonly retryShare: number;
  readonly breakerFailures: number;
  readonly breakerRestMs: number;
  /** The share of calls that may be hedged when their answer is late; 0 for stores that Swath writes to. */
  readonly hedgeShare: number;
}

/** Called for each event, for the metrics. */
export interface UpstreamEvents {
  readonly onCall?: () => void;
  readonly onRetry?: () => void;
  /** A second request starts because the answer to the first is late. */
  readonly onHedge?: () => void;
  /** The second request was answered first. */
  readonly onHedgeWon?: () => void;
}

/** The default limits. */
const DEFAULT_UPSTREAM_LIMITS: UpstreamLimits = {
  concurrency: 16,
  totalMs: 10_000,
  retries: 2,
  backoffMs: 100,
  maxBackoffMs: 2_000,
  retryShare: 0.1,
  breakerFailures: 20,
  breakerRestMs: 5_000,
  hedgeShare: 0,
};

/** An answer is late after the 95th percentile, and after the time of a connection within a continent. */
const LATENCIES = { count: 200, minCount: 20, percentile: 0.95, minMs: 50 };
/** Upper bound of saved second requests: what 200 reads earn at 3 %. */
const MAX_SAVED_HEDGES = 6;

/** Upper bound of saved retries: what 200 reads earn. */
const MAX_SAVED_RETRIES = 20;

/** Calls stores with limits on number and time, retries within a budget, and pauses calls to a store that keeps failing. */
export interface Upstream {
  /** Runs `attempt` until it returns a result, throws, or has no retry left after a `PassingFailure`. */
  call<T>(origin: string, attempt: Attempt<T>, signal?: AbortSignal): Promise<T>;
}

interface OriginState {
  readonly gate: Gate;
  readonly breaker: Breaker;
  readonly budget: RetryBudget;
  readonly hedges: RetryBudget;
  readonly latencies: Latencies;
}

/** Upper bound of remembered origins; the least recently used one loses its (full) budget and its (closed) circuit. */
const MAX_ORIGINS = 1_000;

/** Builds the caller of all origins. Each has its own slots, circuit and budget, so one that hangs does not block the others. */
export function makeUpstream(
  options: Partial<UpstreamLimits> = {},
  clock: Clock = systemClock,
  events: UpstreamEvents = {},
): Upstream {
  const limits = { ...DEFAULT_UPSTREAM_LIMITS, ...options };
  const origins = makeLru<OriginState>({ max: MAX_ORIGINS });

  const findOrigin = (origin: string): OriginState =>
    origins.remember(origin, () => ({
      gate: makeGate(limits.concurrency),
      breaker: makeBreaker({
        failures: limits.breakerFailures,
        pauseMs: limits.breakerRestMs,
        nowMs: clock.nowMs,
      }),
      budget: makeRetryBudget({
        share: limits.retryShare,
        initial: limits.retries,
        max: MAX_SAVED_RETRIES,
      }),
      hedges: makeRetryBudget({ share: limits.hedgeShare, initial: 0, max: MAX_SAVED_HEDGES }),
      latencies: makeLatencies(LATENCIES),
    }));

  return {
    async call(origin, attempt, outer) {
      const state = findOrigin(origin);
      state.budget.earn();
      state.hedges.earn();
      events.onCall?.();
      const waiting = outer ?? new AbortController().signal;
      let leftMs = limits.totalMs;
      for (let retry = 0; ; retry += 1) {
        // This wait does not count: it depends on earlier callers, not on the store. The caller limits it.
        const leave = await state.gate.enter(waiting).catch(throwCancelled);
        const startedMs = clock.nowMs();
        const deadline = startDeadline(outer, leftMs);
        const result = await runOnce(state, { attempt, clock, events }, deadline.signal).finally(() => {
          deadline.end();
          leave();
        });
        if (!(result instanceof PassingFailure)) return result;
        const backoff = { firstMs: limits.backoffMs, maxMs: limits.maxBackoffMs, random: clock.random };
        const waitMs = Math.max(result.afterMs, toBackoffMs(retry, backoff));
        leftMs -= clock.nowMs() - startedMs + waitMs;
        if (retry >= limits.retries || leftMs <= 0 || !state.budget.spend()) throw result.error;
        events.onRetry?.();
        await clock.sleep(waitMs, waiting).catch(throwCancelled);
      }
    },
  };
}

const throwCancelled = (reason: unknown): never => {
  throw toCancelled(reason);
};

interface Try<T> {
  readonly attempt: Attempt<T>;
  readonly clock: Clock;
  readonly events: UpstreamEvents;
}

/** Runs one try and reports its outcome to the breaker of the origin. */
async function runOnce<T>(
  state: OriginState,
  { attempt, clock, events }: Try<T>,
  signal: AbortSignal,
): Promise<T | PassingFailure> {
  const { breaker, latencies } = state;
  const settle = breaker.admit();
  if (settle === null) {
    throw sourceBroken.about('source-resting', '{server} keeps failing; requests to it are paused.');
  }
  let outcome: CallOutcome = 'well';
  const startedMs = clock.nowMs();
  try {
    const result = await runHedged(state, { attempt, clock, events }, signal);
    if (result instanceof PassingFailure) outcome = 'failed';
    else latencies.note(clock.nowMs() - startedMs);
    return result;
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    settle(outcome);
  }
}

/** Runs a try, and a second one when the first is late, if the budget allows it and the origin has a free slot. */
function runHedged<T>(
  { gate, hedges, latencies }: OriginState,
  { attempt, clock, events }: Try<T>,
  signal: AbortSignal,
): Promise<T | PassingFailure> {
  const lateAfterMs = latencies.lateAfterMs();
  if (lateAfterMs === null || !hedges.canSpend()) return attempt(signal);
  let leave: (() => void) | null = null;
  return hedge({
    attempt,
    signal,
    wait: (waiting) => clock.sleep(lateAfterMs, waiting),
    mayHedge() {
      if (!hedges.canSpend()) return false;
      leave = gate.tryEnter();
      if (leave === null || !hedges.spend()) return false;
      events.onHedge?.();
      return true;
    },
    onWon: () => events.onHedgeWon?.(),
  }).finally(() => leave?.());
}

/** A store that sends wrong bytes is alive; one that hangs is not; a caller that left says nothing about the store. */
function outcomeOf(error: unknown): CallOutcome {
  if (!isSwathError(error)) return 'unknown';
  if (error.tag === 'timed-out') return 'failed';
  return error.tag === 'source-broken' ? 'well' : 'unknown';
}
