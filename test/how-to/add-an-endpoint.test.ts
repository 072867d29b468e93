/** Follows docs/add-an-endpoint.md to the letter, so that the guide cannot go stale. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../../src/http/endpoint/route.ts';
import { toOpenApi } from '../../src/http/pages/openapi.ts';
import { makeTestApp, readError } from '../../src/http/testing/make-test-app.ts';
import { assertGuideCode } from '../support/guide-code.ts';
import { sensorRoutes } from './bands-endpoint/routes.ts';

/** The service with the routes of the guide. */
const withSensors = {
  chooseRoutes: (routes: readonly Route[]): readonly Route[] => [...routes, ...sensorRoutes()],
};

test('the bands of a sensor, with their pixel sizes when they are asked for', async () => {
  const { call } = makeTestApp(withSensors);
  const { bands } = (await (await call('/api/render/NAIP/bands')).json()) as { bands: unknown };
  assert.deepEqual(bands, [{ band: 'R' }, { band: 'G' }, { band: 'B' }, { band: 'N' }]);
  const long = await call('/api/render/NAIP/bands?INCLUDE_RESOLUTION=1');
  assert.match(await long.text(), /^\{"bands":\[\{"band":"R","resolution":/);
  assert.equal((await readError(await call('/api/render/NOAA/bands'))).code, 'no-such-sensor');
  const wrong = await call('/api/render/NAIP/bands?INCLUDE_RESOLUTION=perhaps');
  assert.equal((await readError(wrong)).code, 'bad-include-resolution');
});

test('keys, methods, caching and the documents come with the route', async () => {
  const { call, routes } = makeTestApp(withSensors);
  assert.equal((await call('/api/render/NAIP/bands', { key: null })).status, 401);
  assert.equal((await call('/api/render/NAIP/bands', { method: 'POST' })).status, 405);
  const etag = (await call('/api/render/NAIP/bands')).headers.get('etag') ?? '';
  const again = await call('/api/render/NAIP/bands', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.ok(toOpenApi(routes, 'test').paths['/api/render/{sensor}/bands']?.get);
});

test('the code of docs/add-an-endpoint.md is that of the example', () => {
  assertGuideCode('docs/add-an-endpoint.md', {
    example: ['test/how-to/bands-endpoint/*.ts', 'test/how-to/add-an-endpoint.test.ts'],
    minBlocks: 3,
    // The guide's files lie in src/http/sensors/.
    toShown: (text) => text.replaceAll("'../../../src/http/", "'../").replaceAll("'../../../src/", "'../../"),
  });
});
