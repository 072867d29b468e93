/** The server's answers that the viewer needs, as typed calls. The key travels in a header, never in an address. */
import type { ViewerSensor } from '../scenes/bands.ts';
import type { ScenePage } from '../scenes/scene.ts';
import { parseScenePage } from '../scenes/scene.ts';
import { toLegendPath } from '../scenes/tile-template.ts';
import { Failure, toFailure } from './failure.ts';
import type { Legend } from './legend.ts';
import { parseLegend } from './legend.ts';

/** Whether the server can answer searches yet, and if not, what it is waiting for. */
type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly waiting: string };

interface SceneQuery {
  readonly datasets: readonly string[];
  readonly sceneId?: string;
}

/** The calls. Each throws a `Failure` with a sentence to show. */
export interface Api {
  readReadiness(): Promise<Readiness>;
  /** The newest scenes of these datasets, or those with exactly this id. */
  searchScenes(query: SceneQuery): Promise<ScenePage>;
  /** What the colours mean of the pictures of this tile template; `null` where they mean nothing by themselves. */
  readLegend(template: string): Promise<Legend | null>;
}

/** As many as a list in a side panel can carry; the newest come first. */
const PAGE_LIMIT = 100;
/** A search takes milliseconds; past this the server is gone rather than slow. */
const TIMEOUT_MS = 20_000;

/** Requests an address relative to the page: a proxy may serve the whole service under a path. */
const request = async (path: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw toFailure(0, '');
  }
};

/** The value, or `undefined` for text that is not JSON: the callers say what they expected instead. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const parseWaiting = (text: string): string => {
  const body = parseJson(text);
  const waiting = typeof body === 'object' && body !== null && 'waiting' in body ? body.waiting : null;
  return typeof waiting === 'string' && waiting !== '' ? waiting : 'the server is starting';
};

/** Builds the calls; `readKey` is called each time, so that a changed key is used at once. */
export const makeApi = (readKey: () => string | null, sensors: readonly ViewerSensor[]): Api => ({
  async readReadiness() {
    const response = await request('readyz', { cache: 'no-store' });
    if (response.ok) return { isReady: true };
    const text = await response.text();
    if (response.status !== 503) throw toFailure(response.status, text);
    return { isReady: false, waiting: parseWaiting(text) };
  },

  async searchScenes({ datasets, sceneId }) {
    const response = await request('api/lms/search/v2', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': readKey() ?? '' },
      body: JSON.stringify({
        search: { satellites: datasets, ...(sceneId === undefined ? {} : { sceneID: sceneId }) },
        sort: { date: 'desc' },
        limit: PAGE_LIMIT,
      }),
    });
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    const page = parseScenePage(parseJson(text), sensors);
    if (page === null)
      throw new Failure(response.status, 'The server answered the search in an unknown form.');
    return page;
  },

  async readLegend(template) {
    const response = await request(toLegendPath(template), { headers: { 'x-api-key': readKey() ?? '' } });
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return parseLegend(parseJson(text));
  },
});
