import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldFilter, SceneQuery } from '../../src/catalog/index.ts';
import { box, makeScene } from '../../src/catalog/testing/make-scene.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';

const query = (filters: readonly FieldFilter[], more: Partial<SceneQuery> = {}): SceneQuery => ({
  datasets: [{ id: 'sentinel2', filters }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 100,
  ...more,
});

async function daysOf(store: StoreUnderTest, asked: SceneQuery): Promise<readonly number[]> {
  const { found, scenes } = await store.scenes.search(asked);
  const days = scenes.map(({ viewId }) => Number(viewId.split('/')[6]));
  if (asked.offset === 0 && asked.limit >= found) assert.equal(found, days.length, 'found must be exact');
  return days;
}

async function openFilled(open: OpenStore, days: readonly number[]): Promise<StoreUnderTest> {
  const store = await open();
  for (const day of days) await store.scenes.put(makeScene(day));
  return store;
}

/** What every SceneStore promises. */
export function sceneStoreContract(name: string, open: OpenStore): void {
  test(`${name} scenes: a record reads back complete, with a version that follows its content`, async () => {
    const store = await open();
    const first = await store.scenes.put(makeScene(5));
    assert.equal((await store.scenes.put(makeScene(5))).version, first.version);
    const changed = await store.scenes.put(makeScene(5, { sunElevationDeg: 64 }));
    assert.notEqual(changed.version, first.version);
    const again = await store.reopen();
    assert.deepEqual(await again.scenes.findByViewId(first.viewId), changed);
    assert.equal(await again.scenes.count(), 1);
    assert.equal(await again.scenes.findByViewId('S2/31/T/DH/2026/6/6/0'), null);
    await again.close();
  });

  test(`${name} scenes: ranges, lists and exact values filter inclusively`, async () => {
    const store = await openFilled(open, [1, 5, 10, 20]);
    const range = (field: string, from?: number | string, to?: number | string): FieldFilter => ({
      field,
      kind: 'range',
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    assert.deepEqual(await daysOf(store, query([])), [20, 10, 5, 1]);
    assert.deepEqual(await daysOf(store, query([range('date', '2026-06-05', '2026-06-10')])), [10, 5]);
    assert.deepEqual(await daysOf(store, query([range('cloudCoverage', undefined, 5)])), [5, 1]);
    assert.deepEqual(
      await daysOf(store, query([range('cloudCoverage', 5), range('date', undefined, '2026-06-19')])),
      [10, 5],
    );
    assert.deepEqual(
      await daysOf(store, query([{ field: 'cloudCoverage', kind: 'one-of', values: [1, 20, 99] }])),
      [20, 1],
    );
    assert.deepEqual(
      await daysOf(store, query([{ field: 'processedL2A', kind: 'one-of', values: [true] }])),
      [20, 10],
    );
    const byId: FieldFilter = { field: 'sceneID', kind: 'one-of', values: ['S2A_tile_20260605_31TDH_0'] };
    assert.deepEqual(await daysOf(store, query([byId])), [5]);
    await store.close();
  });

  test(`${name} scenes: a string that looks like SQL or a JSON path matches nothing and does no harm`, async () => {
    const store = await openFilled(open, [1]);
    for (const text of ["' OR 1=1 --", '"; DROP TABLE scenes; --', '$.x', '%', '\u0000']) {
      assert.deepEqual(
        await daysOf(store, query([{ field: 'sceneID', kind: 'one-of', values: [text] }])),
        [],
      );
      assert.deepEqual(await daysOf(store, query([{ field: text, kind: 'one-of', values: [1] }])), []);
    }
    assert.equal(await store.scenes.count(), 1);
    await store.close();
  });

  test(`${name} scenes: any field can be sorted, with ties by scene id and pages that never overlap`, async () => {
    const store = await open();
    for (const day of [3, 1, 2]) await store.scenes.put(makeScene(day, { cloudPercent: 7 }));
    await store.scenes.put(makeScene(4, { cloudPercent: 1 }));
    const sorted = query([], { sort: { field: 'cloudCoverage', descending: false } });
    assert.deepEqual(await daysOf(store, sorted), [4, 1, 2, 3]);
    const pages = [0, 1, 2, 3].map((offset) => daysOf(store, { ...sorted, offset, limit: 1 }));
    assert.deepEqual((await Promise.all(pages)).flat(), [4, 1, 2, 3]);
    assert.equal((await store.scenes.search({ ...sorted, offset: 3, limit: 1 })).found, 4);
    await store.close();
  });

  test(`${name} scenes: shapes meet footprints exactly, not only their boxes`, async () => {
    const store = await open();
    // A triangle: the box's north-east half is not in it.
    const triangle = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [10, 0],
          [0, 10],
          [0, 0],
        ],
      ],
    } as const;
    await store.scenes.put(makeScene(1, { footprint: triangle }));
    await store.scenes.put(makeScene(2, { footprint: box(20, 0, 21, 1) }));
    const at = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] }) as const;
    const days = (
      geometry: NonNullable<SceneQuery['shape']>['geometry'],
      relation: 'intersects' | 'contains' | 'within',
    ) => daysOf(store, query([], { shape: { geometry, relation } }));
    assert.deepEqual(await days(at(2, 2), 'intersects'), [1]);
    assert.deepEqual(await days(at(8, 8), 'intersects'), []);
    assert.deepEqual(await days(at(20.5, 0.5), 'contains'), [2]);
    assert.deepEqual(await days(box(8, 8, 9, 9), 'intersects'), []);
    assert.deepEqual(await days(box(4, 4, 30, 9), 'intersects'), [1]);
    assert.deepEqual(await days(box(1, 1, 2, 2), 'contains'), [1]);
    assert.deepEqual(await days(box(19, -1, 22, 2), 'within'), [2]);
    assert.deepEqual(await days(box(1, 1, 2, 2), 'within'), []);
    await store.close();
  });

  test(`${name} scenes: overlapping polygons of a shape count as their union`, async () => {
    const store = await open();
    // Inside the ground that two of them share, across its edge, around all of them, and elsewhere.
    await store.scenes.put(makeScene(1, { footprint: box(2.5, 0.2, 3.5, 0.8) }));
    await store.scenes.put(makeScene(2, { footprint: box(1, 0.2, 5, 0.8) }));
    await store.scenes.put(makeScene(3, { footprint: box(-1, -2, 7, 3) }));
    await store.scenes.put(makeScene(4, { footprint: box(10, 0, 11, 2) }));
    const boxes = [box(0, 0, 4, 2), box(2, -1, 6, 1), box(2, -1, 6, 1)];
    const geometry = {
      type: 'MultiPolygon',
      coordinates: boxes.map(({ coordinates }) => coordinates),
    } as const;
    const days = (relation: 'intersects' | 'contains' | 'within') =>
      daysOf(store, query([], { shape: { geometry, relation } }));
    assert.deepEqual((await days('intersects')).toSorted(), [1, 2, 3]);
    assert.deepEqual(await days('contains'), [3]);
    assert.deepEqual((await days('within')).toSorted(), [1, 2]);
    await store.close();
  });

  test(`${name} scenes: a footprint across the antimeridian is found from both sides`, async () => {
    const store = await open();
    await store.scenes.put(makeScene(1, { footprint: box(179, 0, 182, 2) }));
    const at = (lon: number) =>
      query([], { shape: { geometry: { type: 'Point', coordinates: [lon, 1] }, relation: 'intersects' } });
    assert.deepEqual(await daysOf(store, at(179.5)), [1]);
    assert.deepEqual(await daysOf(store, at(-179)), [1]);
    assert.deepEqual(await daysOf(store, at(-177)), []);
    await store.close();
  });

  test(`${name} scenes: a replaced footprint is found at its new location only`, async () => {
    const store = await openFilled(open, [1]);
    await store.scenes.put(makeScene(1, { footprint: box(100, 10, 101, 11) }));
    const near = (lon: number, lat: number) =>
      query([], { shape: { geometry: { type: 'Point', coordinates: [lon, lat] }, relation: 'intersects' } });
    assert.deepEqual(await daysOf(store, near(2.5, 42.5)), []);
    assert.deepEqual(await daysOf(store, near(100.5, 10.5)), [1]);
    await store.close();
  });

  test(`${name} scenes: each dataset of a query has its own filters`, async () => {
    const store = await openFilled(open, [1, 9]);
    await store.scenes.put(makeScene(2, { dataset: 'other', viewId: 'O/0/0/0/0/0/2/0', sceneId: 'o2' }));
    const asked = query([], {
      datasets: [
        { id: 'sentinel2', filters: [{ field: 'cloudCoverage', kind: 'range', from: 5 }] },
        { id: 'other', filters: [] },
      ],
    });
    assert.deepEqual(await daysOf(store, asked), [9, 2]);
    assert.deepEqual(await daysOf(store, query([], { datasets: [] })), []);
    await store.close();
  });
}
