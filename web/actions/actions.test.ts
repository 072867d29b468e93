import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeViewerScene as makeScene } from '../../test/support/viewer-scene.ts';
import { viewerSensors } from '../../test/support/viewer-sensors.ts';
import type { Api } from '../api/api.ts';
import { Failure } from '../api/failure.ts';
import { NO_ORIGINS } from '../scenes/origins.ts';
import { parseAddress } from '../state/address.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import { makeActions } from './actions.ts';
import { countDays } from './search.ts';

const [NEWEST, MIDDLE, OLDEST] = [makeScene(21), makeScene(16), makeScene(11)] as const;

/** A server of three scenes, two a page; a test replaces what it looks at. */
const makeBench = (change: Partial<Api> = {}, state: Partial<ViewerState> = {}) => {
  const all = [NEWEST, MIDDLE, OLDEST];
  let key: string | null = 'a-key';
  const api: Api = {
    readReadiness: async () => ({ isReady: true }),
    readKnowledge: async () => ({
      sensors: viewerSensors,
      colormaps: [{ name: 'viridis', isDiscrete: false, colors: ['#000000', '#ffffff'] }],
      functions: ['sqrt'],
      origins: NO_ORIGINS,
    }),
    searchScenes: async (_, { page }) => ({
      found: all.length,
      scenes: all.slice((page - 1) * 2, page * 2),
      unreadable: 0,
    }),
    countScenes: async () => all.length,
    searchDays: async () => all.map(({ date }) => date),
    findScenes: async (sceneId) => {
      const scenes = all.filter(({ id }) => id === sceneId);
      return { found: scenes.length, scenes, unreadable: 0 };
    },
    readClearSource: async () => null,
    readClearSources: async () => [],
    readLegend: async () => null,
    readThumbnail: async () => new Blob([]),
    readValues: async ({ expressions }) => expressions.map((_, i) => i),
    readRanges: async () => [{ min: 0, max: 1 }],
    readDrawnRanges: async () => ({ ranges: [{ min: 0, max: 1 }], gamma: 1, isNatural: false }),
    readPicture: async () => new Blob([]),
    checkExpression: async () => ({ isGood: true, bands: [] }),
    readElevation: async () => 812.4,
    readTerrainTiles: async () => assert.fail('only the map asks for tiles'),
    readSlopeLegend: async () => null,
    storeArea: async () => 'f'.repeat(32),
    readArea: async () => NEWEST.outline,
    readProfile: () => Promise.reject(new Failure(404, 'No heights.')),
    call: async () => ({}),
    send: async () => new Response('{}'),
    ...change,
  };
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, ...state });
  const keys = {
    readKey: () => key,
    setKey: (next: string) => {
      key = next;
    },
    forgetKey: () => {
      key = null;
    },
  };
  const actions = makeActions({
    store,
    api,
    keys,
    shapes: { readArea: () => null, storeArea: () => true, readLine: () => null, storeLine: () => true },
    texts: en,
    isNarrow: () => false,
    sleep: async () => {},
  });
  return { store, actions, read: store.read };
};

test('startup shows the newest scene in its first composition, fitted into the map', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  const { phase, shown, picture, goal, results } = read();
  assert.equal(phase.kind, 'ready');
  assert.equal(shown, NEWEST);
  assert.equal(picture.bands, 'B04,B03,B02');
  assert.deepEqual(goal, { kind: 'box', box: [2, 42, 3, 43], isAnimated: false });
  assert.deepEqual([results.found, results.scenes.length, results.hasMore], [3, 2, true]);
});

test('later pages are appended until there are no more', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  await actions.loadMore();
  assert.deepEqual(read().results.scenes, [NEWEST, MIDDLE, OLDEST]);
  assert.equal(read().results.hasMore, false);
  await actions.loadMore();
  assert.equal(read().results.page, 2);
});

test('a new search replaces the previous one, whose answer is discarded and whose request is cancelled', async () => {
  const waiting: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const { actions, read } = makeBench();
  await actions.start();
  const slow = makeBench(
    {
      searchScenes: ({ query }, { signal }) =>
        new Promise((resolve) => {
          if (signal !== undefined) signals.push(signal);
          const scenes = query.maxCloudPercent === 10 ? [MIDDLE] : [OLDEST];
          waiting.push(() => resolve({ found: 1, scenes, unreadable: 0 }));
        }),
    },
    read(),
  );
  const first = slow.actions.setQuery({ maxCloudPercent: 50 });
  const second = slow.actions.setQuery({ maxCloudPercent: 10 });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  for (const answer of waiting.reverse()) answer();
  await Promise.all([first, second]);
  assert.deepEqual(slow.read().results.scenes, [MIDDLE]);
  assert.equal(slow.read().results.isLoading, false);
});

