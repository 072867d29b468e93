import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldFilter, NewScene, SceneQuery } from '../../../catalog/index.ts';
import { box, makeScene } from '../../../catalog/testing/make-scene.ts';
import type { AreaGeometry, LonLat, PointGeometry } from '../../../geo/index.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { openSqliteStore } from '../index.ts';
import { openDatabase } from '../schema/migrate.ts';
import { makeSceneReads } from './scene-search.ts';
import { makeShortSearch } from './short-search.ts';

/** Scenes of a degree on a lattice of ten by ten degrees, two datasets in turn; at 0.5, 0.5 there are 40 more. */
const scenes: readonly NewScene[] = Array.from({ length: 140 }, (_, i) => {
  const [lon, lat] = i < 100 ? [i % 10, Math.floor(i / 10)] : [0.2, 0.2];
  return makeScene(1, {
    viewId: `scene/${i}`,
    dataset: i % 2 === 0 ? 'sentinel2' : 'landsat8',
    acquiredAt: `2026-06-${String(1 + (i % 28)).padStart(2, '0')}T10:00:00.000Z`,
    footprint: box(lon, lat, lon + 1, lat + 1),
    fields: { cloudCoverage: i % 100 },
  });
});

async function openCatalog(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-short-'));
  const store = openSqliteStore(folder);
  await store.scenes.putMany(scenes);
  const database = openDatabase(join(folder, 'swath.db'));
  t.after(async () => {
    database.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { database, store, findShort: makeShortSearch(database, (error) => error) };
}

const ask = (geometry: AreaGeometry | PointGeometry, more: Partial<SceneQuery> = {}): SceneQuery => ({
  datasets: ['sentinel2', 'landsat8'].map((id) => ({ id, filters: [] })),
  shape: { geometry, relation: 'intersects' },
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  ...more,
});

function circle(corners: number, lon: number, lat: number): AreaGeometry {
  const ring = Array.from({ length: corners }, (_, i): LonLat => {
    const angle = (i / corners) * 2 * Math.PI;
    return [lon + 0.1 * Math.cos(angle), lat + 0.1 * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as LonLat]] };
}

test('property: a short search finds what a search on a thread finds', async (t) => {
  const { database, findShort } = await openCatalog(t);
  const reads = makeSceneReads(database);
  const anyFilter = fc.oneof(
    fc
      .integer({ min: 0, max: 100 })
      .map((to): FieldFilter => ({ field: 'cloudCoverage', kind: 'range', to })),
    fc.integer({ min: 1, max: 28 }).map(
      (day): FieldFilter => ({
        field: 'date',
        kind: 'range',
        from: `2026-06-${String(day).padStart(2, '0')}`,
      }),
    ),
  );
  const anyPlace = fc
    .tuple(fc.integer({ min: -2, max: 20 }), fc.integer({ min: -2, max: 20 }))
    .map(([x, y]): LonLat => [x / 2, y / 2]);
  const anyGeometry = fc.oneof(
    anyPlace.map((coordinates): PointGeometry => ({ type: 'Point', coordinates })),
    fc
      .tuple(anyPlace, fc.integer({ min: 1, max: 6 }))
      .map(([[west, south], size]) => box(west, south, west + size / 2, south + size / 2)),
  );
  let [asked, short] = [0, 0];
  fc.assert(
    fc.property(
      anyGeometry,
      fc.constantFrom('intersects', 'within', 'contains'),
      fc.array(anyFilter, { maxLength: 2 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      (geometry, relation, filters, offset, withFiles) => {
        const query: SceneQuery = ask(geometry, {
          datasets: [{ id: 'sentinel2', filters }],
          shape: { geometry, relation } as NonNullable<SceneQuery['shape']>,
          offset,
          ...(withFiles ? { withFiles } : {}),
        });
        asked += 1;
        const found = findShort(query);
        if (found === null) return;
        short += 1;
        assert.deepEqual(found, reads.searchHits(query));
      },
    ),
    { numRuns: casesOf(300) },
  );
  assert.ok(short > asked / 4, `${short} of ${asked} searches were short`);
});

test('searches that may take long are left to a thread', async (t) => {
  const { store, findShort } = await openCatalog(t);
  const place: PointGeometry = { type: 'Point', coordinates: [5.5, 5.5] };
  assert.equal(findShort(ask(place))?.found, 1);
  const crowd: PointGeometry = { type: 'Point', coordinates: [0.5, 0.5] };
  assert.equal(findShort(ask(crowd)), null, 'many scenes');
  assert.equal(findShort(ask(box(-170, -10, 170, 10))), null, 'many boxes');
  assert.equal(findShort(ask(box(179, 0, 182, 1))), null, 'an area over the antimeridian');
  assert.equal(findShort(ask(circle(1_500, 5.5, 5.5))), null, 'a shape of many corners');
  const winding = makeScene(1, { viewId: 'winding', dataset: 'landsat8', footprint: circle(7_000, 30, 30) });
  await store.scenes.put(winding);
  assert.equal(findShort(ask({ type: 'Point', coordinates: [30, 30] })), null, 'a footprint of many corners');
  const values = Array.from({ length: 50 }, (_, i) => `scene ${i}`);
  const named: FieldFilter = { field: 'sceneID', kind: 'one-of', values };
  assert.equal(
    findShort(ask(place, { datasets: [{ id: 'sentinel2', filters: [named] }] })),
    null,
    'many values',
  );
  const { shape: _, ...everywhere } = ask(place);
  assert.equal(findShort(everywhere), null, 'no shape');
});

test('scenes that are stored, or removed, by another connection are seen at once', async (t) => {
  const { store, findShort } = await openCatalog(t);
  const place: PointGeometry = { type: 'Point', coordinates: [20.5, 20.5] };
  assert.equal(findShort(ask(place))?.found, 0);
  await store.scenes.put(
    makeScene(1, { viewId: 'new', dataset: 'landsat8', footprint: box(20, 20, 21, 21) }),
  );
  assert.equal(findShort(ask(place))?.found, 1);
  assert.deepEqual(
    (await store.scenes.searchHits(ask(place))).hits.map(({ viewId }) => viewId),
    ['new'],
  );
  await store.scenes.remove('new');
  assert.equal(findShort(ask(place))?.found, 0);
});
