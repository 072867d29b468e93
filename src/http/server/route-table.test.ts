import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../kit/endpoint.ts';
import { shownPathOf } from '../kit/endpoint.ts';
import { healthz } from '../monitoring/health.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import { makeTestRoutes } from '../testing/make-test-routes.ts';
import { makeRouteTable } from './route-table.ts';

const toRoute = (path: string, method: Route['method'] = 'GET'): Route => ({
  method,
  path,
  name: path,
  access: 'open',
  door: 'free',
  lane: 'tile',
  answersWhileDraining: true,
  endpoint: healthz,
});

const makeTable = (...paths: readonly string[]) => makeRouteTable(paths.map((path) => toRoute(path)));

/** Addresses, and the route that answers each. */
const ADDRESSES: readonly (readonly [address: string, path: string | null])[] = [
  ['/', '/'],
  ['/docs', '/docs'],
  ['/docs/', '/docs'],
  ['/docs//', null],
  ['/docs/style.css', '/docs/style.css'],
  ['/assets/x.js', '/assets/*'],
  ['/assets', '/assets/*'],
  ['/api', '/api'],
  ['/api/', '/api'],
  ['/api/0123', '/api/:task_id'],
  ['/api/gdw', '/api/:task_id'],
  ['/api/tasks', '/api/tasks'],
  ['/api/tasks/estimate', '/api/tasks/estimate'],
  ['/api/tasks/0123', null],
  ['/api/gdw/api', '/api/gdw/api'],
  ['/api/gdw/api/0123/', '/api/gdw/api/:task_id'],
  ['/api/gdw/0123', null],
  ['/api/results/0123/a.TIF', '/api/results/:id/:file_name'],
  ['/api/results', '/api/:task_id'],
  ['/api/lms/search/v2', '/api/lms/search/v2'],
  ['/api/lms/search/v2/sentinel2/', '/api/lms/search/v2/:dataset_id'],
  ['/api/lms/search/v2/sentinel2/x', null],
  ['/api/render', '/api/render/*'],
  ['/api/render/S2/31/T/DH/2026/6/21/0/B04/12/2081/1510', '/api/render/*'],
  ['/api/render/L8/x/point/1/2/3', '/api/render/*'],
  ['/api/render/L8/point/x/B4/1/2', '/api/render/:sensor/point/*'],
  ['/api/render/S2/ir/31/T/DH/2026/6/21/0/B04', '/api/render/:sensor/ir/*'],
  ['/api/render/S2/parse_vb/B04/B08', '/api/render/:sensor/parse_vb/*'],
  ['/api/render/S2/thumb/31/T/DH/2026/6/21/0.png', '/api/render/:sensor/thumb/*'],
  ['/api/render/S2/preview/31/T/DH/2026/6/21/0/B04/1/2/3', '/api/render/:sensor/preview/*'],
  ['/api/render/terrain/5/10/12', '/api/render/terrain/:z/:x/:y'],
  ['/api/render/terrain/point/42.1/2.5', '/api/render/terrain/point/:lat/:lon'],
  // What begins like a more specific route and is none.
  ['/api/render/terrain/point/42.1', '/api/render/:sensor/point/*'],
  ['/api/render/terrain/5', '/api/render/*'],
  ['/api/render/cropper', '/api/render/cropper'],
  ['/api/render/cropper/0123', '/api/render/cropper/:cropper_ref'],
  ['/api/render/cropper/parse_vb', '/api/render/cropper/:cropper_ref'],
  ['/api/render/cropper//', '/api/render/*'],
  ['/api/render/cropper/0123/4', '/api/render/*'],
  ['/api/render/colormap/all', '/api/render/colormap/:all{[Aa][Ll][Ll]}'],
  ['/api/render/colormap/aLL', '/api/render/colormap/:all{[Aa][Ll][Ll]}'],
  ['/api/render/colormap/allot', '/api/render/colormap/:colormap_id'],
  ['/api/render/colorbar/viridis', '/api/render/colorbar/:colormap_name'],
  ['/api/render/colorbar', '/api/render/*'],
  ['/api/render/legend/viridis', '/api/render/legend/:colormap'],
  ['/api/render/legend/S2/31/T/DH/2026/6/21/0/B04/12/2081/1510', '/api/render/legend/:sensor/*'],
  ['/api/render/legend/point/x', '/api/render/legend/:sensor/*'],
  ['/nowhere', null],
];

