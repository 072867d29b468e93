/** Areas are stored, read, and used to crop pictures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ring } from '../areas.ts';
import { keepArea, ringAround, toFeature } from '../areas.ts';
import { drawNative, expectNative, greyOf, readBand, TRANSPARENT } from '../pixels.ts';
import { ask, askJson, askRefused, call, sceneOf } from '../service.ts';
import { measureNow, toParams } from '../statistics.ts';

test('areas POST: a Feature with a Polygon is stored, and the answer has its cropper_ref', async () => {
  const band = await readBand('l2a', 'B04');
  const ring = ringAround(band, [10, 10], [40, 40]);
  const response = await ask('cropper/', { body: toFeature(ring) });
  assert.equal(response.status, 200);
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(body), ['cropper_ref']);
  assert.equal(typeof body.cropper_ref, 'string');
  assert.equal(await keepArea(ring), body.cropper_ref);
  // With a hole, it crops as the pixel centres say.
  const ref = await keepArea(ring, ringAround(band, [20, 20], [29, 29]));
  const picture = await drawNative('l2a', 'B04', band, `MIN_MAX=0,6000&cropper_ref=${ref}`);
  const isIn = (value: number, from: number, to: number): boolean => value >= from && value <= to;
  expectNative(picture, (at) => {
    const [column, row] = [at % band.width, Math.floor(at / band.width)];
    const isInside =
      isIn(column, 10, 40) && isIn(row, 10, 40) && !(isIn(column, 20, 29) && isIn(row, 20, 29));
    return isInside ? greyOf(band.values[at]!, 0, 6000) : TRANSPARENT;
  });
  for (const bad of [
    {},
    { type: 'Feature', geometry: null },
    { ...toFeature(), geometry: { type: 'Point', coordinates: [0, 0] } },
  ]) {
    await askRefused('cropper/', 422, { body: bad });
  }
  await askRefused('cropper/', 401, { body: toFeature(ring), apiKey: null });
});

/** Everything that reads an area of its caller, asked with a polygon: its answer without what is new each time. */
const DOORS: Readonly<Record<string, (geometry: object) => Promise<Response>>> = {
  cropper: (geometry) => ask('cropper/', { body: { type: 'Feature', properties: {}, geometry } }),
  lbe: (geometry) => estimate('lbe', { bands: ['B04'], geometry }),
  bandmath: (geometry) => estimate('bandmath', { bm_type: 'NDVI', geometry }),
  jpeg: (geometry) => estimate('jpeg', { bm_type: 'NDVI', geometry }),
  mt_stats: async (geometry) =>
    call('/api/tasks/estimate', {
      body: { type: 'mt_stats', params: await toParams('l2a', { geometry }) },
    }),
  statistics: async (geometry) => measureNow(await toParams('l2a', { geometry })),
  search: (shape) => call('/api/lms/search/v2/sentinel2l2a', { body: { search: { shape } } }),
  weather: (geometry) =>
    call('/api/cz/backend/forecast-history/', {
      body: { geometry, start_date: '2026-05-01', end_date: '2026-05-03' },
    }),
  terrain: (geometry) => ask('terrain/statistics', { body: { geometry } }),
};

const estimate = (type: string, params: object) =>
  call('/api/tasks/estimate', { body: { type, params: { view_id: sceneOf('l2a').viewId, ...params } } });

test('areas POST: an open ring is closed, wherever the area is used', async () => {
  const closed = ringAround(await readBand('l2a', 'B04'), [10, 10], [40, 40]);
  const toGeometry = (ring: Ring) => ({ type: 'Polygon', coordinates: [ring] });
  const triangle = closed.toSpliced(3, 1);
  for (const [door, enter] of Object.entries(DOORS)) {
    for (const ring of [closed, triangle]) {
      const [whole, open] = await Promise.all(
        [ring, ring.slice(0, -1)].map(async (one) => {
          const response = await enter(toGeometry(one));
          const body = (await response.json()) as Record<string, unknown>;
          return { status: response.status, body: { ...body, task_id: undefined } };
        }),
      );
      assert.equal(whole!.status, 200, `${door}: ${JSON.stringify(whole)}`);
      assert.deepEqual(open, whole, door);
    }
    const refused = await enter(toGeometry(closed.slice(0, 2)));
    const { error } = (await refused.json()) as { readonly error: string };
    assert.ok(refused.status === 400 || refused.status === 422, `${door}: ${refused.status}`);
    assert.match(error, /fewer than four positions \(three, and the first again\)/, door);
  }
});

test('areas GET: the stored Feature is returned', async () => {
  const feature = toFeature([
    [2, 41],
    [2.5, 41],
    [2.25, 41.5],
    [2, 41],
  ]);
  const ref = await keepArea(...feature.geometry.coordinates);
  assert.deepEqual(await askJson(`cropper/${ref}`), feature);
  await askRefused(`cropper/${ref}`, 401, { apiKey: null });
});

test('areas 404: an unknown reference is refused', async () => {
  assert.equal(await askRefused(`cropper/${'0'.repeat(32)}`, 404), 'unknown-area');
  await askRefused('cropper/not-a-reference', 404);
});
