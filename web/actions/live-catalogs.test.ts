/** How the page searches public catalogs: at a place, politely, and without asking what they say themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeViewerScene as makeScene } from '../../test/support/viewer-scene.ts';
import { viewerSensors } from '../../test/support/viewer-sensors.ts';
import type { Api } from '../api/api.ts';
import type { SearchRequest } from '../api/search-body.ts';
import type { ScenePage } from '../scenes/scene.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import type { ActionParts } from './action-parts.ts';
import { makeActions } from './actions.ts';

const CLOUDY = { ...makeScene(28), cloudPercent: 91 };
const CLEAR = makeScene(23);
const ALL = viewerSensors.map(({ dataset }) => dataset);
const LIVE = ['sentinel2', 'landsat8'];
const PAGE: ScenePage = {
  found: 2,
  scenes: [CLOUDY, CLEAR],
  unreadable: 0,
  notes: [{ name: 'earth', isAtLeast: false, problem: null }],
};

/** A service with one catalog; `isEmpty` says whether a search finds nothing. */
const makeBench = async (state: Partial<ViewerState> = {}, isEmpty = () => false) => {
  const [searched, dayLimits]: [SearchRequest[], number[]] = [[], []];
  const origins = {
    catalogs: [{ name: 'earth', title: 'Earth', datasets: LIVE, attribution: null, pictureOrigins: [] }],
    hasDemo: false,
  };
  const api = {
    readReadiness: async () => ({ isReady: true }),
    readKnowledge: async () => ({ sensors: viewerSensors, colormaps: [], functions: [], origins }),
    async searchScenes(request: SearchRequest) {
      searched.push(request);
      const isOfStore = !request.allDatasets.some((dataset) => LIVE.includes(dataset));
      return isOfStore || isEmpty() ? { ...PAGE, found: 0, scenes: [] } : PAGE;
    },
    async searchDays(_: unknown, { limit }: { limit: number }) {
      dayLimits.push(limit);
      return [];
    },
    countScenes: () => assert.fail('catalogs are not asked without a reason'),
  } as unknown as Api;
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, ...state });
  const actions = makeActions({
    store,
    api,
    keys: { readKey: () => 'a-key', setKey: () => {}, forgetKey: () => {} },
    texts: en,
    isNarrow: () => false,
    sleep: async () => {},
  } as unknown as ActionParts);
  await actions.start();
  return { actions, read: store.read, searched, dayLimits };
};

test('the first search is at a place, and shows a cloud-free scene there', async () => {
  const { read, searched, dayLimits } = await makeBench();
  const [first] = searched;
  assert.deepEqual(first?.query.where, { kind: 'view' });
  const [west, south, east, north] = first?.bounds ?? [0, 0, 0, 0];
  assert.ok(west > 30 && east < 33 && south > 29 && north < 32, 'the south of the Nile delta');
  assert.deepEqual(read().goal, { kind: 'view', view: { zoom: 9, lat: 30.3, lon: 31.4 } });
  assert.equal(read().shown, CLEAR);
  assert.deepEqual(dayLimits, [200]);
});

test('an address with a view is searched there', async () => {
  const view = { zoom: 12, lat: 48.2, lon: -122.4 };
  const { read, searched } = await makeBench({ view });
  const [west, south, east, north] = searched[0]?.bounds ?? [0, 0, 0, 0];
  assert.ok(west < -122.4 && east > -122.4 && east - west < 0.3);
  assert.ok(south < 48.2 && north > 48.2 && north - south < 0.3);
  assert.equal(read().goal, null);
});

test('datasets of catalogs are offered without a search of the whole Earth', async () => {
  const { actions, read, searched } = await makeBench();
  await actions.offerDatasets();
  assert.deepEqual(
    read().datasets,
    ALL.filter((dataset) => LIVE.includes(dataset)),
  );
  for (const { query, bounds, allDatasets } of searched) {
    const isOfStore = !allDatasets.some((dataset) => LIVE.includes(dataset));
    assert.ok(isOfStore || (query.where.kind === 'view' && bounds !== null));
  }
});

test('an open page does not query catalogs again by itself', async () => {
  const { actions, searched } = await makeBench();
  const before = searched.length;
  assert.equal(await actions.refreshList(), false);
  assert.equal(searched.length, before);
});

test('a search of the view does not move it, whatever it finds', async () => {
  let isEmpty = true;
  const { actions, read } = await makeBench({}, () => isEmpty);
  const { goal, shown } = read();
  assert.equal(shown, null);
  isEmpty = false;
  await actions.setQuery({ maxCloudPercent: 20 });
  assert.equal(read().shown, CLOUDY);
  assert.equal(read().goal, goal);
});
