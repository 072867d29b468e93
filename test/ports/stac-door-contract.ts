import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { makeMadeCatalog } from '../../src/http/stac/testing/made-catalog.ts';
import { makeTestApp } from '../../src/http/testing/make-test-app.ts';
import type { OpenStore } from './store-contract.ts';

const NUMBERS =
  'total_count,datetime_min,datetime_max,datetime_frequency,collection_frequency,cloud_cover_frequency,sun_elevation_frequency';

/** Filters that a store decides, and some that are tested scene by scene. */
const FILTERS = [
  '',
  'eo:cloud_cover < 10',
  'eo:cloud_cover >= 10 AND eo:cloud_cover <= 20',
  "datetime >= TIMESTAMP('2026-06-10T00:00:00Z')",
  'S_INTERSECTS(geometry, POINT(2.5 42.5))',
  "platform = 'sentinel-2a'",
  "platform LIKE 'sentinel%' OR eo:cloud_cover IS NULL",
  "NOT swath:scene_id LIKE '%0603%'",
];

/** The STAC door answers the same over every store as over a catalog in memory. */
export function stacDoorContract(name: string, open: OpenStore): void {
  test(`${name} STAC: items, pages and numbers match a catalog in memory`, async () => {
    const store = await open();
    const scenes = Array.from({ length: 24 }, (_, i) => makeScene(i + 1));
    await store.scenes.putMany(scenes);
    const [stored, made] = [
      makeTestApp({ scenes: store.scenes }),
      makeTestApp({ scenes: makeMadeCatalog(...scenes).scenes }),
    ];
    const ask = async (app: typeof stored, path: string): Promise<unknown> => {
      const response = await app.call(path);
      assert.equal(response.status, 200, path);
      return response.json();
    };
    for (const filter of FILTERS)
      for (const path of [
        '/stac/search?limit=7&fields=id,properties.eo:cloud_cover&sortby=-datetime',
        '/stac/search?limit=50&fields=id&sortby=eo:cloud_cover',
        `/stac/aggregate?aggregations=${NUMBERS}`,
      ]) {
        const address = filter === '' ? path : `${path}&filter=${encodeURIComponent(filter)}`;
        assert.deepEqual(await ask(stored, address), await ask(made, address), address);
      }
    await store.close();
  });
}
