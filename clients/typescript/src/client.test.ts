import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClient, SwathError, toTileUrl } from './index.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly key: string | null;
  readonly body: unknown;
}

/** A service that gives its answers in order, and what it was asked. */
function makeService(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  let next = 0;
  const fetch: typeof globalThis.fetch = async (address, init = {}) => {
    sent.push({
      method: init.method ?? 'GET',
      url: String(address),
      key: new Headers(init.headers).get('x-api-key'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    });
    init.signal?.throwIfAborted();
    return answers[next++] ?? new Response('{}', { status: 500 });
  };
  return { sent, swath: makeClient({ url: 'http://swath.example/maps/', key: 'mine', fetch }) };
}

const hit = {
  view_id: 'S2L2A/10/U/EU/2026/6/21/1',
  sceneID: 'one',
  date: '2026-06-21',
  cloudCoverage: 7,
  tms: 'http://swath.example/{band}/{z}/{x}/{y}',
};

test('a search posts its filters with the key, and gives scenes', async () => {
  const answer = { meta: { found: 12 }, results: [hit, { sceneID: 'without a view id' }] };
  const { swath, sent } = makeService(Response.json(answer));
  const { scenes, found } = await swath.searchScenes('sentinel2l2a', {
    from: '2026-06-01',
    maxCloudPercent: 10,
    limit: 5,
  });
  assert.deepEqual([found, scenes.length, scenes[0]?.cloudPercent, scenes[0]?.thumbnail], [12, 1, 7, null]);
  assert.deepEqual(sent, [
    {
      method: 'POST',
      url: 'http://swath.example/maps/api/lms/search/v2/sentinel2l2a',
      key: 'mine',
      body: {
        search: { date: { from: '2026-06-01' }, cloudCoverage: { to: 10 } },
        sort: { date: 'desc' },
        page: 1,
        limit: 5,
      },
    },
  ]);
});

test('slashes of band math are escaped, and those of view ids are not', async () => {
  const { swath, sent } = makeService(Response.json({ index_value: 0.5 }));
  const value = await swath.readPoint(hit.view_id, '(B08-B04)/(B08+B04)', { lat: 48.2, lon: -122.4 });
  assert.equal(value, 0.5);
  assert.equal(
    sent[0]?.url,
    'http://swath.example/maps/api/render/S2L2A/point/10/U/EU/2026/6/21/1/(B08-B04)%2F(B08%2BB04)/48.2/-122.4?CALIBRATE=1',
  );
  const style = { COLORMAP: 'viridis' };
  assert.equal(
    toTileUrl('http://swath.example/', { viewId: 'S2/1', bands: 'B04/B08', style }),
    'http://swath.example/api/render/S2/1/B04%2FB08/{z}/{x}/{y}?COLORMAP=viridis',
  );
});

test('a refusal is an error with the code and the sentence of the service', async () => {
  const refusal = Response.json({ error: 'No such dataset.', code: 'unknown-dataset' }, { status: 404 });
  const { swath } = makeService(refusal, new Response('<html>', { status: 502 }));
  await assert.rejects(swath.searchScenes('x'), (error: unknown) => {
    assert.ok(error instanceof SwathError);
    assert.deepEqual([error.status, error.code, error.message], [404, 'unknown-dataset', 'No such dataset.']);
    return true;
  });
  await assert.rejects(swath.searchScenes('x'), /The service answered 502/);
});

test('a busy service is asked again after the time it says', async () => {
  const busy = () =>
    Response.json({ error: 'Busy.', code: 'rate' }, { status: 429, headers: { 'retry-after': '0' } });
  const { swath, sent } = makeService(busy(), Response.json({ meta: { found: 0 }, results: [] }));
  assert.deepEqual(await swath.searchScenes('sentinel2l2a'), { scenes: [], found: 0 });
  assert.equal(sent.length, 2);
});

test('the key goes to the service and to no other address', async () => {
  const { swath, sent } = makeService(new Response('file'), new Response('file'));
  await swath.readFile('api/results/1/a.tif');
  await swath.readFile('https://bucket.example/a.tif');
  assert.deepEqual(
    sent.map(({ url, key }) => [url, key]),
    [
      ['http://swath.example/maps/api/results/1/a.tif', 'mine'],
      ['https://bucket.example/a.tif', null],
    ],
  );
});

test('statistics that take longer than a request are followed, and then read', async () => {
  const result = {
    date: '2026-06-21',
    scene_id: 'one',
    view_id: 'S2/1',
    cloud: 5,
    values: { NDVI: { average: 0.5, p10: 0.4, p90: 0.6 } },
  };
  const { swath, sent } = makeService(
    Response.json({ task_id: 'T', progress: 0.25 }, { status: 202 }),
    Response.json({ task_type: 'started', progress: 0.5 }),
    Response.json({ task_type: 'finish' }),
    Response.json({ results: [result], errors: [{ code: 'no-data' }] }),
  );
  const seen: number[] = [];
  const measured = await swath.measureArea(
    {
      area: { type: 'Polygon', coordinates: [] },
      expressions: ['NDVI'],
      sensors: ['sentinel2l2a'],
      from: '2026-06-01',
      to: '2026-06-30',
    },
    { onProgress: (progress) => seen.push(progress) },
  );
  assert.deepEqual(measured.scenes[0]?.values.NDVI?.p90, 0.6);
  assert.equal(measured.failures[0]?.code, 'no-data');
  assert.deepEqual(seen, [0.25, 0.5]);
  assert.deepEqual(
    sent.map(({ method, url }) => `${method} ${url.slice('http://swath.example/maps/'.length)}`),
    ['POST api/statistics', 'GET api/T', 'GET api/T', 'POST api/statistics'],
  );
});

test('a task with a file is found in the list when it is over; a failed one throws its reason', async () => {
  const listed = {
    task_id: 'T',
    type: 'lbe',
    state: 'finished',
    created_at: '2026-06-21T00:00:00Z',
    result_url: 'http://other.example/api/results/1/a.tif?signature=s',
  };
  const { swath } = makeService(
    new Response(null, { status: 303, headers: { location: 'http://other.example/api/results/1/a.tif' } }),
    Response.json({ tasks: [{ ...listed, task_id: 'newer' }], next: 'newer' }),
    Response.json({ tasks: [listed], next: null }),
    Response.json({ task_type: 'error', error_status: 'no-space', error_message: 'The disk is full.' }),
  );
  assert.equal((await swath.followTask('T'))?.href, 'api/results/1/a.tif?signature=s');
  await assert.rejects(swath.followTask('T'), { code: 'no-space', message: 'The disk is full.' });
});

test('a task that is given up is cancelled', async () => {
  const { swath, sent } = makeService(Response.json({ task_type: 'started', progress: 0 }));
  const leaving = new AbortController();
  const following = swath.followTask('T', { signal: leaving.signal, onProgress: () => leaving.abort() });
  await assert.rejects(following, { name: 'AbortError' });
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['GET', 'DELETE'],
  );
});