/** The same list in other orders, the same ones in every run. */
function shuffle<Value>(values: readonly Value[], seed: number): readonly Value[] {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state;
  };
  return values
    .map((value) => [next(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}

test('the order of the list does not matter', () => {
  const { routes } = makeTestRoutes();
  for (let seed = 1; seed <= 50; seed += 1) {
    const table = makeRouteTable(shuffle(routes, seed));
    for (const [address, path] of ADDRESSES) {
      const methods = ['GET', 'POST'].map((method) => table.find(method, address)?.route?.path);
      assert.equal(methods[0] ?? methods[1] ?? null, path, `${address}, seed ${seed}`);
    }
  }
});

test('a shuffled application gives the same answers', async () => {
  const [plain, shuffled] = [
    makeTestApp(),
    makeTestApp({ chooseRoutes: (routes) => shuffle(routes, 7).toReversed() }),
  ];
  for (const [address] of ADDRESSES) {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
      const [one, other] = [await plain.call(address, { method }), await shuffled.call(address, { method })];
      assert.equal(other.status, one.status, `${method} ${address}`);
      assert.equal(other.headers.get('allow'), one.headers.get('allow'), `${method} ${address}`);
    }
  }
});

test('two routes that match the same addresses equally well are refused', () => {
  for (const [one, other] of [
    ['/a/:x', '/a/:y'],
    ['/a/*', '/a/*'],
    ['/a', '/a/'],
    ['/:x/b/*', '/:y/b/*'],
    ['/a/:x{\\d+}', '/a/:y{[0-9]+}'],
  ] as const) {
    assert.throws(() => makeTable(one, other), { code: 'ambiguous-routes' }, `${one} and ${other}`);
  }
  for (const [one, other] of [
    ['/a/:x', '/a/b'],
    ['/a/:x', '/:x/b'],
    ['/a', '/a/*'],
    ['/a/:x', '/a/*'],
    ['/a/:x{\\d+}', '/a/:y'],
  ] as const) {
    makeTable(one, other);
  }
});

test('of two paths that match, the one that is more specific from the left answers', () => {
  const find = (address: string, ...paths: readonly string[]) =>
    makeTable(...paths).find('GET', address)?.route?.path;
  assert.equal(find('/a/b', '/:x/b', '/a/:x'), '/a/:x');
  assert.equal(find('/a/1', '/a/:x', '/a/:x{\\d+}', '/a/*'), '/a/:x{\\d+}');
  assert.equal(find('/a', '/a/*', '/a'), '/a');
  // The tree goes back to where another way leads on.
  assert.equal(find('/a/b/c', '/a/b/d', '/a/*', '/:x/b/c'), '/a/*');
});

test('any method can be routed; others are told which ones there are', () => {
  const table = makeRouteTable([
    toRoute('/a/:x', 'DELETE'),
    toRoute('/a/:y', 'PUT'),
    toRoute('/a/:x', 'PATCH'),
    toRoute('/a/:x'),
    toRoute('/b', 'POST'),
  ]);
  assert.deepEqual(table.find('PUT', '/a/1'), { route: toRoute('/a/:y', 'PUT'), params: { y: '1' } });
  assert.equal(table.find('HEAD', '/a/1')?.route?.method, 'GET');
  assert.deepEqual(table.find('POST', '/a/1'), {
    route: null,
    allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
  });
  assert.deepEqual(table.find('GET', '/b'), { route: null, allow: 'POST, OPTIONS' });
  assert.equal(table.allow, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
});

test('named segments are decoded; what is not a valid encoding stays as it came', () => {
  const read = (address: string) => {
    const match = makeTable('/a/:x').find('GET', address);
    return match?.route ? match.params.x : undefined;
  };
  assert.equal(read('/a/b%2Fc%20d'), 'b/c d');
  assert.equal(read('/a/%FFb%41'), '%FFbA');
  assert.equal(read('/a/'), undefined);
});

test('reads below /api/render take a slot, and no route that reads a body does', () => {
  for (const route of makeTestRoutes().routes) {
    const isRenderRead = route.method === 'GET' && route.path.startsWith('/api/render/');
    assert.equal(route.door, isRenderRead ? 'render' : 'free', shownPathOf(route));
  }
});

test('pages and monitoring answer while the service shuts down, and nothing else does', () => {
  const open = makeTestRoutes().routes.filter(({ answersWhileDraining }) => answersWhileDraining);
  assert.ok(open.every(({ path }) => !path.startsWith('/api/')));
  assert.ok(
    ['/healthz', '/readyz', '/metrics', '/'].every((path) => open.some((route) => route.path === path)),
  );
});
