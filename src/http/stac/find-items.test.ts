import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NewScene } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import { sensors } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import type { Condition } from './filter/filter-tree.ts';
import { readCql2Text } from './filter/read-cql2-text.ts';
import type { ItemSearch } from './find-items.ts';
import { findItems } from './find-items.ts';
import type { ItemOrder } from './item-position.ts';
import { parseToken, toToken } from './item-position.ts';
import { toItemId, toViewId } from './item-properties.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';

const BY_DAY: ItemOrder = { field: 'date', descending: true, isByTime: false };

const everything: ItemSearch = {
  collections: ['sentinel2'],
  ids: null,
  shape: null,
  conditions: [],
  order: BY_DAY,
  limit: 3,
  after: null,
};

/** A scene of a day, a tile and a minute. */
const sceneOf = (day: number, tile: number, minute: number, more: Partial<NewScene> = {}): NewScene =>
  makeScene(day, {
    viewId: `S2/31/T/DH/2026/6/${day}/${tile}`,
    sceneId: `tile_${tile}_${day}`,
    acquiredAt: `2026-06-${String(day).padStart(2, '0')}T10:${String(minute).padStart(2, '0')}:00.000Z`,
    ...more,
  });

const toNewTile = (scene: NewScene): NewScene => ({
  ...scene,
  viewId: `${scene.viewId}0`,
  sceneId: `${scene.sceneId}0`,
});

/** All pages of a search, by the tokens that clients send back. */
async function readAll(
  catalog: ReturnType<typeof makeMadeCatalog>,
  search: ItemSearch,
  between: (page: number) => void = () => {},
): Promise<readonly string[]> {
  const seen: string[] = [];
  let { after } = search;
  for (let page = 0; page < 1_000; page += 1) {
    const { hits, next } = await findItems({ ...search, after }, catalog.scenes);
    seen.push(...hits.map(({ viewId }) => viewId));
    if (next === null) return seen;
    after = parseToken(toToken(next, search.order), search.order);
    between(page);
  }
  return assert.fail('the pages do not end');
}

test('property: pages list every scene once, in order, while scenes are added and removed', async () => {
  const anyScene = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 59 }))
    .map(([day, tile, minute]) => sceneOf(day, tile, minute, { cloudPercent: tile % 3 === 0 ? 5 : 50 }));
  const any = fc.record({
    first: fc.uniqueArray(anyScene, { selector: ({ viewId }) => viewId, maxLength: 30 }),
    // A scene that is put again under its view id may move: those that come in are new, and come once.
    later: fc.uniqueArray(anyScene.map(toNewTile), { selector: ({ viewId }) => viewId, maxLength: 10 }),
    gone: fc.array(fc.nat(29), { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 7 }),
    order: fc.constantFrom<ItemOrder>(
      BY_DAY,
      { ...BY_DAY, descending: false },
      { ...BY_DAY, isByTime: true },
      { field: 'date', descending: false, isByTime: true },
      { field: 'cloudCoverage', descending: true, isByTime: false },
    ),
    filter: fc.constantFrom(null, 'eo:cloud_cover < 20', "swath:scene_id LIKE '%_1_%' OR gsd > 10"),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ first, later, gone, limit, order, filter }) => {
      const catalog = makeMadeCatalog(...first);
      const removed = new Set<string>();
      const added = new Set<string>();
      const conditions = filter === null ? [] : [readCql2Text(filter) as Condition];
      const search = { ...everything, order, limit, conditions };
      const stable = await readAll(catalog, search);
      const seen = await readAll(catalog, search, (page) => {
        const scene = later[page];
        const known = first[gone[page] ?? -1];
        if (known !== undefined) {
          removed.add(known.viewId);
          void catalog.scenes.remove(known.viewId);
        }
        if (scene !== undefined) {
          added.add(scene.viewId);
          catalog.add(scene);
        }
      });
      assert.equal(new Set(seen).size, seen.length, 'a scene is listed twice');
      // Scenes that have been there all the time are all listed, in the same order.
      const lasting = (viewId: string) => !removed.has(viewId) && !added.has(viewId);
      assert.deepEqual(seen.filter(lasting), stable.filter(lasting));
    }),
    { numRuns: casesOf(300) },
  );
});

