import type { CallOutcome, TokenBuckets } from '../../async/index.ts';
import { makeBreaker, sleep, toCancelled } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import type { GuardedFetch } from '../../net/index.ts';
import { DAY_MS } from '../../units.ts';
import { parseJson } from './parse-answer.ts';
import { parsePauseMs } from './parse-pause.ts';
import { weatherUnavailable } from './weather-unavailable.ts';

/** A question to a server. */
export interface Question<T> {
  /** With the key. */
  readonly url: string;
  readonly maxBytes: number;
  /** How many calls it counts as; 0 if it is free. */
  readonly calls: number;
  readonly signal: AbortSignal;
  /** Throws if the answer is wrong. */
  readonly parse: (answer: unknown) => T;
}

/** Asks a server; null if it says that it has no data at this location. */
export type AskServer = <T>(question: Question<T>) => Promise<T | null>;

interface AskDeps {
  readonly fetch: GuardedFetch;
  readonly budget: TokenBuckets;
  readonly nowMs: () => number;
  /** Wait before a failed request is made once more. */
  readonly retryDelayMs: number;
}

/** Why a request did not succeed. */
interface Failure {
  readonly cause: unknown;
  /** Another attempt may succeed. */
  readonly mayPass: boolean;
  /** The server itself is in a bad state, and not only the request. */
  readonly isOfServer: boolean;
  /** How long the server asked us to pause; null if it did not. */
  readonly pauseMs: number | null;
}

type Outcome<T> = { readonly value: T | null } | { readonly failure: Failure };

/** Refusals are short; pages of proxies are too. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** What Open-Meteo says where a regional model ends. */
const NO_DATA = 'No data is available for this location';

/** After so many failures in a row calls are paused: each may take all the time of a request. */
const FAILURES = 3;
const FAILURES_PAUSE_MS = 30_000;
/** No server is believed that asks for a longer pause. */
const MAX_PAUSE_MS = DAY_MS;

/** Builds the caller of one server: within its limits, with one retry, and not while calls are paused. */
export function makeAskServer({ fetch, budget, nowMs, retryDelayMs }: AskDeps): AskServer {
  const breaker = makeBreaker({
    failures: FAILURES,
    pauseMs: FAILURES_PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    // The parts of one request are asked for at the same time: a single probe would refuse the others.
    afterPause: 'closed',
    nowMs,
  });

  function admit(calls: number): (outcome: CallOutcome) => void {
    const settle = breaker.admit();
    if (settle === null)
      throw weatherUnavailable(new Error('requests to the server are paused'), breaker.pausedMs());
    const waitMs = budget.take(calls);
    if (waitMs !== null) throw weatherUnavailable(new Error('API quota exhausted'), waitMs);
    return settle;
  }

  async function attempt<T>({ url, maxBytes, signal, parse }: Question<T>): Promise<Outcome<T>> {
    try {
      const { status, body, header } = await fetch({
        url,
        headers: { accept: 'application/json' },
        limitBody: (head) => (head.status === 200 ? maxBytes : MAX_REFUSAL_BYTES),
        signal,
      });
      if (status === 200) return { value: parse(parseJson(body)) };
      const reason = parseReason(body);
      if (status === 400 && reason === NO_DATA) return { value: null };
      return { failure: toRefusal(status, reason, header('retry-after'), nowMs()) };
    } catch (error) {
      if (isSwathError(error) && error.tag === 'cancelled') throw error;
      return { failure: { cause: error, mayPass: isBrief(error), isOfServer: true, pauseMs: null } };
    }
  }

  return async (question) => {
    for (let isRetry = false; ; isRetry = true) {
      const settle = admit(question.calls);
      const outcome = await attempt(question);
      if ('value' in outcome) {
        settle('well');
        return outcome.value;
      }
      const { cause, mayPass, isOfServer, pauseMs } = outcome.failure;
      if (pauseMs !== null) breaker.pause(pauseMs);
      else if (mayPass && !isRetry) {
        await sleep(retryDelayMs, question.signal).catch(() => {
          throw toCancelled();
        });
        continue;
      }
      if (isOfServer) settle('failed');
      throw weatherUnavailable(cause, pauseMs ?? undefined);
    }
  };
}

/** A connection that failed at once may succeed the next time; one that took all its time would take it again. */
const isBrief = (error: unknown): boolean =>
  isSwathError(error) && (error.code === 'source-unreachable' || error.code === 'source-cut-off');

function toRefusal(status: number, reason: string, retryAfter: string | null, nowMs: number): Failure {
  const isOfServer = status === 429 || status >= 500;
  return {
    // The reason may quote the address, and with it the key.
    cause: new Error(`status ${status}: ${reason.slice(0, 200).replaceAll(/apikey=\S*/g, 'apikey=…')}`),
    mayPass: status >= 500,
    isOfServer,
    pauseMs: isOfServer ? parsePauseMs({ status, retryAfter, reason }, nowMs) : null,
  };
}

/** The reason of `{"error":true,"reason":"…"}`; empty for anything that is not so. */
function parseReason(body: Uint8Array): string {
  try {
    const answer = parseJson(body);
    const reason = typeof answer === 'object' && answer !== null && 'reason' in answer ? answer.reason : '';
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}
