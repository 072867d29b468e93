import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/adapters/store/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import type { NewKnownScene } from '../../src/live/index.ts';
import type { OpenStore } from './store-contract.ts';

/** A known scene; scenes of different days differ in everything that they are looked up by. */
const makeKnown = (day: number, more: Partial<NewScene> = {}): NewKnownScene => ({
  scene: makeScene(day, more),
  catalog: 'planet',
  itemUrl: `https://catalog.example/items/${day}`,
  itemState: `2026-07-01T00:00:${String(day).padStart(2, '0')}Z`,
  checkedAt: at(0),
});

/** A minute of the day of these tests. */
const at = (minute: number): string => new Date(Date.UTC(2026, 6, 2, 0, minute)).toISOString();

const idOf = (day: number): string => makeScene(day).viewId;

/** The days of the scenes that are known. */
async function daysOf({ knownScenes }: Store, last = 30): Promise<readonly number[]> {
  const days = Array.from({ length: last }, (_, i) => i + 1);
  const found = await Promise.all(days.map((day) => knownScenes.findByViewId(idOf(day))));
  return days.filter((_, i) => found[i] !== null);
}

const FAR_MS = Date.UTC(2100, 0, 1);
const PAST_MS = Date.UTC(2000, 0, 1);

/** What every KnownSceneStore promises. */
export function knownSceneStoreContract(name: string, open: OpenStore): void {
  test(`${name} known scenes: one reads back unchanged, with the catalog version, also after a restart`, async () => {
    const store = await open();
    const known = [makeKnown(1), { ...makeKnown(2), itemState: null }];
    const put = await store.knownScenes.putMany(known, { max: 10, usedAt: at(1) });
    assert.deepEqual(
      put,
      known.map(({ scene }) => toScene(scene)),
    );
    const again = await store.reopen();
    for (const one of known) {
      const expected = { ...one, scene: toScene(one.scene) };
      assert.deepEqual(await again.knownScenes.findByViewId(one.scene.viewId), expected);
      assert.deepEqual(await again.knownScenes.findByName('sentinel2', one.scene.sceneId), expected);
    }
    assert.equal(await again.knownScenes.findByViewId(idOf(3)), null);
    assert.equal(await again.knownScenes.count(), 2);
    assert.equal(await again.scenes.count(), 0, 'they are not in the catalog');
    assert.deepEqual(await again.knownScenes.putMany([], { max: 10, usedAt: at(1) }), []);
    await again.close();
  });

  test(`${name} known scenes: an equal record keeps its version, and the facts about its item change`, async () => {
    const { knownScenes, close } = await open();
    const bounds = { max: 10, usedAt: at(1) };
    const [first] = await knownScenes.putMany([makeKnown(1)], bounds);
    const later = {
      ...makeKnown(1),
      itemState: 'W/"2"',
      checkedAt: at(5),
      itemUrl: 'https://other.example/1',
    };
    const [same] = await knownScenes.putMany([later], bounds);
    assert.equal(same?.version, first?.version);
    assert.deepEqual(await knownScenes.findByViewId(idOf(1)), { ...later, scene: first });
    const [changed] = await knownScenes.putMany([makeKnown(1, { sunElevationDeg: 3 })], bounds);
    assert.notEqual(changed?.version, first?.version);
    assert.deepEqual((await knownScenes.findByViewId(idOf(1)))?.scene, changed);
    assert.equal(await knownScenes.count(), 1);
    await close();
  });

  test(`${name} known scenes: the last of two equal ones in a list is kept`, async () => {
    const { knownScenes, close } = await open();
    const twice = [makeKnown(1), makeKnown(2), makeKnown(1, { sunElevationDeg: 3 })];
    const put = await knownScenes.putMany(twice, { max: 10, usedAt: at(1) });
    assert.deepEqual(
      put,
      twice.map(({ scene }) => toScene(scene)),
    );
    assert.deepEqual((await knownScenes.findByViewId(idOf(1)))?.scene, put[2]);
    assert.equal(await knownScenes.count(), 2);
    await close();
  });

  test(`${name} known scenes: one is found by scene or product id within a dataset, the last view id of several`, async () => {
    const { knownScenes, close } = await open();
    const named = (day: number, sceneId: string, productId?: string): NewKnownScene =>
      makeKnown(day, { sceneId, ...(productId === undefined ? {} : { productId }) });
    await knownScenes.putMany(
      [
        named(3, 'scene', 'product'),
        named(1, 'scene'),
        named(2, 'other', 'product'),
        makeKnown(9, { sceneId: 'scene', dataset: 'landsat8' }),
        makeKnown(4, { fields: { productID: 'of the fields' } }),
      ],
      { max: 10, usedAt: at(1) },
    );
    const find = async (dataset: string, asked: string): Promise<string | undefined> =>
      (await knownScenes.findByName(dataset, asked))?.scene.viewId;
    assert.equal(await find('sentinel2', 'scene'), idOf(3));
    assert.equal(await find('sentinel2', 'product'), idOf(3));
    assert.equal(await find('sentinel2', 'other'), idOf(2));
    assert.equal(await find('sentinel2', 'of the fields'), idOf(4));
    assert.equal(await find('landsat8', 'scene'), idOf(9));
    assert.equal(await find('landsat8', 'product'), undefined);
    assert.equal(await find('sentinel2', 'SCENE'), undefined);
    await close();
  });

  test(`${name} known scenes: the least recently used are removed, and a use is noted`, async () => {
    const store = await open();
    const { knownScenes, close } = store;
    for (const day of [1, 2, 3, 4]) {
      await knownScenes.putMany([makeKnown(day)], { max: 4, usedAt: at(day) });
    }
    await knownScenes.touch([idOf(1), idOf(29), idOf(2), idOf(1)], at(10));
    await knownScenes.touch([idOf(2)], at(1));
    await knownScenes.touch([], at(99));
    await knownScenes.putMany([makeKnown(5)], { max: 4, usedAt: at(11) });
    assert.deepEqual(await daysOf(store), [1, 2, 4, 5]);
    await knownScenes.putMany([makeKnown(6), makeKnown(4)], { max: 4, usedAt: at(12) });
    assert.deepEqual(await daysOf(store), [2, 4, 5, 6], 'of equal times the first that was stored goes');
    await knownScenes.putMany([], { max: 1, usedAt: at(13) });
    assert.equal(await knownScenes.count(), 1, 'a smaller bound counts at once');
    await close();
  });

  test(`${name} known scenes: a put holds its scenes and ends a claim of its owner`, async () => {
    const store = await open();
    const { knownScenes, close } = store;
    const mine = { owner: 'me', untilMs: FAR_MS };
    assert.ok(await knownScenes.claim(idOf(1), mine));
    assert.ok(await knownScenes.claim(idOf(2), mine));
    await knownScenes.putMany([makeKnown(1)], {
      max: 2,
      usedAt: at(1),
      heldUntil: at(9),
      released: { viewId: idOf(1), owner: 'me' },
    });
    await knownScenes.putMany([makeKnown(2)], {
      max: 2,
      usedAt: at(2),
      released: { viewId: idOf(2), owner: 'another' },
    });
    const theirs = { owner: 'another', untilMs: FAR_MS };
    assert.equal(await knownScenes.claim(idOf(1), theirs), true);
    assert.equal(await knownScenes.claim(idOf(2), theirs), false, 'the claims of others stay');
    await knownScenes.putMany([makeKnown(1), makeKnown(3)], { max: 2, usedAt: at(3) });
    assert.deepEqual(await daysOf(store), [1, 3], 'the one that is held stays, also when it is put again');
    await knownScenes.putMany([makeKnown(4)], { max: 1, usedAt: at(10) });
    assert.deepEqual(await daysOf(store), [4], 'until its time is over');
    await close();
  });

  test(`${name} known scenes: more than the limit at once are all returned, and the limit applies`, async () => {
    const { knownScenes, close } = await open();
    const many = Array.from({ length: 12 }, (_, i) => makeKnown(i + 1));
    const put = await knownScenes.putMany(many, { max: 5, usedAt: at(1) });
    assert.equal(put.length, 12);
    assert.equal(await knownScenes.count(), 5);
    await close();
  });

  test(`${name} known scenes: a held scene stays, up to the latest requested time`, async () => {
    const store = await open();
    const { knownScenes, close } = store;
    await knownScenes.putMany([makeKnown(1), makeKnown(2), makeKnown(3)], { max: 3, usedAt: at(0) });
    await knownScenes.hold([idOf(1), idOf(2), idOf(29)], at(20));
    await knownScenes.hold([idOf(1)], at(10));
    await knownScenes.hold([idOf(2)], at(30));
    await knownScenes.putMany([makeKnown(4)], { max: 1, usedAt: at(15) });
    assert.deepEqual(await daysOf(store), [1, 2], 'held ones are beyond the bound, and the new one goes');
    await knownScenes.putMany([makeKnown(1, { sunElevationDeg: 1 })], { max: 1, usedAt: at(19) });
    assert.deepEqual(await daysOf(store), [1, 2], 'a new record is held as the old one');
    await knownScenes.putMany([makeKnown(5)], { max: 2, usedAt: at(20) });
    assert.deepEqual(await daysOf(store), [2, 5], 'the hold ends at its time');
    await knownScenes.putMany([makeKnown(6)], { max: 1, usedAt: at(31) });
    assert.deepEqual(await daysOf(store), [6]);
    await close();
  });

  test(`${name} known scenes: they can be confirmed and removed`, async () => {
    const { knownScenes, close } = await open();
    await knownScenes.putMany([makeKnown(1), makeKnown(2)], { max: 9, usedAt: at(0) });
    const before = await knownScenes.findByViewId(idOf(1));
    await knownScenes.confirm(idOf(1), at(7));
    await knownScenes.confirm(idOf(1), at(6));
    await knownScenes.confirm(idOf(29), at(7));
    assert.deepEqual(await knownScenes.findByViewId(idOf(1)), { ...before, checkedAt: at(7) });
    assert.equal((await knownScenes.findByViewId(idOf(2)))?.checkedAt, at(0));
    assert.equal(await knownScenes.remove(idOf(1)), true);
    assert.equal(await knownScenes.remove(idOf(1)), false);
    assert.equal(await knownScenes.findByViewId(idOf(1)), null);
    // Other times of indexing leave the version as it is; after a removal nothing of the old record is left.
    const scene = { indexedAt: at(50) };
    const [put] = await knownScenes.putMany([makeKnown(1, scene)], { max: 9, usedAt: at(0) });
    assert.deepEqual((await knownScenes.findByViewId(idOf(1)))?.scene, put);
    await close();
  });

  test(`${name} known scenes: names are literal strings, whatever characters they have`, async () => {
    const { knownScenes, close } = await open();
    const viewId = `S2/'"; DROP TABLE known_scenes --\u{1F6F0}`;
    await knownScenes.putMany([makeKnown(1, { viewId, sceneId: '%' })], { max: 9, usedAt: at(0) });
    await knownScenes.touch([viewId, 'a\0b', '%', '["x"]'], at(1));
    await knownScenes.hold([viewId, 'a\0b'], at(1));
    await knownScenes.confirm('a\0b', at(1));
    assert.equal((await knownScenes.findByViewId(viewId))?.scene.viewId, viewId);
    assert.equal(await knownScenes.findByViewId('a\0b'), null);
    assert.equal(await knownScenes.findByName('sentinel2', 'a\0b'), null);
    assert.equal(await knownScenes.findByName('sentinel2', '_'), null);
    assert.equal(await knownScenes.remove('a\0b'), false);
    assert.equal(await knownScenes.count(), 1);
    await close();
  });

  test(`${name} known scenes: one owner at a time has a claim, which it may extend and release`, async () => {
    const { knownScenes, close } = await open();
    const claim = (viewId: string, owner: string, untilMs = FAR_MS): Promise<boolean> =>
      knownScenes.claim(viewId, { owner, untilMs });
    assert.equal(await claim('a', 'one'), true);
    assert.equal(await claim('a', 'two'), false);
    assert.equal(await claim('a', 'one', FAR_MS + 0.5), true, 'its own');
    assert.equal(await claim('b', 'two'), true, 'another scene');
    await knownScenes.release('a', 'two');
    assert.equal(await claim('a', 'two'), false, 'nobody releases the claims of others');
    await knownScenes.release('a', 'one');
    assert.equal(await claim('a', 'two'), true);
    assert.equal(await claim('a', 'one'), false);
    await knownScenes.release('never claimed', 'one');
    await close();
  });

  test(`${name} known scenes: a claim expires, also after a restart`, async () => {
    const store = await open();
    for (let i = 0; i < 50; i += 1) {
      assert.equal(await store.knownScenes.claim(`old ${i}`, { owner: 'dead', untilMs: PAST_MS + i }), true);
    }
    assert.equal(await store.knownScenes.claim('held', { owner: 'one', untilMs: FAR_MS }), true);
    const again = await store.reopen();
    assert.equal(await again.knownScenes.claim('old 49', { owner: 'two', untilMs: FAR_MS }), true);
    assert.equal(await again.knownScenes.claim('held', { owner: 'two', untilMs: FAR_MS }), false);
    await again.close();
  });
}

