import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shownPathOf } from '../kit/endpoint.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import { makeTestRoutes } from '../testing/make-test-routes.ts';
import { makeSuggestAddress } from './near-address.ts';

const { routes } = makeTestRoutes();
const suggest = makeSuggestAddress(routes);

const SEARCH = 'POST /api/lms/search/v2/{dataset_id}';

test('a near miss names the address that is meant', () => {
  const cases: readonly (readonly [method: string, path: string, meant: string])[] = [
    ['POST', '/api/lms/serach/v2/sentinel2', SEARCH],
    ['POST', '/api/lms/search/v1/sentinel2', SEARCH],
    ['POST', '/api/lms/search/sentinel2', SEARCH],
    ['POST', '/api/search/v2/sentinel2', SEARCH],
    ['POST', '/API/LMS/search/v2/sentinel2/', SEARCH],
    ['GET', '/doc', 'GET /docs'],
    ['GET', '/health', 'GET /healthz'],
    ['GET', '/openapi.jsn', 'GET /openapi.json'],
    ['GET', '/api/colormap/viridis', 'GET /api/render/colormap/{colormap_id}'],
    ['GET', '/api/render/colorbars/viridis', 'GET /api/render/colorbar/{colormap_name}'],
    ['GET', '/api/render/terain/5/10/12', 'GET /api/render/terrain/{z}/{x}/{y}'],
    ['DELETE', '/api/render/croper/0123', 'DELETE /api/render/cropper/{cropper_ref}'],
    [
      'GET',
      '/api/render/S2/points/31/T/DH/2026/6/21/0/B04/42/2',
      'GET /api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}',
    ],
    ['GET', '/api/rendr/S2/31/T/DH/2026/6/21/0/B04/1/2/3', 'GET /api/render/{view_id}/{bands}/{z}/{x}/{y}'],
  ];
  for (const [method, path, meant] of cases) assert.equal(suggest(method, path), meant, path);
});

test('what is near to nothing, and what nobody types, gets no suggestion', () => {
  for (const path of [
    '/',
    '/nowhere',
    '/wp-login.php',
    '/api/foo/bar',
    '/api/render/S2',
    '/api/render/legend',
    '/.env',
    '/docs/../etc/passwd',
    '/api//lms/serach/v2',
    '/api/lms/serach%2Fv2',
    `/api/lms/serach/v2/${'x'.repeat(300)}`,
    '/a'.repeat(100),
    '/api/render/NAIP/il/2014/1m/rgb/39088/x/R/1/2/3',
    '/api/render/X9/B04/0/0/0',
    '/api/render/S2/31/T/DH/2026/6/21/9/B04/1/2/3',
  ]) {
    assert.equal(suggest('GET', path), null, path);
  }
});

test('whatever is asked for, a suggestion is an address of ours and holds nothing of the request', () => {
  const ours = new Set(
    routes.map(
      (route) => `${route.method} ${shownPathOf(route).replaceAll(/:(\w+)(?:\{[^/]*\})?/g, '{$1}')}`,
    ),
  );
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '/api',
      '/rendr',
      '/lms',
      '/serach',
      '/v1',
      '/colormaps',
      '/terain',
      '/ap',
      '/..',
      '%2F',
    ),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const meant = suggest('GET', `/${pieces.join('')}`);
      assert.ok(meant === null || ours.has(meant), String(meant));
    }),
  );
});

test('a 404 says which address may be meant, and an unknown one stays as it is', async () => {
  const { call } = makeTestApp();
  const near = (await (await call('/api/lms/serach/v2/sentinel2', { method: 'POST' })).json()) as object;
  assert.deepEqual(
    { ...near, request_id: '' },
    {
      status: false,
      error: `There is nothing at this address; /docs lists what there is. Did you mean ${SEARCH}?`,
      code: 'unknown-route',
      request_id: '',
      suggestion: SEARCH,
    },
  );
  const misspelt = (await (await call('/api/render/terain/5/10/12')).json()) as { error: string };
  assert.match(misspelt.error, /Did you mean GET \/api\/render\/terrain\/\{z\}\/\{x\}\/\{y\}\?$/);
  const far = (await (await call('/nowhere')).json()) as { error: string };
  assert.equal(far.error, 'There is nothing at this address; /docs lists what there is.');
});
