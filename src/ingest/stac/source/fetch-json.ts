import type { Sleep } from '../../../async/index.ts';
import { sleep, throwIfCancelled, toBackoffMs, toCancelled } from '../../../async/index.ts';
import type { Subject, SwathError } from '../../../errors.ts';
import { isSwathError, withSubject } from '../../../errors.ts';
import type { GuardedFetch } from '../../../net/index.ts';
import { parseRetryAfterMs } from '../../../net/index.ts';
import { sourceBroken } from '../../errors.ts';

/** A request to a catalog. */
export interface JsonRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Sends a request to a catalog and parses the JSON of its answer. */
export type FetchJson = (request: JsonRequest) => Promise<unknown>;

/** Dependencies and limits of requests. */
export interface FetchJsonDeps {
  readonly fetch: GuardedFetch;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** For tests. */
  readonly sleep?: Sleep | undefined;
}

/** Retries of one request, and of all requests of a run together. */
const RETRIES = 4;
const RETRY_BUDGET = 40;
const FIRST_WAIT_MS = 500;
/** Catalogs ask for at most a minute; the run gives up if one asks for more. */
const LONGEST_WAIT_MS = 60_000;
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(['source-timed-out', 'source-unreachable', 'source-cut-off']);
const CATALOG: Subject = { file: 'the catalog', server: 'the catalog' };

/** Builds the client of catalogs: answers are limited in size, and temporary failures are retried within a budget. */
export function makeFetchJson(deps: FetchJsonDeps): FetchJson {
  const { fetch, maxBytes, signal, sleep: wait = sleep } = deps;
  let budget = RETRY_BUDGET;
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      throwIfCancelled(signal);
      const { json, failure, afterMs } = await send({ fetch, maxBytes, signal }, request);
      if (failure === null) return json;
      if (afterMs === null || attempt >= RETRIES || budget <= 0) throw failure;
      budget--;
      // "Full jitter", but not sooner than the catalog allows.
      const ownMs = toBackoffMs(attempt, { firstMs: FIRST_WAIT_MS, random: Math.random });
      await wait(Math.min(LONGEST_WAIT_MS, Math.max(ownMs, afterMs)), signal).catch((reason: unknown) => {
        throw toCancelled(reason);
      });
    }
  };
}

interface Answer {
  readonly json: unknown;
  readonly failure: SwathError | null;
  /** Min wait before a retry; null if a retry is of no use. */
  readonly afterMs: number | null;
}

async function send(
  { fetch, maxBytes, signal }: Pick<FetchJsonDeps, 'fetch' | 'maxBytes' | 'signal'>,
  { url, method = 'GET', body }: JsonRequest,
): Promise<Answer> {
  try {
    const answer = await fetch({
      url,
      method,
      headers: {
        accept: 'application/geo+json, application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      limitBody: ({ status }) => (status === 200 ? maxBytes : 0),
      ...(signal ? { signal } : {}),
    });
    if (answer.status === 200) return { json: parseJson(answer.body), failure: null, afterMs: null };
    const isPassing = PASSING_STATUSES.has(answer.status);
    const afterMs = isPassing ? (parseRetryAfterMs(answer.header('retry-after'), Date.now()) ?? 0) : null;
    return { json: null, failure: refused(answer.status), afterMs };
  } catch (error) {
    if (!isSwathError(error)) throw error;
    return {
      json: null,
      failure: withSubject(error, CATALOG),
      afterMs: PASSING_CODES.has(error.code) ? 0 : null,
    };
  }
}

const refused = (status: number) =>
  sourceBroken('stac-answer', `The catalog answered with status ${status}.`, { details: { status } });

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw sourceBroken('stac-bad-json', 'The answer of the catalog is not JSON.', { cause });
  }
}