/** Two nodes on one database. */
export type OpenNodes = () => Promise<{ readonly nodes: readonly [Store, Store]; close(): Promise<void> }>;

const ROUNDS = 12;

/** What every KnownSceneStore promises to nodes that share it. */
export function knownSceneNodesContract(name: string, openNodes: OpenNodes): void {
  test(`${name} known scenes: two nodes that write concurrently lose nothing and keep the limit`, async () => {
    const { nodes, close } = await openNodes();
    const days = Array.from({ length: 28 }, (_, i) => i + 1);
    const ids = days.map(idOf);
    // The same scenes in opposite orders, in batches that overlap, with uses, holds and removals in between.
    const work = async ({ knownScenes }: Store, own: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const batch = days
          .slice(round, round + 16)
          .map((day) => makeKnown(day, { sunElevationDeg: round + own }));
        const usedAt = at(round);
        await Promise.all([
          knownScenes.putMany(own === 0 ? batch : batch.toReversed(), { max: 20, usedAt }),
          knownScenes.touch(own === 0 ? ids : ids.toReversed(), usedAt),
          knownScenes.hold([idOf(3), idOf(1), idOf(2)], at(60)),
          knownScenes.remove(idOf(10 + own)),
          knownScenes.confirm(idOf(round + 1), usedAt),
        ]);
      }
    };
    await Promise.all(nodes.map(work));
    const [first, second] = nodes;
    await first.knownScenes.putMany(
      days.map((day) => makeKnown(day)),
      { max: 100, usedAt: at(30) },
    );
    assert.equal(await second.knownScenes.count(), 28);
    for (const day of days) {
      const expected = toScene(makeScene(day));
      assert.deepEqual((await second.knownScenes.findByViewId(idOf(day)))?.scene, expected, `day ${day}`);
    }
    await Promise.all(nodes.map(({ knownScenes }) => knownScenes.putMany([], { max: 20, usedAt: at(31) })));
    assert.equal(await first.knownScenes.count(), 20);
    for (const day of [1, 2, 3]) assert.ok(await second.knownScenes.findByViewId(idOf(day)), 'it is held');
    await close();
  });

  test(`${name} known scenes: only one of several nodes can claim a scene at a time`, async () => {
    const { nodes, close } = await openNodes();
    const expired = { owner: 'dead', untilMs: PAST_MS };
    for (let round = 0; round < ROUNDS; round += 1) {
      // Free, or left behind by a node that died.
      if (round % 2 === 1) await nodes[0].knownScenes.claim(`scene ${round}`, expired);
      const claims = nodes.flatMap(({ knownScenes }, node) =>
        [0, 1, 2].map((i) => knownScenes.claim(`scene ${round}`, { owner: `${node} ${i}`, untilMs: FAR_MS })),
      );
      assert.equal((await Promise.all(claims)).filter(Boolean).length, 1);
    }
    await close();
  });
}
