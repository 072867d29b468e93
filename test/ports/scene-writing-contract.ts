import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../src/catalog/index.ts';
import { listFiles, toScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import type { OpenStore } from './store-contract.ts';

const numbers = (count: number): number[] => [...Array(count).keys()];

/** A scene of another dataset, with a name of its own. */
const landsat = (name: string, productId: string, more: object = {}) =>
  makeScene(1, { dataset: 'landsat8', viewId: `L8/${name}`, sceneId: name, productId, ...more });

async function collect(scenes: AsyncIterable<Scene>): Promise<Scene[]> {
  const all: Scene[] = [];
  for await (const scene of scenes) all.push(scene);
  return all;
}

/** What every SceneStore promises about writing, removing and listing. */
export function sceneWritingContract(name: string, open: OpenStore): void {
  test(`${name} scenes: many are stored at once, and the answer says what changed`, async () => {
    const store = await open();
    assert.deepEqual(await store.scenes.putMany([]), []);
    assert.deepEqual(await store.scenes.putMany([makeScene(2), makeScene(1)]), ['added', 'added']);
    const changed = makeScene(2, { sunElevationDeg: 1 });
    const batch = [makeScene(1), changed, makeScene(3), makeScene(3), makeScene(3, { sunElevationDeg: 9 })];
    assert.deepEqual(await store.scenes.putMany(batch), [
      'unchanged',
      'replaced',
      'added',
      'unchanged',
      'replaced',
    ]);
    assert.deepEqual(await store.scenes.findByViewId(changed.viewId), toScene(changed));
    assert.equal((await store.scenes.findByViewId(makeScene(3).viewId))?.sunElevationDeg, 9);
    assert.equal(await store.scenes.count(), 3);
    const known = await collect(store.scenes.list());
    assert.deepEqual(await store.scenes.putMany(known), ['unchanged', 'unchanged', 'unchanged']);
    const again = await store.scenes.put({ ...(known[0] as Scene), sunElevationDeg: 77 });
    assert.deepEqual(await store.scenes.findByViewId(again.viewId), again);
    await store.close();
  });

  test(`${name} scenes: a record is replaced only while it is the one that the change is based on`, async () => {
    const store = await open();
    const first = await store.scenes.put(makeScene(1));
    const { version: _, ...record } = first;
    const changed = await store.scenes.replace({ ...record, sunElevationDeg: 1 }, first.version);
    assert.deepEqual(changed, toScene({ ...record, sunElevationDeg: 1 }));
    assert.deepEqual(await store.scenes.findByViewId(first.viewId), changed);
    assert.equal(await store.scenes.replace({ ...record, sunElevationDeg: 2 }, first.version), null);
    assert.deepEqual(await store.scenes.findByViewId(first.viewId), changed);
    // Of several at once one wins, and the others are told.
    const outcomes = await Promise.all(
      [3, 4, 5].map((sunElevationDeg) =>
        store.scenes.replace({ ...record, sunElevationDeg }, changed?.version ?? ''),
      ),
    );
    const [winner, ...others] = outcomes.filter((outcome) => outcome !== null);
    assert.equal(others.length, 0);
    assert.deepEqual(await store.scenes.findByViewId(first.viewId), winner);
    await store.scenes.remove(first.viewId);
    assert.equal(await store.scenes.replace(record, winner?.version ?? ''), null);
    assert.equal(await store.scenes.count(), 0);
    const counts = await store.scenes.countByDataset();
    assert.deepEqual([...counts], []);
    await store.close();
  });

  test(`${name} scenes: the same record at another time is unchanged, and keeps its ingestion time`, async () => {
    const store = await open();
    const at = (indexedAt: string) => makeScene(1, { indexedAt });
    const [first, second] = [at('2026-06-22T01:02:03.456Z'), at('2026-06-23T01:02:03.456Z')];
    assert.deepEqual(await store.scenes.putMany([first]), ['added']);
    assert.deepEqual(await store.scenes.putMany([second]), ['unchanged']);
    const found = await store.scenes.findByViewId(first.viewId);
    assert.deepEqual(found, toScene(first));
    assert.equal(found?.version, toScene(makeScene(1)).version);
    const search = async (from: string) => {
      const filters = [{ field: 'IndexingTime', kind: 'range', from }] as const;
      const sort = { field: 'date', descending: true };
      const datasets = [{ id: 'sentinel2', filters }];
      return (await store.scenes.searchHits({ datasets, sort, offset: 0, limit: 9 })).hits;
    };
    assert.deepEqual(
      (await search('2026-06-22')).map(({ indexedAt }) => indexedAt),
      [first.indexedAt],
    );
    assert.deepEqual(await search('2026-06-23'), []);
    await store.close();
  });

  test(`${name} scenes: a batch with an invalid record leaves nothing behind`, async () => {
    const store = await open();
    const broken = { ...makeScene(2), viewId: null as unknown as string };
    await assert.rejects(store.scenes.putMany([makeScene(1), broken, makeScene(3)]));
    assert.equal(await store.scenes.count(), 0);
    assert.deepEqual(await store.scenes.putMany([makeScene(1)]), ['added'], 'the store goes on working');
    await store.close();
  });

  test(`${name} scenes: a removed scene cannot be found in any way`, async () => {
    const store = await open();
    await store.scenes.putMany([makeScene(1), makeScene(2), landsat('LC8A', 'LC08_A')]);
    assert.equal(await store.scenes.remove('L8/LC8A'), true);
    assert.equal(await store.scenes.remove('L8/LC8A'), false);
    assert.equal(await store.scenes.remove(makeScene(1).viewId), true);
    assert.equal(await store.scenes.findByViewId('L8/LC8A'), null);
    assert.equal(await store.scenes.findByName('landsat8', 'LC8A'), null);
    const { found, hits } = await store.scenes.searchHits({
      datasets: ['sentinel2', 'landsat8'].map((id) => ({ id, filters: [] })),
      shape: { geometry: { type: 'Point', coordinates: [2.5, 42.5] }, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 10,
    });
    assert.deepEqual([found, hits.map(({ viewId }) => viewId)], [1, [makeScene(2).viewId]]);
    assert.deepEqual(await store.scenes.putMany([makeScene(1)]), ['added'], 'it can come back');
    await store.close();
  });

  test(`${name} scenes: a name is a scene id or a product id, within its dataset`, async () => {
    const store = await open();
    const older = landsat('LC8A', 'LC08_A_T1');
    await store.scenes.putMany([older, landsat('LC8B', 'LC08_B_T1'), makeScene(4)]);
    assert.deepEqual(await store.scenes.findByName('landsat8', 'LC8A'), toScene(older));
    assert.deepEqual(await store.scenes.findByName('landsat8', 'LC08_A_T1'), toScene(older));
    assert.equal(await store.scenes.findByName('sentinel2', 'LC8A'), null);
    assert.equal(await store.scenes.findByName('landsat8', 'lc8a'), null);
    assert.equal(await store.scenes.findByName('landsat8', 'LC8A\u0000'), null);
    const again = landsat('LC8A', 'LC08_A_T2', { viewId: 'L8/LC8A.1' });
    await store.scenes.put(again);
    assert.equal((await store.scenes.findByName('landsat8', 'LC8A'))?.viewId, 'L8/LC8A.1');
    await store.close();
  });

  test(`${name} scenes: all are listed, by view id and across batches, and counted by dataset`, async () => {
    const store = await open();
    const scenes = numbers(450).map((i) => landsat(`LC8_${i}`, `P${i}`));
    await store.scenes.putMany([...scenes, makeScene(1), makeScene(2)]);
    const listed = await collect(store.scenes.list());
    const expected = [...scenes, makeScene(1), makeScene(2)].map(({ viewId }) => viewId).sort();
    assert.deepEqual(
      listed.map(({ viewId }) => viewId),
      expected,
    );
    const known = listed.find(({ viewId }) => viewId === 'L8/LC8_7');
    assert.deepEqual(known, toScene(landsat('LC8_7', 'P7')));
    assert.equal((await collect(store.scenes.list({ dataset: 'sentinel2' }))).length, 2);
    assert.deepEqual(
      [...(await store.scenes.countByDataset())],
      [
        ['landsat8', 450],
        ['sentinel2', 2],
      ],
    );
    await store.close();
  });

  test(`${name} scenes: hits are the scenes of the page without their files`, async () => {
    const store = await open();
    await store.scenes.putMany([makeScene(1), makeScene(2, { productId: 'P2' })]);
    const query = {
      datasets: [{ id: 'sentinel2', filters: [] }],
      sort: { field: 'date', descending: false },
      offset: 0,
      limit: 10,
    };
    const { scenes } = await store.scenes.search(query);
    const { found, hits } = await store.scenes.searchHits(query);
    assert.equal(found, 2);
    assert.deepEqual(
      hits,
      scenes.map(({ assets: _files, ...hit }) => hit),
    );
    await store.close();
  });

  test(`${name} scenes: hits include their files on request, in pages of any length`, async () => {
    const store = await open();
    const many = numbers(150).map((i) => landsat(`LC8_${i}`, `P${i}`));
    await store.scenes.putMany(many);
    for (const limit of [1, 64, 140]) {
      const query = {
        datasets: [{ id: 'landsat8', filters: [] }],
        sort: { field: 'date', descending: true },
        offset: 3,
        limit,
      };
      const { found, scenes } = await store.scenes.search(query);
      const bare = await store.scenes.searchHits(query);
      const page = await store.scenes.searchHits({ ...query, withFiles: true });
      assert.deepEqual([page.found, page.hits.length], [found, limit]);
      assert.deepEqual(
        page.hits,
        bare.hits.map((hit, i) => ({
          ...hit,
          files: listFiles(JSON.stringify(scenes[i]?.assets)),
          footprintJson: JSON.stringify(hit.footprint),
        })),
      );
      const named = page.hits.map(({ viewId }) => store.scenes.findHit?.(viewId));
      assert.deepEqual(await Promise.all(named), page.hits);
    }
    assert.equal(await store.scenes.findHit?.('L8/none'), null);
    assert.equal(await store.scenes.findHit?.('a\0b'), null);
    await store.close();
  });
}
