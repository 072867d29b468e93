/**
 * Requests that the first script of the page sends while the browser still loads the others: on a slow link the answers
 * are there when the page asks for them. An answer is taken once; whatever else the page asks for is sent as usual.
 */
import { parseOrigins } from '../scenes/origins.ts';
import { parseSensors } from '../scenes/sensor.ts';
import { PLAIN_QUERY } from '../state/search-state.ts';
import { SCENE_SEARCH, toScenePageBody } from './search-body.ts';

/** The answers on their way, by what was asked. */
export interface EarlyRequests {
  /** `fetch` that takes the answer to an early request, the first time that the page asks for it. */
  readonly fetch: typeof globalThis.fetch;
  /** Asks what every start of the page asks for: what the server is, and what it knows. */
  askAll(): void;
  /** Asks for the first page of scenes too, once the sensors are known: with the key of the page. */
  search(key: string): Promise<void>;
}

/** The key of an answer. Headers do not count: the key of the page does not change before its first requests. */
const toName = (path: string, { method = 'GET', body }: RequestInit): string =>
  [method, path, typeof body === 'string' ? body : ''].join(' ');

/** Answers that every start reads, none of which needs a key. */
const PUBLIC = ['readyz', 'api/sensors', 'api/colormaps', 'api/functions', 'api/about'] as const;

/** Builds them over the browser's own `fetch`. */
export const makeEarlyRequests = (send: typeof globalThis.fetch): EarlyRequests => {
  const answers = new Map<string, Promise<Response>>();
  const ask = (path: string, init: RequestInit): Promise<Response> => {
    const answer = send(path, init);
    answers.set(toName(path, init), answer);
    // The page asks again for what failed, and reports it.
    answer.catch(() => undefined);
    return answer;
  };
  const take = (input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> | undefined => {
    if (typeof input !== 'string') return undefined;
    const name = toName(input, init);
    const answer = answers.get(name);
    answers.delete(name);
    return answer;
  };
  const asked = new Map<(typeof PUBLIC)[number], Promise<Response>>();
  return {
    fetch: (input, init = {}) => take(input, init) ?? send(input, init),
    askAll() {
      for (const path of PUBLIC) {
        asked.set(path, ask(path, { cache: path === 'readyz' ? 'no-store' : 'no-cache' }));
      }
    },
    async search(key) {
      // A service that still makes its first scene would answer with an empty list.
      if ((await asked.get('readyz'))?.ok !== true) return;
      const response = (await asked.get('api/sensors'))?.clone();
      if (response?.ok !== true) return;
      const known: unknown = await response.json();
      // A search of public catalogs is about a place, which the page chooses.
      if (parseOrigins(known).catalogs.length > 0) return;
      const allDatasets = parseSensors(known).map(({ dataset }) => dataset);
      const body = toScenePageBody({ query: PLAIN_QUERY, bounds: null, area: null, allDatasets }, 1);
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      await ask(SCENE_SEARCH, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  };
};