test('sorting by time is exact within days; the default order is that of search', async () => {
  const catalog = makeMadeCatalog(sceneOf(1, 1, 30), sceneOf(1, 2, 10), sceneOf(1, 3, 20), sceneOf(2, 1, 0));
  const minutes = async (order: ItemOrder): Promise<readonly string[]> => {
    const seen = await readAll(catalog, { ...everything, order, limit: 2 });
    return seen.map((viewId) => viewId.slice('S2/31/T/DH/2026/6/'.length));
  };
  assert.deepEqual(await minutes(BY_DAY), ['2/1', '1/1', '1/2', '1/3']);
  assert.deepEqual(await minutes({ ...BY_DAY, isByTime: true }), ['2/1', '1/1', '1/3', '1/2']);
});

test('a next page is one query that starts at its day', async () => {
  const catalog = makeMadeCatalog(...Array.from({ length: 28 }, (_, i) => sceneOf(i + 1, 1, 0)));
  const { next, matched } = await findItems(everything, catalog.scenes);
  assert.equal(matched, 28);
  catalog.asked.length = 0;
  const page = await findItems({ ...everything, after: next }, catalog.scenes);
  assert.equal(page.matched, null);
  assert.equal(catalog.asked.length, 1);
  assert.deepEqual(catalog.asked[0]?.datasets[0]?.filters, [
    { field: 'date', kind: 'range', to: '2026-06-26' },
  ]);
  assert.equal(catalog.asked[0]?.offset, 0);
});

test('a filter that search cannot decide reads a bounded number of scenes for a page', async () => {
  const days = Array.from({ length: 5_000 }, (_, i) =>
    sceneOf((i % 28) + 1, i, 0, { viewId: `S2/31/T/DH/2026/6/${(i % 28) + 1}/${i}`, sceneId: `s${i}` }),
  );
  const catalog = makeMadeCatalog(...days);
  const conditions = [readCql2Text("swath:scene_id LIKE '%never'") as Condition];
  let paidMs = 0;
  const first = await findItems({ ...everything, conditions }, catalog.scenes, (ms) => {
    paidMs += ms;
  });
  assert.deepEqual([first.hits.length, first.matched], [0, null]);
  assert.ok(paidMs > 1, 'what is tested here is paid for');
  assert.ok(first.next !== null, 'the search goes on behind what was read');
  const second = await findItems({ ...everything, conditions, after: first.next }, catalog.scenes);
  assert.deepEqual([second.hits.length, second.next], [0, null]);
});

test('shapes and times that search matches only roughly are tested exactly', async () => {
  const catalog = makeMadeCatalog(
    sceneOf(1, 1, 0, { footprint: box(0, 0, 1, 1) }),
    sceneOf(1, 2, 30, { footprint: box(5, 5, 6, 6) }),
    sceneOf(1, 3, 59, { footprint: box(0, 9, 1, 10) }),
  );
  const find = async (text: string): Promise<number> => {
    const conditions = [readCql2Text(text) as Condition];
    return (await findItems({ ...everything, conditions }, catalog.scenes)).hits.length;
  };
  assert.equal(await find("datetime > TIMESTAMP('2026-06-01T10:30:00Z')"), 1);
  assert.equal(
    await find("T_INTERSECTS(datetime, INTERVAL('2026-06-01T10:00:00Z', '2026-06-01T10:30:00Z'))"),
    2,
  );
  // A day is counted whole by search, and its last second belongs to it.
  const conditions = [
    readCql2Text("T_INTERSECTS(datetime, INTERVAL('2026-06-01', '2026-06-01'))") as Condition,
  ];
  assert.equal((await findItems({ ...everything, conditions }, catalog.scenes)).matched, 3);
});

test('item ids are made from view ids and can be converted back', async () => {
  for (const { abbreviation, sceneName } of sensors) {
    const viewId = `${abbreviation}/${sceneName.example}`;
    const back = toViewId(toItemId(viewId));
    assert.equal(back === null ? null : toItemId(back), toItemId(viewId), viewId);
  }
  assert.equal(toViewId('S2_31_T_DH_2026_6_21_0'), 'S2/31/T/DH/2026/6/21/0');
  for (const text of ['', '_', 'S2', 'S2_1', 'NOAA_1', '../etc/passwd', 'x'.repeat(400)])
    assert.equal(toViewId(text), null, text);
  const catalog = makeMadeCatalog(sceneOf(1, 1, 0), sceneOf(2, 1, 0), sceneOf(3, 1, 0));
  const ids = ['S2_31_T_DH_2026_6_3_1', 'S2_31_T_DH_2026_6_1_1', 'S2_31_T_DH_2026_6_9_9', 'x'];
  const found = await readAll(catalog, { ...everything, ids, limit: 1 });
  assert.deepEqual(found, ['S2/31/T/DH/2026/6/3/1', 'S2/31/T/DH/2026/6/1/1']);
});
