import type { CallOutcome, TokenBuckets } from '../../async/index.ts';
import { makeBreaker, makeTokenBuckets, sleep, toCancelled } from '../../async/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { AddressPolicy, GuardedFetch, ProxySettings } from '../../net/index.ts';
import { makeGuardedFetch, parseRetryAfterMs } from '../../net/index.ts';
import { DAY_MS, HOUR_MS } from '../../units.ts';
import { unavailable } from '../errors.ts';
import type { OpenMeteoApi } from './hours-request.ts';

/** How the servers are reached. */
export interface ServerAccess {
  readonly ask: Readonly<Record<OpenMeteoApi, AskServer>>;
  /** The whole address of a path, with the key. */
  readonly toUrl: (api: OpenMeteoApi, path: string) => string;
}

interface AccessDeps extends OpenMeteoServers {
  readonly fetch: GuardedFetch;
  /** Sent as `apikey`; null for none. */
  readonly key: string | null;
  readonly limits: CallLimits;
  readonly retryDelayMs: number;
  readonly nowMs: () => number;
}

/** Builds the access to the servers; both share one call budget. */
export function makeServerAccess(deps: AccessDeps): ServerAccess {
  const { forecastUrl, archiveUrl, key, limits, nowMs } = deps;
  const budget = makeCallBudget(limits, nowMs);
  const forecast = makeAskServer({ ...deps, budget });
  // A server that serves both is paused for both.
  const archive = forecastUrl === archiveUrl ? forecast : makeAskServer({ ...deps, budget });
  const urls = { forecast: forecastUrl, archive: archiveUrl } as const;
  return {
    ask: { forecast, archive },
    toUrl(api, path) {
      const url = `${urls[api]}${path}`;
      if (key === null) return url;
      return `${url}${path.includes('?') ? '&' : '?'}apikey=${encodeURIComponent(key)}`;
    },
  };
}

/** Addresses of the servers, without a slash at the end. */
export interface OpenMeteoServers {
  readonly forecastUrl: string;
  readonly archiveUrl: string;
}

interface FetchOptions extends OpenMeteoServers {
  /** Networks (CIDR) in which the servers may be although they are not public. */
  readonly privateNetworks: readonly string[];
  readonly proxy?: ProxySettings | undefined;
  readonly timeoutMs?: number;
}

/** A year of an area is computed in seconds; a server that takes longer does not answer. */
const TIMEOUT_MS = 20_000;

/** Builds the guarded door to the servers: it opens no other address and follows no redirect. */
export function makeOpenMeteoFetch({
  forecastUrl,
  archiveUrl,
  privateNetworks,
  proxy,
  timeoutMs = TIMEOUT_MS,
}: FetchOptions): GuardedFetch {
  const urls = [new URL(forecastUrl), new URL(archiveUrl)];
  const policy: AddressPolicy = {
    hosts: urls.map(({ hostname }) => hostname),
    ports: urls.map(({ port, protocol }) =>
      port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ),
    allowHttp: urls.some(({ protocol }) => protocol === 'http:'),
    privateNetworks,
  };
  return makeGuardedFetch({
    policy,
    proxy,
    subject: { file: 'the weather server', server: 'the weather server' },
    timeouts: { connectMs: timeoutMs / 4, headersMs: timeoutMs, idleMs: timeoutMs / 2, totalMs: timeoutMs },
  });
}

/** A question to a server. */
interface Question<T> {
  /** Contains the key. */
  readonly url: string;
  readonly maxBytes: number;
  /** How many calls the server counts it as; 0 if it is free. */
  readonly calls: number;
  readonly signal: AbortSignal;
  /** Throws if the answer is wrong. */
  readonly parse: (answer: unknown) => T;
}

/** Asks a server; null if it says that it has no data at this location. */
type AskServer = <T>(question: Question<T>) => Promise<T | null>;

