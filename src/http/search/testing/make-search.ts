import assert from 'node:assert/strict';
import type { SceneQuery } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { box, makeScene } from '../../../catalog/testing/make-scene.ts';
import { makeTestApp, readError } from '../../testing/make-test-app.ts';

/** The address of a search of one dataset. */
export const SEARCH = '/api/lms/search/v2/sentinel2';

/** The application over a catalog that finds one scene, and remembers what it was asked for. */
export function makeSearch() {
  const asked: SceneQuery[] = [];
  const scenes = {
    searchHits: async (query: SceneQuery) => {
      asked.push(query);
      return { found: 44, hits: [toScene(makeScene(21, { frame: box(1.9, 41.9, 3.1, 43.1) }))] };
    },
  };
  const { post } = makeTestApp({ scenes });
  const ask = async (body: unknown, path = SEARCH) => {
    const response = await post(path, body);
    return {
      status: response.status,
      ignored: response.headers.get('x-ignored-parameters'),
      body: (await response.json()) as { meta: object; results: Record<string, unknown>[] },
    };
  };
  const refuse = async (body: unknown, path = SEARCH) => {
    const response = await post(path, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    return readError(response);
  };
  return { ask, refuse, asked };
}
