import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAreaGeometry } from '../../src/areas/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { box } from '../../src/catalog/testing/make-scene.ts';
import type { LonLat, PolygonGeometry } from '../../src/geo/index.ts';
import { casesOf } from '../../src/testing/test-size.ts';
import { anyCatalog, anyCrossing, anyQuery, anyWide, toOtherWays } from './any-search.ts';
import { searchNaively } from './naive-search.ts';
import type { OpenStore } from './store-contract.ts';

const CATALOGS = 2;
const SEARCHES = 250;
const CROSSINGS = 60;

/** Random catalogs, random searches: filters, shapes, orders and pages agree with a look at every scene. */
export function sceneSearchProperty(name: string, open: OpenStore): void {
  test(`${name} scenes: property: searches find the same as a scan of all scenes`, async () => {
    for (const catalog of fc.sample(anyCatalog, CATALOGS)) {
      const store = await open();
      await store.scenes.putMany(catalog);
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const { found, hits } = await store.scenes.searchHits(query);
          const expected = searchNaively(catalog, query);
          assert.deepEqual({ found, viewIds: hits.map(({ viewId }) => viewId) }, expected);
        }),
        { numRuns: casesOf(SEARCHES) },
      );
      await store.close();
    }
  });

  test(`${name} scenes: property: across the antimeridian a shape finds the same in any notation`, async () => {
    const [catalog] = fc.sample(anyCatalog, 1) as [NewScene[]];
    const store = await open();
    await store.scenes.putMany(catalog);
    const anyRelation = fc.constantFrom('intersects', 'contains', 'within');
    await fc.assert(
      fc.asyncProperty(anyQuery, anyCrossing, anyRelation, async (query, area, relation) => {
        const expected = searchNaively(catalog, { ...query, shape: { geometry: area, relation } });
        for (const way of [area, ...toOtherWays(area)]) {
          const shape = { geometry: parseAreaGeometry(way), relation };
          const { found, hits } = await store.scenes.searchHits({ ...query, shape });
          const viewIds = hits.map(({ viewId }) => viewId);
          assert.deepEqual({ found, viewIds }, expected, JSON.stringify(way));
        }
      }),
      { numRuns: casesOf(CROSSINGS) },
    );
    await store.close();
  });

  test(`${name} scenes: property: a box wider than half a turn finds what is in it, and reversed what is behind it`, async () => {
    const [catalog] = fc.sample(anyCatalog, 1) as [NewScene[]];
    const store = await open();
    await store.scenes.putMany(catalog);
    await fc.assert(
      fc.asyncProperty(anyQuery, anyWide, async (query, wide) => {
        const [ring] = wide.coordinates as [PolygonGeometry['coordinates'][number]];
        const [[west, south], , [east, north]] = ring as [LonLat, LonLat, LonLat];
        const behind = box(east, south, west + 360, north);
        const reversed: PolygonGeometry = { type: 'Polygon', coordinates: [ring.toReversed()] };
        for (const [written, meant] of [[wide, wide] as const, [reversed, behind] as const]) {
          const expected = searchNaively(catalog, {
            ...query,
            shape: { geometry: meant, relation: 'intersects' },
          });
          const shape = { geometry: parseAreaGeometry(written), relation: 'intersects' as const };
          const { found, hits } = await store.scenes.searchHits({ ...query, shape });
          const viewIds = hits.map(({ viewId }) => viewId);
          assert.deepEqual({ found, viewIds }, expected, JSON.stringify(written));
        }
      }),
      { numRuns: casesOf(CROSSINGS) },
    );
    await store.close();
  });
}
