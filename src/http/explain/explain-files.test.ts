import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { ExportContent } from '../../exports/index.ts';
import type { Mosaics } from '../../mosaic/index.ts';
import type { Explainer } from '../../render/index.ts';
import { makeRecipeApp } from '../recipes/testing/make-recipe-app.ts';
import { openTaskServices } from '../tasks/testing/make-task-service.ts';
import { readError } from '../testing/make-test-app.ts';

const grid = { epsg: 32_631, transform: [0, 10, 0, 50, 0, -10], width: 4, height: 5 } as const;
const wireGrid = { epsg: 32_631, width: 4, height: 5, bounds: [0, 0, 40, 50] };
const steps = [
  { step: 'read', stage: 'read', detail: '1 window of 1 file' },
  { step: 'math', stage: 'math', detail: '1 channel' },
] as const;

const explainer: Partial<Explainer> = {
  plan: async ({ bands }) => ({ bands, grid, inputs: [], steps }),
  picture: async () => ({
    etag: 'e',
    bands: 'B04',
    scenes: [],
    grid,
    isEmpty: false,
    inputs: [],
    steps,
    channels: [],
    cost: { bytes: 1, limitBytes: 2, work: 3, limitWork: 4 },
    isCached: false,
  }),
  contrast: async () => [],
};
const mosaics: Partial<Mosaics> = {
  planFirst: async () => [],
  planContrast: async () => [],
  isCached: async () => false,
};

const order = {
  type: 'bandmath',
  params: { view_id: 'S2/31/T/DH/2026/6/21/0', bm_type: 'NDVI' },
};

/** Orders whose files are made of this. */
async function makeKit(content: unknown) {
  const { services, store, ...opened } = await openTaskServices({
    plan: async () => ({
      fileName: 'a.TIF',
      contentType: 'image/tiff',
      estimatedBytes: 9,
      blocks: 4,
      describe: async () => content as ExportContent,
      write: () => Promise.reject(new Error('nothing is written')),
    }),
  });
  const scene = toScene(makeScene(21));
  const app = makeRecipeApp({ explainer, mosaics, tasks: services, scene });
  const explain = async (path = '/api/tasks/estimate', body: unknown = order) => {
    const response = await app.post(`${path}?explain=1`, body);
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
    assert.deepEqual(await store.list({ limit: 9 }), [], 'nothing is ordered');
    const { request_id: _, ...explained } = (await response.json()) as Record<string, unknown>;
    return explained;
  };
  return { ...app, explain, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

const file = {
  explains: 'file',
  file_name: 'a.TIF',
  content_type: 'image/tiff',
  estimated_bytes: 9,
  blocks: 4,
};

test('the explanation of a scene file lists its images and everything that is read for them', async () => {
  const image = { bands: 'NDVI', plan: {} };
  await using kit = await makeKit({
    kind: 'pixels',
    images: [
      { ...image, isStored: false },
      { ...image, isStored: true },
    ],
  });
  const [read, math] = steps;
  const write = { step: 'write', stage: 'encode' };
  assert.deepEqual(await kit.explain(), {
    ...file,
    images: [
      { bands: 'NDVI', grid: wireGrid, inputs: [], steps: [read, math, { ...write, detail: 'float32' }] },
      {
        bands: 'NDVI',
        grid: wireGrid,
        inputs: [],
        steps: [read, { ...write, detail: 'numbers as they are stored' }],
      },
    ],
  });
});

test('the explanation of a picture shows one of its tiles, also when a recipe orders it', async () => {
  await using kit = await makeKit({ kind: 'picture', grid, tile: {} });
  const explained = await kit.explain();
  assert.deepEqual(explained.grid, wireGrid);
  assert.equal((explained.tile as { explains: string }).explains, 'picture');
  const { id } = await kit.create();
  assert.deepEqual(await kit.explain(`/api/recipes/${id}/download`, {}), explained);
});

test('the explanation of a mosaic shows a block in its middle', async () => {
  const composition = { selection: { kind: 'newest' }, dilateM: 0, featherPx: 0 };
  const request = { bands: 'NDVI', grid, composition, options: { areValues: true } };
  const block = { request, candidates: [], others: 3, pyramid: null, etag: 'e' };
  await using kit = await makeKit({ kind: 'mosaic', grid, block });
  const { block: explained } = (await kit.explain()) as {
    block: { explains: string; found: number; contrast?: unknown };
  };
  assert.deepEqual(
    [explained.explains, explained.found, explained.contrast],
    ['mosaic-values', 3, undefined],
    'values have no contrast',
  );
});

test('files are not drawn for an explanation', async () => {
  await using kit = await makeKit({});
  const { id } = await kit.create();
  for (const [path, body] of [
    ['/api/tasks/estimate', order],
    [`/api/recipes/${id}/download`, {}],
  ] as const) {
    const refused = await kit.post(`${path}?explain=drawn`, body);
    assert.deepEqual([refused.status, (await readError(refused)).code], [422, 'not-explained']);
  }
});
