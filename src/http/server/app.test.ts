import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp, readError, TEST_KEY } from '../testing/make-test-app.ts';

const SEARCH = '/api/lms/search/v2/sentinel2';
const noScenes = { searchHits: async () => ({ found: 0, hits: [] }) };

test('healthz and readyz need no key and report the state of the service', async () => {
  const { call } = makeTestApp();
  const health = await call('/healthz', { key: null });
  assert.equal(health.status, 200);
  assert.deepEqual(await health.json(), { status: 'ok' });
  const ready = await call('/readyz', { key: null });
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as { waiting: string }).waiting, 'the first demo scene');
});

test('paths, queries and bodies are refused just over their limits', async () => {
  const { call, post } = makeTestApp({ scenes: noScenes });
  const path = (chars: number) => `/${'a'.repeat(chars - 1)}`;
  assert.equal((await call(path(4096))).status, 404);
  assert.equal((await call(path(4097))).status, 414);
  assert.equal((await call(`/healthz?${'q'.repeat(8192)}`)).status, 200);
  assert.equal((await call(`/healthz?${'q'.repeat(8193)}`)).status, 414);
  const padded = (bytes: number) => `{"search":{}}${' '.repeat(bytes - 13)}`;
  assert.equal((await post(SEARCH, padded(1_048_576))).status, 200);
  assert.equal((await readError(await post(SEARCH, padded(1_048_577)))).code, 'body-too-large');
  const nested = (depth: number) => `{"search":{"x":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;
  assert.equal((await readError(await post(SEARCH, nested(32)))).code, 'unknown-field');
  assert.equal((await readError(await post(SEARCH, nested(33)))).code, 'json-too-deep');
});

test('bodies are parsed as JSON whatever the content type, and invalid JSON is 400', async () => {
  const { post } = makeTestApp({ scenes: noScenes });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    assert.equal((await post(SEARCH, { search: {} }, { headers: { 'content-type': type } })).status, 200);
  }
  for (const body of ['{', 'null', '[]', '"x"', '{"search":1}']) {
    assert.equal((await post(SEARCH, body)).status, 400, body);
  }
});

test('unknown addresses are 404, wrong methods 405 with Allow, trailing slashes are accepted', async () => {
  const { call, post } = makeTestApp({ scenes: noScenes });
  assert.equal((await readError(await call('/nowhere'))).code, 'unknown-route');
  const wrong = await call(SEARCH);
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS');
  for (const path of ['/api/render/colormap/', '/api/render/colormap', '/api/render/cropper/']) {
    const read = await call(path);
    assert.equal(read.status, 405, path);
    assert.equal(read.headers.get('allow'), 'POST, OPTIONS', path);
  }
  const posted = await post('/api/render/S2/31/T/DH/2026/6/21/0/B04/0/0/0', {});
  assert.equal(posted.status, 405);
  assert.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  for (const path of [
    '/api/render/legend',
    '/api/render/legend/',
    '/api/render/colorbar',
    '/api/render/S2',
  ]) {
    const nothing = await call(path);
    assert.equal(nothing.status, 404, path);
    assert.equal((await readError(nothing)).code, 'unknown-route', path);
  }
  assert.equal((await post(`${SEARCH}/`, { search: {} })).status, 200);
});

test('every answer carries security and CORS headers; a preflight is answered', async () => {
  const { call } = makeTestApp();
  for (const path of ['/', '/docs', '/nowhere', '/openapi.json']) {
    const { headers } = await call(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('access-control-allow-origin'), '*', path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
    assert.equal(headers.get('x-powered-by'), null);
  }
  const preflight = await call(SEARCH, { method: 'OPTIONS', key: null });
  assert.equal(preflight.status, 204);
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
  for (const name of ['x-api-key', 'content-type', 'accept', 'accept-language'])
    assert.ok(allowed.includes(name), name);
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /\bDELETE\b/);
  assert.equal(preflight.headers.get('allow'), 'POST, OPTIONS');
  const nowhere = await call('/nowhere', { method: 'OPTIONS', key: null });
  assert.deepEqual([nowhere.status, nowhere.headers.get('allow')], [204, null]);
});

test('an unexpected error is logged, and is 500 without its cause', async () => {
  const { post, lines } = makeTestApp();
  const response = await post(SEARCH, { search: {} });
  assert.equal(response.status, 500);
  const body = await readError(response);
  assert.ok(!body.error.includes('scenes'));
  assert.match(
    JSON.stringify(lines, (_, v) => (v instanceof Error ? v.message : v)),
    /does not expect scenes.search/,
  );
});

test('requests that arrive during shutdown are answered, and their connections are closed', async () => {
  const { post, call } = makeTestApp({ scenes: noScenes, stopping: AbortSignal.abort() });
  for (const answered of [await post(SEARCH, { search: {} }), await call('/healthz')]) {
    assert.equal(answered.status, 200);
    assert.equal(answered.headers.get('connection'), 'close');
  }
});

test('a caller may set the request id, if it is harmless', async () => {
  const { call } = makeTestApp();
  const name = async (id: string) =>
    (await call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  assert.equal(await name('trace-12345678'), 'trace-12345678');
  assert.match((await name('a"b c{}<script>')) ?? '', /^[0-9a-f-]{36}$/);
});

test('metrics count requests by route, and can be hidden', async () => {
  const { call } = makeTestApp();
  await call('/healthz');
  const text = await (await call('/metrics', { key: null })).text();
  assert.match(text, /swath_http_requests_total\{route="\/healthz",method="GET",status="200"\} 1/);
  assert.match(text, /swath_pool_jobs_total\{outcome="done"\} 1/);
  const hidden = makeTestApp({ metricsAccess: 'none' });
  assert.equal((await hidden.call('/metrics')).status, 404);
  const guarded = makeTestApp({ metricsAccess: 'read' });
  assert.equal((await guarded.call('/metrics', { key: null })).status, 401);
  assert.equal((await guarded.call('/metrics')).status, 200);
});

test('a known parameter in brackets is refused, an unknown one ignored', async () => {
  const { call } = makeTestApp({ scenes: noScenes });
  const tile = '/api/render/S2/31/T/DH/2026/6/21/0/B04/0/0/0';
  for (const query of [
    'MIN_MAX[]=0,1',
    'MIN_MAX%5B%5D=0,1',
    'MIN_MAX[0]=0',
    'MIN_MAX=0,1&RESAMPLE[a][b]=near',
  ]) {
    const response = await call(`${tile}?${query}`);
    assert.equal(response.status, 400, query);
    const { code, error } = await readError(response);
    assert.equal(code, 'list-parameter');
    assert.match(error, /^Pass (MIN_MAX|RESAMPLE) once, as \1=…, not \1\[\]=…\.$/);
  }
  const ask = (query: string) => call(`${SEARCH}?${query}`, { method: 'POST', body: '{"search":{}}' });
  assert.equal((await ask('api_key[]=x')).status, 400);
  assert.equal((await ask('v[]=1&v[]=2&[]=x')).status, 400);
  assert.equal((await ask('v[]=1&w[x]=2&[]=x')).status, 200);
});

test('links contain only a host and a port; any other Host header is 400', async () => {
  const { call } = makeTestApp({ scenes: noScenes });
  const ask = (host: string) => call(SEARCH, { method: 'POST', body: '{"search":{}}', headers: { host } });
  for (const host of [
    'evil.com"x',
    'a b',
    'x/y',
    'u@x',
    'x:port',
    'x:123456',
    '<x>',
    '[::1',
    'x\\y',
    'a..b:',
  ]) {
    const response = await ask(host);
    assert.equal(response.status, 400, host);
    assert.equal((await readError(response)).code, 'bad-host', host);
  }
  for (const host of [
    'localhost:8080',
    'tiles.example.org',
    'my_service:80',
    '127.0.0.1',
    '[::1]:8080',
    'X.',
  ]) {
    assert.equal((await ask(host)).status, 200, host);
  }
  // Some requests name the host in their first line instead.
  const hits = [toScene(makeScene(21))];
  const { ask: askUrl } = makeTestApp({ scenes: { searchHits: async () => ({ found: 1, hits }) } });
  const body = { method: 'POST', body: '{"search":{}}' };
  const askAt = (host: string) => askUrl(`http://${host}${SEARCH}?api_key=${TEST_KEY}`, body);
  assert.equal((await askAt('evil.com"x')).status, 400);
  assert.match(
    await (await askAt('good.example:81')).text(),
    /"tms":"http:\/\/good\.example:81\/api\/render/,
  );
});

