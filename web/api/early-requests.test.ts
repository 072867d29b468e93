import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_QUERY } from '../state/search-state.ts';
import { makeEarlyRequests } from './early-requests.ts';
import { makeRequests } from './requests.ts';
import { makeSearchCalls } from './search-calls.ts';

const SENSORS = {
  sensors: [
    {
      dataset: 'sentinel2l2a',
      abbreviation: 'S2L2A',
      title: 'Sentinel-2',
      bands: [{ name: 'B04', role: 'RED', kind: 'reflective', resolution: 10 }],
      compositions: [{ name: null, bands: ['B04'] }],
      indices: [],
    },
  ],
  catalogs: [],
};

/** A browser's `fetch` that writes down what it sends. */
const makeSend = (sensors: object) => {
  const sent: string[] = [];
  const send = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> => {
    sent.push([init.method ?? 'GET', String(input)].join(' '));
    return Response.json(
      input === 'api/sensors' ? sensors : { asked: String(input), body: init.body ?? null },
    );
  };
  return { sent, send: send as typeof fetch };
};

test('an early answer is used once; later requests are sent', async () => {
  const { sent, send } = makeSend(SENSORS);
  const early = makeEarlyRequests(send);
  early.askAll();
  assert.equal(sent.length, 5);
  assert.deepEqual(await (await early.fetch('api/about', {})).json(), { asked: 'api/about', body: null });
  assert.equal(sent.length, 5, 'the page took what was on its way');
  await early.fetch('api/about', {});
  await early.fetch('api/else');
  await early.fetch('api/sensors', { method: 'POST' });
  assert.deepEqual(sent.slice(5), ['GET api/about', 'GET api/else', 'POST api/sensors']);
});

test('the page reuses the early search as its first search, and the sensors stay available', async () => {
  const { sent, send } = makeSend(SENSORS);
  const early = makeEarlyRequests(send);
  early.askAll();
  await early.search('k');
  const count = sent.length;
  assert.equal(sent.at(-1), 'POST api/lms/search/v2');
  const { searchScenes } = makeSearchCalls(makeRequests({ readKey: () => 'k', fetch: early.fetch }));
  const request = { query: PLAIN_QUERY, bounds: null, area: null, allDatasets: ['sentinel2l2a'] };
  // The answer of this `fetch` is not a page of scenes; what counts is that nothing more was sent.
  await assert.rejects(searchScenes(request, { page: 1, sensors: [] }));
  assert.equal(sent.length, count);
  assert.deepEqual(await (await early.fetch('api/sensors')).json(), SENSORS);
});

test('live catalogs are not searched early, and neither is anything without sensors', async () => {
  const live = makeSend({ ...SENSORS, catalogs: [{ name: 'earth', datasets: ['sentinel2l2a'] }] });
  const early = makeEarlyRequests(live.send);
  early.askAll();
  await early.search('k');
  const idle = makeSend(SENSORS);
  await makeEarlyRequests(idle.send).search('k');
  assert.deepEqual(
    [...live.sent, ...idle.sent].filter((line) => line.startsWith('POST')),
    [],
  );
});

test('a failed early request is an error for the page, which may retry it', async () => {
  let fails = true;
  const early = makeEarlyRequests((async () => {
    if (fails) throw new TypeError('no connection');
    return Response.json({});
  }) as typeof fetch);
  early.askAll();
  await assert.rejects(early.fetch('readyz'), TypeError);
  fails = false;
  assert.equal((await early.fetch('readyz')).ok, true);
});

test('a service that is not ready is not searched early, because its list would be empty', async () => {
  const { sent, send } = makeSend(SENSORS);
  const notReady: typeof fetch = async (input, init) =>
    input === 'readyz' ? new Response(null, { status: 503 }) : send(input, init);
  const early = makeEarlyRequests(notReady);
  early.askAll();
  await early.search('k');
  assert.ok(!sent.some((request) => request.startsWith('POST')), sent.join(', '));
});
