/** What becomes of lists and of the shown scene when answers come late, fail, or belong to something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeViewerScene as makeScene } from '../../test/support/viewer-scene.ts';
import { viewerSensors } from '../../test/support/viewer-sensors.ts';
import type { Api } from '../api/api.ts';
import { Failure } from '../api/failure.ts';
import type { Outline } from '../scenes/footprint.ts';
import { NO_ORIGINS } from '../scenes/origins.ts';
import type { ScenePage } from '../scenes/scene.ts';
import { parseAddress } from '../state/address.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import type { ActionParts } from './action-parts.ts';
import { makeActions } from './actions.ts';
import { makeShowScene } from './show-scene.ts';
import { watchGrowth } from './watch-growth.ts';

const [NEWEST, SECOND, THIRD, FOURTH] = [makeScene(28), makeScene(25), makeScene(22), makeScene(19)] as const;
const [FIFTH, SIXTH, OLDEST] = [makeScene(16), makeScene(13), makeScene(10)] as const;
/** Newest first. */
const ALL = [NEWEST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, OLDEST];
const pageOf = (page: number): ScenePage => ({
  found: ALL.length,
  scenes: ALL.slice((page - 1) * 2, page * 2),
  unreadable: 0,
});
const idsOf = ({ results }: ViewerState): readonly string[] => results.scenes.map(({ id }) => id);

