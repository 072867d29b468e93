/** Searches of scenes. */
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { ScenePage } from '../scenes/scene.ts';
import { parseScenePage } from '../scenes/scene.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import { unknownForm } from './failure.ts';
import type { Requests } from './requests.ts';
import type { SearchRequest } from './search-body.ts';
import { SCENE_SEARCH, NEWEST_FIRST as sort, toScenePageBody, toSearch } from './search-body.ts';

interface SearchOptions {
  readonly page: number;
  readonly sensors: readonly ViewerSensor[];
  readonly signal?: AbortSignal;
}

/** The searches. */
export interface SearchCalls {
  /** A page of scenes, newest first; pages count from 1. */
  searchScenes(request: SearchRequest, options: SearchOptions): Promise<ScenePage>;
  /** How many scenes a search finds. */
  countScenes(request: SearchRequest, signal?: AbortSignal): Promise<number>;
  /** The days of the newest scenes of a search, one entry a scene. */
  searchDays(
    request: SearchRequest,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly string[]>;
  /** Scenes with exactly this id. */
  findScenes(
    sceneId: string,
    datasets: readonly string[],
    sensors: readonly ViewerSensor[],
  ): Promise<ScenePage>;
}

const toPage = (body: unknown, sensors: readonly ViewerSensor[]): ScenePage => {
  const page = parseScenePage(body, sensors);
  if (page === null) throw unknownForm();
  return page;
};

/** Builds them. */
export const makeSearchCalls = ({ postJson }: Requests): SearchCalls => {
  const search = (body: object, signal?: AbortSignal): Promise<unknown> =>
    postJson(SCENE_SEARCH, body, signal);
  return {
    async searchScenes(asked, { page, sensors, signal }) {
      return toPage(await search(toScenePageBody(asked, page), signal), sensors);
    },
    async countScenes(asked, signal) {
      const body = await search({ search: toSearch(asked), limit: 1, fields: ['date'] }, signal);
      const found = asNumber(asRecord(asRecord(body).meta).found);
      if (found === null) throw unknownForm();
      return found;
    },
    async searchDays(asked, { limit, signal }) {
      const body = await search({ search: toSearch(asked), sort, limit, fields: ['date'] }, signal);
      const { results } = asRecord(body);
      if (!Array.isArray(results)) return [];
      return results.map((hit: unknown) => asText(asRecord(hit).date)).filter((day) => day !== null);
    },
    async findScenes(sceneID, satellites, sensors) {
      return toPage(await search({ search: { satellites, sceneID }, sort, limit: 10 }), sensors);
    },
  };
};
