/** Requests of the server, relative to the page: a proxy may serve the whole service under a path. */
import { toFailure } from './failure.ts';

/** The ways of asking that all calls share. The key travels in a header, never in an address. */
export interface Requests {
  /** Any request with the headers given; the answer may be an error. */
  request(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response>;
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
}

/** A search takes milliseconds; past this the server is gone rather than slow. */
const TIMEOUT_MS = 20_000;

/** The value, or `undefined` for text that is not JSON: the callers say what they expected instead. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Builds them. */
export const makeRequests = ({ readKey, fetch }: RequestParts): Requests => {
  const request: Requests['request'] = async (path, init, signal) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await fetch(path, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw toFailure(0, '');
    }
  };
  const withKey = (): Record<string, string> => ({ 'x-api-key': readKey() ?? '' });
  const readJson: Requests['readJson'] = async (path, init = {}, signal) => {
    const response = await request(path, { headers: withKey(), ...init }, signal);
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
      const response = await request(path, { headers: withKey() }, signal);
      if (!response.ok) throw toFailure(response.status, await response.text());
      return response.blob();
    },
  };
};