test('a refused key is asked for once, and another one starts again', async () => {
  let isGood = false;
  const { actions, read } = makeBench({
    readKnowledge: async () => {
      if (!isGood) throw new Failure(403, 'This API key was revoked.');
      return { sensors: viewerSensors, colormaps: [], functions: [], origins: NO_ORIGINS };
    },
  });
  await actions.start();
  assert.deepEqual(read().phase, { kind: 'needs-key', refusal: 'This API key was revoked.' });
  actions.report.fail(new Failure(403, 'Another sentence.'));
  assert.deepEqual(read().phase, { kind: 'needs-key', refusal: 'This API key was revoked.' });
  isGood = true;
  await actions.giveKey('good', false);
  assert.equal(read().phase.kind, 'ready');
  actions.forgetKey();
  assert.deepEqual(read().phase, { kind: 'needs-key', refusal: null });
  assert.equal(read().shown, null);
});

test('the page waits for a server that is starting; one that fails gives the reason and can be retried', async () => {
  const said: string[] = [];
  let asked = 0;
  const preparing = makeBench({
    readReadiness: async () =>
      ++asked < 3 ? { isReady: false, waiting: `step ${asked}` } : { isReady: true },
  });
  preparing.store.watch(
    ({ phase }) => phase,
    (phase) => {
      if (phase.kind === 'waiting') said.push(phase.text);
    },
  );
  await preparing.actions.start();
  assert.deepEqual(said, ['step 1', 'step 2']);
  assert.equal(preparing.read().phase.kind, 'ready');
  const failing = makeBench({ searchScenes: async () => Promise.reject(new Failure(500, 'Broken.')) });
  await failing.actions.start();
  assert.deepEqual(failing.read().phase, { kind: 'failed', text: 'Broken.' });
});

test('an empty catalogue is distinguished from a search that finds nothing', async () => {
  const nothing: Partial<Api> = { searchScenes: async () => ({ found: 0, scenes: [], unreadable: 0 }) };
  const empty = makeBench(nothing);
  await empty.actions.start();
  assert.equal(empty.read().phase.kind, 'empty');
  const filtered = makeBench(nothing, { query: { ...INITIAL_STATE.query, maxCloudPercent: 5 } });
  await filtered.actions.start();
  assert.equal(filtered.read().phase.kind, 'ready');
});

test('an address opens its scene, also one beyond the first page; a missing one is reported', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  await actions.followAddress(
    parseAddress(`#scene=${OLDEST.id}&bands=NDVI&colormap=viridis&panel=look&opacity=40`),
  );
  const { shown, picture, panel, opacity, results } = read();
  assert.equal(shown?.id, OLDEST.id);
  assert.deepEqual([picture.bands, picture.colormap, panel, opacity], ['NDVI', 'viridis', 'look', 0.4]);
  assert.ok(results.scenes.includes(OLDEST));
  await actions.followAddress(parseAddress('#scene=gone&bands=B99&colormap=made_up'));
  assert.equal(read().shown, NEWEST);
  assert.deepEqual([read().picture.bands, read().picture.colormap], ['B04,B03,B02', null]);
  assert.match(read().notices[0]?.text ?? '', /The scene gone from this link/);
});

test('bands are kept for another scene, and a contrast only with the same bands', async () => {
  const radar = makeScene(20, 'sentinel1');
  const { actions, read } = makeBench({
    searchScenes: async () => ({ found: 3, scenes: [NEWEST, MIDDLE, radar], unreadable: 0 }),
  });
  await actions.start();
  actions.chooseBands('NDVI');
  actions.choosePicture({ contrast: { min: 0, max: 1 } });
  actions.selectScene(MIDDLE.viewId);
  assert.deepEqual([read().picture.bands, read().picture.contrast?.max], ['NDVI', 1]);
  actions.selectScene(radar.viewId);
  assert.deepEqual([read().picture.bands, read().picture.contrast], ['VV', null]);
  actions.stepScene(-1);
  assert.equal(read().shown, MIDDLE);
});

test('if a scene lacks a band another is shown, or offered if the band was chosen', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  const tile = (bands: string) => `http://here/api/render/${NEWEST.viewId}/${bands}/9/1/1`;
  const failure = new Failure(422, 'This scene has no file for the band B04.', 'no-such-band-file');
  actions.missBands(failure, tile('B12,B8A,B04'), 'http://here');
  assert.deepEqual(read().missing, {}, 'a tile of another choice says nothing about this one');
  actions.missBands(failure, tile('B04,B03,B02'), 'http://here');
  assert.equal(read().picture.bands, 'B08,B04,B03');
  assert.match(
    read().notices[0]?.text ?? '',
    /^Not in this scene: Natural colour. False colour is shown instead/,
  );
  actions.chooseBands('NDVI');
  actions.missBands(failure, tile('NDVI'), 'http://here');
  assert.equal(read().picture.bands, 'NDVI');
  read().notices[0]?.action?.run();
  assert.equal(read().picture.bands, 'B08,B04,B03');
});

