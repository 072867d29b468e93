import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp } from '../testing/make-test-app.ts';

const PATH = '/api/render/S2/ir/31/T/DH/2026/6/21/0/B04';

test('a range may be cached as long as a picture, and is revalidated without its body', async () => {
  const { call } = makeTestApp({
    findIntensity: async () => ({
      ranges: [{ band: 'B04', min: 324, max: 3315 }],
      cloudPercent: 50.2,
      isCorrected: true,
    }),
  });
  const response = await call(PATH);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'private, max-age=60');
  assert.equal(response.headers.get('vary'), 'x-api-key');
  assert.deepEqual(await response.json(), {
    bands: [{ band: 'B04', min: 324, max: 3315 }],
    method: 'cc',
    cloud: 50.2,
    cloud_correction: true,
    min: 324,
    max: 3315,
  });
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
  assert.equal((await call(PATH, { headers })).status, 304);
  assert.equal((await call(`${PATH}?method=best`)).headers.get('cache-control'), 'no-store');
});