interface AskDeps {
  readonly fetch: GuardedFetch;
  readonly budget: TokenBuckets;
  readonly nowMs: () => number;
  /** Delay before the retry of a failed request. */
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

/** Refusals are short; so are error pages of proxies. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** What Open-Meteo says where a regional model ends. */
const NO_DATA = 'No data is available for this location';

/** Calls are paused after this many failures in a row: each may take all the time of a request. */
const FAILURES = 3;
const FAILURES_PAUSE_MS = 30_000;
/** The longest pause that a server may ask for. */
const MAX_PAUSE_MS = DAY_MS;

/** Builds the caller of one server: within its limits, with one retry, and not while calls are paused. */
function makeAskServer({ fetch, budget, nowMs, retryDelayMs }: AskDeps): AskServer {
  const breaker = makeBreaker({
    failures: FAILURES,
    pauseMs: FAILURES_PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    // The parts of one request are read at the same time: a single probe would refuse the others.
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

/** The reason of `{"error":true,"reason":"…"}`; empty for any other body. */
function parseReason(body: Uint8Array): string {
  try {
    const answer = parseJson(body);
    const reason = typeof answer === 'object' && answer !== null && 'reason' in answer ? answer.reason : '';
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}

/** Parses the text of an answer as JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The message of JSON.parse quotes the text.
    throw wrongAnswer('not JSON');
  }
}

/** The error for a server that cannot answer now; the cause is for the log, and does not contain the key. */
function weatherUnavailable(cause: unknown, retryAfterMs?: number): SwathError {
  const details =
    retryAfterMs === undefined ? {} : { retryAfterS: Math.max(1, Math.ceil(retryAfterMs / 1_000)) };
  return unavailable('weather-unavailable', 'The weather service cannot answer now.', { cause, details });
}

/** The cause of the error that callers get when an answer does not fit the request. */
export const wrongAnswer = (what: string): Error => new Error(`wrong answer of Open-Meteo: ${what}`);

/** The limits that a refusal of Open-Meteo names ("Hourly API request limit exceeded. …"), and their lengths. */
const LIMITS: readonly (readonly [pattern: RegExp, spanMs: number])[] = [
  [/^minutely\b/i, 60_000],
  [/^hourly\b/i, HOUR_MS],
  [/^(?:daily|monthly)\b/i, DAY_MS],
];

/** How long a server that refused a request asks us to pause; null if it does not say. */
export function parsePauseMs(
  refusal: { readonly status: number; readonly retryAfter: string | null; readonly reason: string },
  nowMs: number,
): number | null {
  const toldMs = parseRetryAfterMs(refusal.retryAfter, nowMs);
  if (toldMs !== null) return toldMs;
  if (refusal.status !== 429) return null;
  // Its counters are reset with each minute, hour and day of UTC.
  const spanMs = LIMITS.find(([pattern]) => pattern.test(refusal.reason))?.[1] ?? 60_000;
  return spanMs - (nowMs % spanMs);
}

/** How many calls a server allows; 0 for no limit. */
export interface CallLimits {
  readonly perMinute: number;
  readonly perHour: number;
  readonly perDay: number;
}

/** Builds the budget of a server's limits, so that it seldom has to refuse a call. */
export const makeCallBudget = (
  { perMinute, perHour, perDay }: CallLimits,
  nowMs: () => number,
): TokenBuckets =>
  makeTokenBuckets(
    [
      { max: perMinute, spanMs: 60_000 },
      { max: perHour, spanMs: HOUR_MS },
      { max: perDay, spanMs: DAY_MS },
    ].filter(({ max }) => max > 0),
    nowMs,
  );

/**
 * How many calls a request counts as: https://open-meteo.com/en/pricing, "How are API calls counted?". More than 10
 * variables or more than two weeks are several calls, in fractions, and each location is a request of its own.
 */
export function toCallCount(request: {
  readonly variables: number;
  readonly days: number;
  readonly locations: number;
}): number {
  const byVariables = request.variables / 10;
  return Math.max(1, byVariables, byVariables * (request.days / 14)) * request.locations;
}