/** A server of seven scenes, two a page; a test replaces what it looks at. */
const makeBench = async (change: Partial<Api> = {}) => {
  const api = {
    readReadiness: async () => ({ isReady: true }),
    readKnowledge: async () => ({
      sensors: viewerSensors,
      colormaps: [],
      functions: [],
      origins: NO_ORIGINS,
    }),
    searchScenes: async (_: unknown, { page }: { page: number }) => pageOf(page),
    searchDays: async () => ALL.map(({ date }) => date),
    findScenes: async (sceneId: string) => {
      const scenes = ALL.filter(({ id }) => id === sceneId);
      return { found: scenes.length, scenes, unreadable: 0 };
    },
    ...change,
  } as unknown as Api;
  const store = makeStore<ViewerState>(INITIAL_STATE);
  const parts = {
    store,
    api,
    keys: { readKey: () => 'a-key', setKey: () => {}, forgetKey: () => {} },
    texts: en,
    isNarrow: () => false,
    sleep: async () => {},
  } as unknown as ActionParts;
  const actions = makeActions(parts);
  const showScene = makeShowScene({ store, api, report: actions.report, texts: en });
  await actions.start();
  return { store, actions, showScene, read: store.read };
};
const shiftEast = (outline: Outline, degrees: number): Outline => {
  assert.ok(outline.type === 'Polygon');
  const coordinates = outline.coordinates.map((ring) =>
    ring.map(([lon, lat]) => [lon + degrees, lat] as const),
  );
  return { type: 'Polygon', coordinates };
};
/** Lets every answer that is there arrive. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('a late answer does not replace the scene that was chosen meanwhile', async () => {
  const answers: ((page: ScenePage) => void)[] = [];
  let isSlow = false;
  const { actions, read } = await makeBench({
    searchScenes: (_, { page }) =>
      isSlow ? new Promise((resolve) => void answers.push(resolve)) : Promise.resolve(pageOf(page)),
  });
  isSlow = true;
  const following = actions.followAddress(parseAddress('#clouds=50'));
  actions.selectScene(SECOND.viewId);
  for (const answer of answers) answer(pageOf(1));
  await following;
  assert.equal(read().shown?.id, SECOND.id);
});

test('a scene that is looked up for a point of a series does not replace one chosen meanwhile', async () => {
  const found = Promise.withResolvers<ScenePage>();
  const { actions, showScene, read } = await makeBench({ findScenes: () => found.promise });
  const showing = showScene({ sceneId: OLDEST.id, viewId: OLDEST.viewId });
  actions.stepScene(1);
  found.resolve({ found: 1, scenes: [OLDEST], unreadable: 0 });
  await showing;
  assert.equal(read().shown?.id, SECOND.id);
});

test('choosing a scene by hand ends a comparison and an animation', async () => {
  const { actions, showScene, read } = await makeBench();
  const isAlone = () => [read().comparison, read().wantedComparison, read().animation];
  for (const choose of [
    () => actions.selectScene(SECOND.viewId),
    () => actions.stepScene(1),
    () => showScene({ sceneId: SECOND.id, viewId: SECOND.viewId }),
  ]) {
    actions.startComparison('swipe');
    assert.ok(read().comparison !== null);
    await choose();
    assert.deepEqual(isAlone(), [null, null, null]);
    actions.startAnimation();
    actions.selectScene(NEWEST.viewId);
    assert.deepEqual(isAlone(), [null, null, null]);
  }
});

test('a failing page keeps the list, and is requested again', async () => {
  let isDown = false;
  const { actions, read } = await makeBench({
    searchScenes: (_, { page }) =>
      isDown ? Promise.reject(new Failure(503, 'Busy.')) : Promise.resolve(pageOf(page)),
  });
  isDown = true;
  await actions.loadMore();
  const { hasMore, failure, scenes, isLoading } = read().results;
  assert.deepEqual([hasMore, failure, scenes.length, isLoading], [true, 'Busy.', 2, false]);
  isDown = false;
  await actions.loadMore();
  assert.deepEqual(
    idsOf(read()),
    [NEWEST, SECOND, THIRD, FOURTH].map(({ id }) => id),
  );
  assert.equal(read().results.failure, null);
});

test('scenes from an address and from a series are listed by date, and do not end the list', async () => {
  const { actions, showScene, read } = await makeBench();
  await actions.followAddress(parseAddress(`#scene=${SIXTH.id}`));
  await showScene({ sceneId: FOURTH.id, viewId: FOURTH.viewId });
  assert.deepEqual(
    idsOf(read()),
    [NEWEST, SECOND, FOURTH, SIXTH].map(({ id }) => id),
  );
  // Those of pages go between them, once.
  await actions.loadMore();
  assert.deepEqual(
    idsOf(read()),
    [NEWEST, SECOND, THIRD, FOURTH, SIXTH].map(({ id }) => id),
  );
  await actions.loadMore();
  assert.equal(read().results.hasMore, true);
  await actions.loadMore();
  assert.deepEqual(
    idsOf(read()),
    ALL.map(({ id }) => id),
  );
  assert.equal(read().results.hasMore, false);
  assert.equal(read().shown?.id, FOURTH.id);
  actions.stepScene(1);
  assert.equal(read().shown?.id, FIFTH.id);
});

test('an animation and a comparison get all dates, also while a page is in flight at their start, and after another search', async () => {
  for (const begin of ['film', 'comparison'] as const) {
    const { actions, read } = await makeBench();
    const loading = actions.loadMore();
    if (begin === 'film') actions.startAnimation();
    else actions.startComparison('swipe');
    await loading;
    await settle();
    assert.equal(read().results.scenes.length, ALL.length, begin);
    await actions.setQuery({ maxCloudPercent: 50 });
    await settle();
    assert.equal(read().results.scenes.length, ALL.length, begin);
  }
});

test('an animation stops loading after a page has failed, until it is told to continue', async () => {
  let asked = 0;
  const { actions, read } = await makeBench({
    searchScenes: (_, { page }) => {
      if (page === 1) return Promise.resolve(pageOf(1));
      asked++;
      return asked === 1 ? Promise.reject(new Failure(503, 'Busy.')) : Promise.resolve(pageOf(page));
    },
  });
  actions.startAnimation();
  await settle();
  assert.deepEqual([asked, read().results.scenes.length], [1, 2]);
  read().notices[0]?.action?.run();
  await settle();
  assert.equal(read().results.scenes.length, ALL.length);
});

test('a click on the map chooses a scene without moving the map', async () => {
  const { actions, read } = await makeBench();
  const { goal } = read();
  actions.clickMap({ lat: 42.5, lon: 2.5 }, [NEWEST.viewId, SECOND.viewId]);
  assert.equal(read().shown?.id, SECOND.id);
  assert.equal(read().goal, goal);
});

test('without a pointer the centre of the map gives values, or the search point', async () => {
  const asked: unknown[] = [];
  const { actions, read } = await makeBench({
    searchScenes: async ({ query }, { page }) => {
      asked.push(query.where);
      return pageOf(page);
    },
    readValues: async ({ expressions }) => expressions.map(() => 1),
    readElevation: async () => null,
  });
  actions.rememberView({ zoom: 9, lat: 42.5, lon: 362.5 }, [362, 42, 363, 43]);
  actions.takeMiddle();
  assert.deepEqual(read().probe?.point, { lat: 42.5, lon: 2.5 });
  await actions.setQuery({ where: { kind: 'point', point: null } });
  actions.takeMiddle();
  assert.deepEqual(asked.at(-1), { kind: 'point', point: { lat: 42.5, lon: 2.5 } });
  actions.openPanel('look');
  actions.closeProbe();
  actions.startAnimation();
  actions.takeMiddle();
  assert.equal(read().probe, null, 'a film has a scene for every date');
});

test('choosing a visible scene does not move the map; choosing one elsewhere does', async () => {
  const elsewhere = { ...OLDEST, outline: shiftEast(OLDEST.outline, 5) };
  const { actions, read } = await makeBench({
    searchScenes: async () => ({ found: 3, scenes: [NEWEST, SECOND, elsewhere], unreadable: 0 }),
  });
  actions.rememberView({ zoom: 14, lat: 42.2, lon: 2.8 }, [2.79, 42.19, 2.81, 42.21]);
  const { goal } = read();
  actions.selectScene(SECOND.viewId);
  assert.equal(read().shown?.id, SECOND.id);
  assert.equal(read().goal, goal, 'the field that the user zoomed to stays in view');
  actions.selectScene(elsewhere.viewId);
  assert.deepEqual(read().goal, { kind: 'box', box: [7, 42, 8, 43], isAnimated: true });
});

test('the shown scene stays in a list that follows the map, even if newer ones fill the page', async () => {
  const { actions, read } = await makeBench();
  await actions.setQuery({ where: { kind: 'view' } });
  await actions.loadMore();
  actions.selectScene(FOURTH.viewId);
  actions.rememberView({ zoom: 9, lat: 42.5, lon: 2.5 }, [2, 42, 3, 43]);
  await settle();
  assert.deepEqual(idsOf(read()), [NEWEST.id, SECOND.id, FOURTH.id]);
  actions.rememberView({ zoom: 9, lat: 42.5, lon: 12.5 }, [12, 42, 13, 43]);
  await settle();
  assert.deepEqual(idsOf(read()), [NEWEST.id, SECOND.id], 'but not where it is not seen');
});

test('a list grows with the catalogue: existing cards stay, and no choice changes', async () => {
  let all = [SECOND, FOURTH, OLDEST];
  const { actions, read } = await makeBench({
    countScenes: async () => all.length,
    searchScenes: async (_, { page }) => ({
      found: all.length,
      scenes: all.slice((page - 1) * 2, page * 2),
      unreadable: 0,
    }),
  });
  await actions.loadMore();
  actions.selectScene(FOURTH.viewId);
  const { goal, shown } = read();
  assert.equal(await actions.refreshList(), false, 'nothing has changed');
  all = [NEWEST, SECOND, THIRD, FOURTH, OLDEST];
  assert.equal(await actions.refreshList(), true);
  assert.deepEqual(idsOf(read()), [NEWEST.id, SECOND.id, THIRD.id, FOURTH.id]);
  assert.deepEqual([read().results.found, read().results.hasMore], [5, true]);
  assert.deepEqual([read().goal, read().shown], [goal, shown]);
  await actions.loadMore();
  assert.deepEqual(idsOf(read()), [NEWEST.id, SECOND.id, THIRD.id, FOURTH.id, OLDEST.id]);
});

test('an unchanged catalogue is polled less and less often, a growing one often, and a hidden tab not at all', async () => {
  const growth = [false, false, true, false];
  const slept: number[] = [];
  const controller = new AbortController();
  let [started, grown, isVisible] = [0, 0, 0];
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, phase: { kind: 'ready' } });
  await watchGrowth({
    store,
    refreshList: async () => {
      const hasGrown = growth.shift() ?? true;
      if (growth.length === 0) store.update((state) => ({ ...state, phase: { kind: 'empty' } }));
      return hasGrown;
    },
    start: async () => {
      started++;
      controller.abort();
    },
    onGrowth: async () => void grown++,
    sleep: async (ms) => void slept.push(ms),
    whenVisible: async () => void isVisible++,
    signal: controller.signal,
  });
  assert.deepEqual(slept, [5000, 10_000, 20_000, 5000, 10_000, 5000]);
  assert.deepEqual([grown, started, isVisible], [1, 1, 6]);
});
