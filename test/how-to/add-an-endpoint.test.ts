/** Follows docs/develop/add-an-endpoint.md to the letter, so that the guide cannot go stale. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../src/blocks/index.ts';
import type { SceneStore } from '../../src/catalog/index.ts';
import type { Route } from '../../src/http/kit/endpoint.ts';
import { toOpenApi } from '../../src/http/pages/openapi.ts';
import { makeTestApp, readError } from '../../src/http/testing/make-test-app.ts';
import { ingestFolder } from '../../src/ingest/folder/ingest-folder.ts';
import { makeTestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeRunnerHere } from '../../src/pool/testing/run-here.ts';
import { stillFiles } from '../../src/render/scenes/testing/still-files.ts';
import { assertGuideCode } from '../support/guide-code.ts';
import { sensorRoutes } from './bands-endpoint/routes.ts';
import { histogramRoutes } from './histogram-endpoint/routes.ts';
import type { SceneHistogramJobs } from './histogram-endpoint/scene-histogram.ts';
import {
  makeFindSceneHistogram,
  makeSceneHistogramJobs,
  sceneHistogramReads,
} from './histogram-endpoint/scene-histogram.ts';

/** The service with the routes of the guide. */
const withSensors = {
  chooseRoutes: (routes: readonly Route[]): readonly Route[] => [...routes, ...sensorRoutes()],
};

test('the bands of a sensor, with their pixel sizes when they are asked for', async () => {
  const { call } = makeTestApp(withSensors);
  const { bands } = (await (await call('/api/render/NAIP/bands')).json()) as { bands: unknown };
  assert.deepEqual(bands, [{ band: 'R' }, { band: 'G' }, { band: 'B' }, { band: 'N' }]);
  const long = await call('/api/render/NAIP/bands?INCLUDE_RESOLUTION=1');
  assert.match(await long.text(), /^\{"bands":\[\{"band":"R","resolution":/);
  assert.equal((await readError(await call('/api/render/NOAA/bands'))).code, 'no-such-sensor');
  const wrong = await call('/api/render/NAIP/bands?INCLUDE_RESOLUTION=perhaps');
  assert.equal((await readError(wrong)).code, 'bad-include-resolution');
});

test('keys, methods, caching and the documents come with the route', async () => {
  const { call, routes } = makeTestApp(withSensors);
  assert.equal((await call('/api/render/NAIP/bands', { key: null })).status, 401);
  assert.equal((await call('/api/render/NAIP/bands', { method: 'POST' })).status, 405);
  const etag = (await call('/api/render/NAIP/bands')).headers.get('etag') ?? '';
  const again = await call('/api/render/NAIP/bands', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.ok(toOpenApi(routes, 'test').paths['/api/render/{sensor}/bands']?.get);
});

/** The service with the second route of the guide over a real NAIP image: half of its pixels are 50, the others 200. */
async function makeHistogramApp(t: TestContext) {
  const folder = await makeTestFolder();
  t.after(() => folder.remove());
  await folder.writeImage('al/2015/1m/rgbir/30085/m_3008501_ne_16_1_20151014.tif', {
    epsg: 26916,
    west: 430_000,
    north: 3_310_000,
    pixel: 30,
    size: 32,
    type: 'uint8',
    bandCount: 4,
    fill: (column) => (column < 16 ? 50 : 200),
  });
  const { products } = await ingestFolder(folder.options);
  assert.equal(products[0]?.outcome, 'ingested', JSON.stringify(products));
  const [scene] = folder.scenes.values();
  const tools = makeThreadTools({
    files: { dataDir: folder.root, folders: [folder.root] },
    blocks: makeBlockCache(2 ** 20).handle,
  });
  const pool = makeRunnerHere<SceneHistogramJobs>(makeSceneHistogramJobs(tools));
  const scenes = { findByViewId: async () => scene ?? null } as unknown as SceneStore;
  const findHistogram = makeFindSceneHistogram({
    scenes,
    compareScene: async (found) => found,
    watch: stillFiles,
    pool,
  });
  const chooseRoutes = (routes: readonly Route[]): readonly Route[] => [
    ...routes,
    ...histogramRoutes({ findHistogram, maxAgeS: 60 }),
  ];
  return {
    ...makeTestApp({ chooseRoutes }),
    pool,
    path: `/api/render/NAIP/histogram/${scene?.viewId.slice(5)}`,
  };
}

test('a histogram counts the pixels of a scene on the pool', async (t) => {
  const { call, path, pool } = await makeHistogramApp(t);
  const answer = await call(`${path}/R?BINS=100`);
  assert.equal(answer.status, 200, await answer.clone().text());
  const { counts } = (await answer.json()) as { counts: number[] };
  assert.deepEqual([counts.length, counts[0], counts[2]], [100, 512, 512]);
  assert.equal((await readError(await call(`${path}/R?BINS=0`))).code, 'bad-bins');
  assert.equal((await readError(await call(path))).code, 'bad-path');
  const [job] = pool.asked;
  assert.deepEqual([pool.asked.length, job?.kind], [1, 'scene-histogram']);
  assert.ok((job?.ticket.bytes ?? 0) >= 4 * 32 * 32);
  assert.equal(sceneHistogramReads['scene-histogram']?.(job?.input as never).length, 1);
});

test('the second route is documented under its readable path', async (t) => {
  const { routes } = await makeHistogramApp(t);
  const { get } = toOpenApi(routes, 'test').paths['/api/render/{sensor}/histogram/{scene_id}/{bands}'] ?? {};
  assert.equal(get?.operationId, 'getHistogram');
});

test('the code of docs/develop/add-an-endpoint.md is that of the example', () => {
  assertGuideCode('docs/develop/add-an-endpoint.md', {
    example: ['test/how-to/{bands,histogram}-endpoint/*.ts', 'test/how-to/add-an-endpoint.test.ts'],
    minBlocks: 7,
    // The guide's files lie in folders of src/http/, and the job in src/zonal/.
    toShown: (text) => text.replaceAll("'../../../src/http/", "'../").replaceAll("'../../../src/", "'../../"),
  });
});