test('HEAD has the headers of GET, including the length; a response without a body has no length', async () => {
  const { call } = makeTestApp({ scenes: noScenes });
  for (const path of ['/', '/docs', '/api/render/S2/parse_vb/B04', '/nowhere', '/readyz']) {
    const [get, head] = [await call(path), await call(path, { method: 'HEAD' })];
    const body = new Uint8Array(await get.arrayBuffer());
    assert.equal(head.status, get.status, path);
    assert.equal(head.headers.get('content-length'), String(body.length), path);
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    assert.equal((await head.arrayBuffer()).byteLength, 0, path);
  }
  const etag = (await call('/api/render/S2/parse_vb/B04')).headers.get('etag') ?? '';
  const fresh = await call('/api/render/S2/parse_vb/B04', {
    method: 'HEAD',
    headers: { 'if-none-match': etag },
  });
  assert.equal(fresh.status, 304);
  assert.equal(fresh.headers.get('content-length'), null);
});

test('a collection too large for an order is refused with advice on how to measure it', async () => {
  const { post } = makeTestApp();
  const collection = { type: 'FeatureCollection', features: ['a'.repeat(2 ** 20)] };
  for (const path of ['/api/statistics', '/api', '/api/gdw/api']) {
    const response = await post(path, { type: 'mt_stats', collection, params: {} });
    assert.equal(response.status, 413, path);
    const { code, error } = (await response.json()) as { readonly code: string; readonly error: string };
    assert.equal(code, 'body-too-large');
    assert.match(error, /POST \/api\/statistics\/collection\?order/);
  }
});
