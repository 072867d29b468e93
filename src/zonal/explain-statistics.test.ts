import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene, SceneQuery } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { sourceBroken, tooBusy } from '../errors.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import type { ExplainPixels } from '../render/native/index.ts';
import { makeExplainStatistics } from './explain-statistics.ts';
import type { Measured, StatisticsOrder } from './statistics-order.ts';
import { toTestArea, toTestAsset } from './testing/statistics-here.ts';

const image = { width: 100, height: 100, pixelM: 10 };
const assets = { B04: toTestAsset('B04', image), B08: toTestAsset('B08', image) };
const days = (count: number): Scene[] =>
  Array.from({ length: count }, (_, n) => toScene(makeScene(1 + n, { assets })));

const order: StatisticsOrder = {
  from: '2026-01-01',
  to: '2026-12-31',
  datasets: ['sentinel2'],
  expressions: ['NDVI', 'B04'],
  area: toTestArea([10, 10, 20, 20]).geometry,
  limit: 500,
  histogram: null,
  clouds: { maxPercent: null, masked: 'none', level: null },
};

interface Kit {
  readonly scenes: readonly Scene[];
  readonly known?: (keys: readonly string[]) => readonly string[];
  readonly explain?: ExplainPixels;
}

function makeKit({ scenes, known = () => [], explain }: Kit) {
  const queries: SceneQuery[] = [];
  const planned: string[] = [];
  const failed: string[] = [];
  const explainStatistics = makeExplainStatistics({
    scenes: {
      async search(query) {
        queries.push(query);
        return { found: scenes.length, scenes: scenes.slice(query.offset, query.offset + query.limit) };
      },
      findByViewId: async () => null,
    },
    compareScene: async (scene) => scene,
    store: { findMany: async (keys) => new Map(known(keys).map((key) => [key, {} as Measured])) },
    onForgotten: () => assert.fail('nothing is forgotten'),
    onFailure: (viewId) => failed.push(viewId),
    explainPixels:
      explain ??
      (async ({ bands, plan }) => {
        planned.push(`${plan.viewId} ${bands}`);
        return { bands, grid: plan.grid, inputs: [], steps: [] };
      }),
  });
  return {
    explain: (more = {}) => explainStatistics({ ...order, ...more }, aTicket),
    queries,
    planned,
    failed,
  };
}

test('an order is explained scene by scene, for at most twenty scenes', async () => {
  const { explain, queries, planned } = makeKit({ scenes: days(25) });
  const { found, scenes } = await explain();
  assert.deepEqual([found, scenes.length, planned.length], [25, 20, 20]);
  assert.deepEqual([queries.length, queries[0]?.limit], [1, 20]);
  assert.equal(planned[0], 'S2/31/T/DH/2026/6/1/0 NDVI,B04');
  const [first] = scenes;
  assert.ok(first !== undefined && 'groups' in first);
  assert.deepEqual([first.stored, first.groups.length, first.groups[0]?.pieces], [0, 1, 1]);
  // The window around the area, with a pixel more on each side.
  assert.deepEqual([first.groups[0]?.first.grid.width, first.groups[0]?.first.grid.height], [12, 12]);
  assert.deepEqual(
    first.groups[0]?.first.steps.map(({ step }) => step),
    ['measure'],
  );
  assert.ok(first.bytes > 0);
  assert.equal((await explain({ limit: 3 })).scenes.length, 3);
});

test('expressions that are stored are not planned again', async () => {
  const some = makeKit({ scenes: days(1), known: (keys) => keys.slice(0, 1) });
  const [scene] = (await some.explain()).scenes;
  assert.deepEqual(some.planned, ['S2/31/T/DH/2026/6/1/0 B04']);
  assert.ok(scene !== undefined && 'groups' in scene && scene.stored === 1);
  const all = makeKit({ scenes: days(1), known: (keys) => keys });
  const [known] = (await all.explain()).scenes;
  assert.deepEqual(all.planned, []);
  assert.ok(known !== undefined && 'groups' in known && known.stored === 2 && known.bytes === 0);
});

test('a scene without the band, outside the area or with a replaced file says so, and the others are explained', async () => {
  const [bare, whole] = [toScene(makeScene(2, { assets: { B04: assets.B04 } })), ...days(1)];
  const far = toTestArea([5_000, 5_000, 5_010, 5_010]).geometry;
  const { explain } = makeKit({ scenes: [bare, whole as Scene] });
  const { scenes } = await explain();
  assert.deepEqual(
    scenes.map((scene) => ('message' in scene ? scene.code : 'explained')),
    ['no-such-band-file', 'explained'],
  );
  const [outside] = (await makeKit({ scenes: days(1) }).explain({ area: far })).scenes;
  assert.ok(outside !== undefined && 'message' in outside && outside.code === 'no-data');
  const replaced = makeKit({
    scenes: days(1),
    explain: () => Promise.reject(sourceBroken('source-changed', 'A file of this scene was replaced.')),
  });
  const [changed] = (await replaced.explain()).scenes;
  assert.ok(changed !== undefined && 'message' in changed && changed.code === 'source-changed');
  assert.deepEqual(replaced.failed, []);
});

test('a busy pool refuses the explanation', async () => {
  const { explain } = makeKit({
    scenes: days(1),
    explain: () => Promise.reject(tooBusy('pool-full', 'Full.')),
  });
  await assert.rejects(explain(), { code: 'pool-full' });
});
