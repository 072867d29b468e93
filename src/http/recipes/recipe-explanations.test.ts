import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mosaics } from '../../mosaic/index.ts';
import type { Explainer } from '../../render/index.ts';
import { field, makeRecipeApp } from './testing/make-recipe-app.ts';

const TILE = '12/2075/1518';
const grid = { epsg: 3857, transform: [0, 10, 0, 0, 0, -10], width: 1, height: 1 } as const;

const cost = { bytes: 1, limitBytes: 2, work: 3, limitWork: 4 };
const explainer: Partial<Explainer> = {
  picture: async ({ request: { bands } }) => ({
    etag: 'e1',
    bands,
    scenes: [],
    grid,
    isEmpty: false,
    inputs: [],
    steps: [],
    channels: [],
    cost,
    isCached: false,
  }),
  point: async ({ bands }) => ({ bands, scenes: [], inputs: [], steps: [], cost }),
  contrast: async () => [],
};

const plan: Mosaics['planSomewhere'] = async (request) =>
  ({ request: { ...request, grid }, candidates: [], others: 0, pyramid: null, etag: 'm1' }) as never;
const mosaics: Partial<Mosaics> = {
  plan,
  planSomewhere: plan,
  planFirst: async () => [],
  planContrast: async () => [],
  isCached: async () => false,
};

const ofScene = {};
const ofSearch = { scenes: { search: { sensors: ['S2'], period: '2026-06' } }, bands: 'NDVI', style: {} };

const readExplained = async (response: Response): Promise<unknown> => {
  assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
  assert.equal(response.headers.get('x-ignored-parameters'), null);
  return ((await response.json()) as { explains: unknown }).explains;
};

for (const [name, content, expected] of [
  ['scene', ofScene, ['picture', 'legend', 'point']],
  ['search', ofSearch, ['mosaic', 'mosaic-legend', 'mosaic-point']],
] as const) {
  test(`the views of a recipe of a ${name} are explained to its owner`, async () => {
    const { create, call } = makeRecipeApp({ mosaics, explainer });
    const { id } = await create(content);
    const explained = [];
    for (const view of [TILE, 'legend', 'point/42.5/2.5'])
      explained.push(await readExplained(await call(`/api/recipes/${id}/${view}?explain=1`)));
    assert.deepEqual(explained, expected);
  });
}

test('statistics of a recipe are explained like those of its scene or mosaic', async () => {
  const explainStatistics = async () => ({ found: 1, scenes: [] });
  const { create, post } = makeRecipeApp({ mosaics, explainer, tasks: { explainStatistics } });
  const explained = [];
  for (const content of [ofScene, ofSearch]) {
    const { id } = await create(content);
    const response = await post(`/api/recipes/${id}/statistics?explain=1`, { geometry: field });
    assert.equal(response.status, 200, await response.clone().text());
    explained.push(await readExplained(response));
  }
  assert.deepEqual(explained, ['statistics', 'mosaic-statistics']);
});
