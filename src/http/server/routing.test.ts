import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../testing/test-size.ts';
import { healthz } from '../health.ts';
import type { Route } from '../kit/endpoint.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import { makeTestRoutes } from '../testing/make-test-routes.ts';
import { makeRouteTable, parseTarget } from './routing.ts';

const TILE = '/api/render/S2/x/B04,B03,B02/1/2/3';

test('a canonical target is unchanged', () => {
  for (const path of [
    '/',
    '/healthz',
    TILE,
    '/api/render/S2/x/(B08-B04)/(B08+B04)/1/2/3',
    '/api/render/S2/x/B04//2/1/2/3',
    '/api/render/S2/x/B04^2*"|<>[]{}`/1/2/3',
    '/api/render/S2/x/B04%2FB03%20%25/1/2/3',
    '/api/render/S2/x/1./.5/1/2/3',
  ]) {
    assert.deepEqual(parseTarget(path), { path, query: '', host: null });
    assert.deepEqual(parseTarget(`${path}?a=/../%2e&b=\\`), { path, query: 'a=/../%2e&b=\\', host: null });
  }
});

test('encoded letters, digits and marks are decoded, because they mean the same in every URL', () => {
  assert.equal(parseTarget('/%61pi/%72ender/%5f%7E%2D%2e1').path, '/api/render/_~-.1');
  assert.equal(parseTarget('/%2Fx%5C%23%00%0d').path, '/%2Fx%5C%23%00%0d');
});

test('the host of an absolute target is separated from its path', () => {
  assert.deepEqual(parseTarget(`http://tiles.example.org:81${TILE}?a=1`), {
    path: TILE,
    query: 'a=1',
    host: 'tiles.example.org:81',
  });
  assert.deepEqual(parseTarget('HTTPS://x'), { path: '/', query: '', host: 'x' });
  assert.deepEqual(parseTarget('http://x?a=1'), { path: '/', query: 'a=1', host: 'x' });
});

test('a target that a URL parser would read as another path is refused', () => {
  for (const target of [
    '',
    '*',
    'api/render',
    'ftp://x/y',
    'x:80',
    '//api/render/x',
    '/x/../api/render/y',
    '/api/./render/y',
    '/..',
    '/.',
    '/x/%2e%2E/y',
    '/x/.%2e',
    '/api\\render',
    '/api/render/x#y',
    '/api/render?a#y',
    '/a b',
    '/a\tb',
    '/a\u00e9',
  ]) {
    assert.throws(() => parseTarget(target), { tag: 'bad-input', code: 'bad-target' }, target);
  }
});

test('an accepted target is canonical: a URL object reads the same path, and parsing it again changes nothing', () => {
  const piece = fc.constantFrom(
    ...['/', '//', '.', '..', '%2e', '%2F', '\\', 'api', 'render', '%72', '?', '#', ';', ':', '@', 'B4', '%'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const raw = `/${pieces.join('')}`;
      let parsed: ReturnType<typeof parseTarget>;
      try {
        parsed = parseTarget(raw);
      } catch {
        return;
      }
      assert.equal(new URL(`http://host${parsed.path}`).pathname, parsed.path);
      assert.deepEqual(parseTarget(parsed.path), { ...parsed, query: '' });
    }),
    { numRuns: casesOf(5_000) },
  );
});

test('addresses of the render host get the prefix /api/render; others are unchanged', () => {
  for (const path of [
    '/S2/31/T/DH/2026/6/21/0/B04,B03,B02/12/2081/1510',
    '/L8%2FLC80110312016028LGN00/B4/3/2/1',
    '/S1/thumb/S1A_IW_GRDH.png',
    '/CBERS4/x/y/1/2/3',
    '/terrain/5/10/12',
  ]) {
    assert.equal(parseTarget(`${path}?a=1`).path, `/api/render${path}`);
  }
  for (const path of ['/', '/docs', '/api/render/S2/x', '/s2/x', '/S2X/y', '/healthz', '/%2FS2/x', '/api']) {
    assert.equal(parseTarget(path).path, path);
  }
});

const toRoute = (path: string, method: Route['method'] = 'GET'): Route => ({
  method,
  path,
  shownPath: path,
  name: path,
  access: 'open',
  door: 'free',
  lane: 'tile',
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

test('the order of routes does not matter', () => {
  const { routes } = makeTestRoutes();
  for (let seed = 1; seed <= 50; seed += 1) {
    const table = makeRouteTable(shuffle(routes, seed));
    for (const [address, path] of ADDRESSES) {
      const methods = ['GET', 'POST'].map((method) => table.find(method, address)?.route?.path);
      assert.equal(methods[0] ?? methods[1] ?? null, path, `${address}, seed ${seed}`);
    }
  }
});

test('an application with shuffled routes gives the same answers', async () => {
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

test('of two matching paths, the one that is more specific from the left answers', () => {
  const find = (address: string, ...paths: readonly string[]) =>
    makeTable(...paths).find('GET', address)?.route?.path;
  assert.equal(find('/a/b', '/:x/b', '/a/:x'), '/a/:x');
  assert.equal(find('/a/1', '/a/:x', '/a/:x{\\d+}', '/a/*'), '/a/:x{\\d+}');
  assert.equal(find('/a', '/a/*', '/a'), '/a');
  // The tree goes back to where another way leads on.
  assert.equal(find('/a/b/c', '/a/b/d', '/a/*', '/:x/b/c'), '/a/*');
});

test('any method can be routed; for other methods the table lists the allowed ones', () => {
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

test('named segments are decoded; an invalid encoding stays unchanged', () => {
  const read = (address: string) => {
    const match = makeTable('/a/:x').find('GET', address);
    return match?.route ? match.params.x : undefined;
  };
  assert.equal(read('/a/b%2Fc%20d'), 'b/c d');
  assert.equal(read('/a/%FFb%41'), '%FFbA');
  assert.equal(read('/a/'), undefined);
});

test('reads below /api/render and /ogc and views of recipes take a slot; routes that read a body do not', () => {
  for (const route of makeTestRoutes().routes) {
    const isDrawn = /^\/api\/(?:render\/|mosaic\/(?!tilejson)|recipes\/:\w+\/|public\/)|^\/ogc\//.test(
      route.path,
    );
    assert.equal(route.door, route.method === 'GET' && isDrawn ? 'render' : 'free', route.shownPath);
  }
});

const { routes } = makeTestRoutes();
const suggest = makeRouteTable(routes).suggest;

const SEARCH = 'POST /api/lms/search/v2/{dataset_id}';

test('a mistyped address gets a suggestion', () => {
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

test('an address that resembles none, or that nobody would type, gets no suggestion', () => {
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

test('a suggestion is always one of our addresses and never repeats the request', () => {
  const ours = new Set(
    routes.map((route) => `${route.method} ${route.shownPath.replaceAll(/:(\w+)(?:\{[^/]*\})?/g, '{$1}')}`),
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

test('a 404 suggests a similar address if there is one', async () => {
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
