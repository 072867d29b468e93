/** The server's answers that the viewer needs, as typed calls. */
import type { Texts } from '../texts/en.ts';
import type { AreaCalls } from './area-calls.ts';
import { makeAreaCalls } from './area-calls.ts';
import type { ClearCalls } from './clear-calls.ts';
import { makeClearCalls } from './clear-calls.ts';
import { setFailureSentences } from './failure.ts';
import type { PictureCalls } from './picture-calls.ts';
import { makePictureCalls } from './picture-calls.ts';
import type { RequestParts } from './requests.ts';
import { makeRequests } from './requests.ts';
import type { SearchCalls } from './search-calls.ts';
import { makeSearchCalls } from './search-calls.ts';
import type { ServiceCalls } from './service-calls.ts';
import { makeServiceCalls } from './service-calls.ts';
import type { TerrainCalls } from './terrain-calls.ts';
import { makeTerrainCalls } from './terrain-calls.ts';

/** The calls. Each throws a `Failure` with a sentence to show, and an `AbortError` when its signal was used. */
export interface Api extends ServiceCalls, SearchCalls, PictureCalls, ClearCalls, TerrainCalls, AreaCalls {
  /** Any other call, from the page on: its JSON, or `undefined` where the answer has none. */
  call(path: string, request: CallRequest, signal?: AbortSignal): Promise<unknown>;
  /** Any request of this server with the key, for calls that parts of the page bring along; the answer may be an error. */
  send(path: string, init: RequestInit, signal?: AbortSignal, timeoutMs?: number): Promise<Response>;
}

interface CallRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
}

/** Builds the calls. */
export const makeApi = ({ texts, ...parts }: RequestParts & { readonly texts: Texts }): Api => {
  setFailureSentences(texts.failures);
  const requests = makeRequests(parts);
  const { request, withKey, readJson } = requests;
  return {
    ...makeServiceCalls(requests),
    ...makeSearchCalls(requests),
    ...makePictureCalls(requests, texts),
    ...makeClearCalls(requests),
    ...makeTerrainCalls(requests, texts),
    ...makeAreaCalls(requests),
    call: (path, { method = 'GET', body }, signal) => {
      const headers = body === undefined ? withKey() : { 'content-type': 'application/json', ...withKey() };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return readJson(path, { method, headers, cache: 'no-store', ...sent }, signal);
    },
    send: (path, { headers, ...init }, signal, timeoutMs) =>
      request(
        path,
        { ...init, headers: { ...withKey(), ...(headers as Record<string, string>) } },
        signal,
        timeoutMs,
      ),
  };
};
