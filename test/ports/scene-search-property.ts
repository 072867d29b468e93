import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCatalog, anyQuery } from './any-search.ts';
import { searchNaively } from './naive-search.ts';
import type { OpenStore } from './store-contract.ts';

const CATALOGS = 2;
const SEARCHES = 250;

/** Random catalogs, random searches: filters, shapes, orders and pages agree with a look at every scene. */
export function sceneSearchProperty(name: string, open: OpenStore): void {
  test(`${name} scenes: property: searches find what a look at every scene finds`, {
    timeout: 60_000,
  }, async () => {
    for (const catalog of fc.sample(anyCatalog, CATALOGS)) {
      const store = await open();
      await store.scenes.putMany(catalog);
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const { found, hits } = await store.scenes.searchHits(query);
          const expected = searchNaively(catalog, query);
          assert.deepEqual({ found, viewIds: hits.map(({ viewId }) => viewId) }, expected);
        }),
        { numRuns: SEARCHES },
      );
      await store.close();
    }
  });
}