test('a click selects a scene or a search point under Find, and shows values under Look', async () => {
  const asked: unknown[] = [];
  const { actions, read } = makeBench({
    searchScenes: async ({ query }) => {
      asked.push(query.where);
      return { found: 2, scenes: [NEWEST, MIDDLE], unreadable: 0 };
    },
  });
  await actions.start();
  const point = { lat: 42.5, lon: 2.5 };
  actions.clickMap(point, [NEWEST.viewId, MIDDLE.viewId]);
  assert.equal(read().shown, MIDDLE);
  await actions.setQuery({ where: { kind: 'point', point: null } });
  actions.clickMap(point, [NEWEST.viewId]);
  assert.deepEqual(asked.at(-1), { kind: 'point', point });
  assert.equal(read().shown, MIDDLE);
  actions.openPanel('look');
  await actions.probePoint(point);
  const { probe } = read();
  assert.equal(probe?.bands.length, MIDDLE.sensor.bands.length);
  assert.ok(probe?.indices.some(({ name }) => name === 'NDVI'));
  actions.closeProbe();
  assert.equal(read().probe, null);
});

test('a band without a file does not prevent the values of the others', async () => {
  const { actions, read } = makeBench({
    readValues: async ({ expressions }) => {
      if (expressions.includes('B12')) throw new Failure(422, 'No file.', 'no-such-band-file');
      return expressions.map(() => 7);
    },
  });
  await actions.start();
  await actions.probePoint({ lat: 42.5, lon: 2.5 });
  const names = read().probe?.bands.map(({ name }) => name) ?? [];
  assert.ok(names.includes('B11') && !names.includes('B12'));
});

test('equal messages are merged, and at most three are shown', async () => {
  const { actions, read } = makeBench();
  for (const text of ['a', 'a', 'b', 'c', 'd']) actions.report.showError(text);
  assert.deepEqual(
    read().notices.map(({ text }) => text),
    ['b', 'c', 'd'],
  );
});

test('an outage message stays until the server is back, whatever else happens', async () => {
  const { actions, read } = makeBench();
  const listTexts = (): readonly string[] => read().notices.map(({ text }) => text);
  actions.report.setOutage(true);
  actions.report.clear();
  assert.deepEqual(listTexts(), [en.failures.away]);
  for (const text of ['a', 'b', 'c']) actions.report.showError(text);
  assert.deepEqual(listTexts(), [en.failures.away, 'b', 'c']);
  actions.report.clear();
  assert.deepEqual(listTexts(), [en.failures.away]);
  actions.report.setOutage(false);
  assert.deepEqual(listTexts(), []);
});

test('days are counted, oldest first', () => {
  assert.deepEqual(countDays(['2026-06-21', '2026-06-11', '2026-06-21']), [
    { day: '2026-06-11', count: 1 },
    { day: '2026-06-21', count: 2 },
  ]);
});

test('terrain makes the scene translucent; the 3D view starts tilted and ends flat', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  actions.chooseTerrain('hillshade');
  assert.ok(read().opacity < 1);
  actions.chooseTerrain('none');
  assert.equal(read().opacity, 1);
  actions.raiseTerrain(99);
  assert.equal(read().terrain.exaggeration, 5);
  assert.ok(read().terrain.pitchDeg > 30);
  actions.rememberCamera(40, -15);
  actions.raiseTerrain(2);
  assert.deepEqual(read().terrain, { layer: 'none', exaggeration: 2, pitchDeg: 40, bearingDeg: -15 });
  actions.raiseTerrain(null);
  assert.deepEqual(read().terrain, { layer: 'none', exaggeration: null, pitchDeg: 0, bearingDeg: 0 });
  actions.rememberCamera(40, -15);
  assert.equal(read().terrain.pitchDeg, 0);
});

test('a point shows its height next to its values, and its values without a height', async () => {
  const { actions, read } = makeBench();
  await actions.start();
  await actions.probePoint({ lat: 42.5, lon: 2.5 });
  assert.equal(read().probe?.elevationM, 812.4);
  const without = makeBench({ readElevation: () => Promise.reject(new Failure(502, 'A file is broken.')) });
  await without.actions.start();
  await without.actions.probePoint({ lat: 42.5, lon: 2.5 });
  const { probe } = without.read();
  assert.deepEqual([probe?.elevationM, probe?.failure, probe?.isLoading], [null, null, false]);
  assert.ok((probe?.bands.length ?? 0) > 0);
});

test('calibrating the picture changes the values of the point', async () => {
  const { actions, read } = makeBench({
    readValues: async ({ expressions, isCalibrated }) => expressions.map(() => (isCalibrated ? 0.5 : 5000)),
  });
  await actions.start();
  await actions.probePoint({ lat: 42.5, lon: 2.5 });
  assert.equal(read().probe?.bands[0]?.value, 5000);
  actions.choosePicture({ isCalibrated: true });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(read().probe?.bands[0]?.value, 0.5);
});
