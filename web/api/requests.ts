/** Requests of the server, relative to the page: a proxy may serve the whole service under a path. */
import { toFailure } from './failure.ts';
import type { Patience } from './patience.ts';
import { NO_PATIENCE, sendWhole } from './patience.ts';
import { makePictureFallback } from './picture-fallback.ts';

/** The ways of asking that all calls share. The key travels in a header, never in an address. */
export interface Requests {
  /** Any request with the headers given; the answer may be an error. */
  request(path: string, init: RequestInit, signal?: AbortSignal, timeoutMs?: number): Promise<Response>;
  /** The header of the key. */
  withKey(): Readonly<Record<string, string>>;
  /** The JSON of an answer; `undefined` where it has none. */
  readJson(path: string, init?: RequestInit, signal?: AbortSignal): Promise<unknown>;
  /** The JSON of the answer to a posted value. */
  postJson(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>;
  readBlob(path: string, signal?: AbortSignal): Promise<Blob>;
}

/** What requests are made with. */
export interface RequestParts {
  /** Called each time, so that a changed key is used at once. */
  readonly readKey: () => string | null;
  readonly fetch: typeof globalThis.fetch;
  /** With a server that refuses reads temporarily; none by default. */
  readonly patience?: Patience;
}

/** A search takes milliseconds; past this the server is gone rather than slow. */
const TIMEOUT_MS = 20_000;
/** Pictures are larger than answers, and networks may be slow. */
const PICTURE_TIMEOUT_MS = 60_000;

/** The value, or `undefined` for text that is not JSON: the callers say what they expected instead. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Builds them. */
export const makeRequests = ({ readKey, fetch, patience = NO_PATIENCE }: RequestParts): Requests => {
  const orWithout = makePictureFallback();
  /** An answer by the time that the timeout says; the signal gives up before. */
  const fetchUntil = (
    path: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    timeoutMs: number,
  ) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(path, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  };
  const orFailure = async (answer: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> => {
    try {
      return await answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw toFailure(0, '');
    }
  };
  const request: Requests['request'] = (path, init, signal, timeoutMs = TIMEOUT_MS) =>
    orFailure(fetchUntil(path, init, signal, timeoutMs), signal);
  /** Reads are sent again while the server refuses them temporarily; what changes something is sent once. */
  const requestPatiently: Requests['request'] = (path, init, signal) =>
    init.method === undefined || init.method === 'GET'
      ? orFailure(
          orWithout(path, (sent) => patience(() => fetchUntil(sent, init, signal, TIMEOUT_MS), signal)),
          signal,
        )
      : request(path, init, signal);
  const withKey = (): Record<string, string> => ({ 'x-api-key': readKey() ?? '' });
  const readJson: Requests['readJson'] = async (path, init = {}, signal) => {
    const response = await requestPatiently(path, { headers: withKey(), ...init }, signal);
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return parseJson(text);
  };
  return {
    request,
    withKey,
    readJson,
    postJson(path, body, signal) {
      const headers = { 'content-type': 'application/json', ...withKey() };
      return readJson(path, { method: 'POST', headers, body: JSON.stringify(body) }, signal);
    },
    async readBlob(path, signal) {
      const read = (sent: string) => fetchUntil(sent, { headers: withKey() }, signal, PICTURE_TIMEOUT_MS);
      const response = await orFailure(
        orWithout(path, (sent) => patience(() => sendWhole(() => read(sent)), signal)),
        signal,
      );
      if (!response.ok) throw toFailure(response.status, await response.text());
      return response.blob();
    },
  };
};
