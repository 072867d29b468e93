import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeTestApp, readError, TEST_KEY } from '../../../test/support/make-test-app.ts';

const SEARCH = '/api/lms/search/v2/sentinel2';
const noScenes = { searchHits: async () => ({ found: 0, hits: [] }) };

test('healthz and readyz need no key and say what they know', async () => {
  const { call } = makeTestApp();
  const health = await call('/healthz', { key: null });
  assert.equal(health.status, 200);
  assert.deepEqual(await health.json(), { status: 'ok' });
  const ready = await call('/readyz', { key: null });
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as { waiting: string }).waiting, 'the first demo scene');
});

test('a missing key is 401, a wrong one 403, in the one error body', async () => {
  const { call, post } = makeTestApp({ scenes: noScenes });
  const missing = await post(SEARCH, { search: {} }, { headers: {} });
  assert.equal(missing.status, 200);
  const none = await call(SEARCH, { method: 'POST', body: '{"search":{}}', key: null });
  assert.equal(none.status, 401);
  assert.equal((await readError(none)).code, 'no-key');
  const wrong = await call(SEARCH, { method: 'POST', body: '{"search":{}}', key: 'wrong' });
  assert.equal(wrong.status, 403);
  const body = await readError(wrong);
  assert.equal(body.code, 'bad-key');
  assert.equal(wrong.headers.get('x-request-id'), body.request_id);
});

test('a key is taken from the query or the header, both when equal, never two different ones', async () => {
  const { call } = makeTestApp({ scenes: noScenes });
  const ask = (query: string, key: string | null) =>
    call(`${SEARCH}${query}`, { method: 'POST', body: '{"search":{}}', key });
  assert.equal((await ask(`?api_key=${TEST_KEY}`, null)).status, 200);
  assert.equal((await ask(`?api_key=${TEST_KEY}`, TEST_KEY)).status, 200);
  assert.equal((await ask('?api_key=other', TEST_KEY)).status, 400);
  const twice = await ask(`?api_key=${TEST_KEY}&api_key=${TEST_KEY}`, null);
  assert.equal((await readError(twice)).code, 'repeated-parameter');
});

test('30 wrong keys a minute from one address, then 429; a valid key is never refused for them', async () => {
  let nowMs = 0;
  const { call } = makeTestApp({ scenes: noScenes, nowMs: () => nowMs });
  const ask = (key: string) => call(SEARCH, { method: 'POST', body: '{"search":{}}', key });
  for (let i = 0; i < 30; i += 1) assert.equal((await ask(`guess-${i}`)).status, 403);
  nowMs += 20_000;
  const refused = await ask('guess-31');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal(refused.headers.get('ratelimit-limit'), '30');
  assert.equal(refused.headers.get('ratelimit-remaining'), '0');
  assert.equal((await ask(TEST_KEY)).status, 200);
  nowMs += 40_000;
  assert.equal((await ask('guess-32')).status, 403);
});

test("a key's own rate is counted, named and refused with 429", async () => {
  const hash = createHash('sha256').update('limited-key-for-tests').digest('hex');
  const record = {
    id: 'lim',
    label: '',
    scope: 'full' as const,
    ratePerMinute: 2,
    createdAt: '',
    expiresAt: null,
    revokedAt: null,
  };
  const { call } = makeTestApp({ scenes: noScenes, records: [[hash, record]] });
  const ask = () => call(SEARCH, { method: 'POST', body: '{"search":{}}', key: 'limited-key-for-tests' });
  const first = await ask();
  assert.equal(first.headers.get('ratelimit-limit'), '2');
  assert.equal(first.headers.get('ratelimit-remaining'), '1');
  assert.equal((await ask()).status, 200);
  const third = await ask();
  assert.equal(third.status, 429);
  assert.ok(Number(third.headers.get('retry-after')) >= 1);
  assert.equal(third.headers.get('ratelimit-remaining'), '0');
  assert.match((await readError(third)).error, /limit of 2 requests per minute/);
});

test('paths, queries and bodies are refused just past their limits', async () => {
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

test('bodies are JSON whatever the content type says, and nonsense is 400', async () => {
  const { post } = makeTestApp({ scenes: noScenes });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    assert.equal((await post(SEARCH, { search: {} }, { headers: { 'content-type': type } })).status, 200);
  }
  for (const body of ['', '{', 'null', '[]', '"x"', '{"search":1}']) {
    assert.equal((await post(SEARCH, body)).status, 400, body);
  }
});

test('unknown addresses are 404, wrong methods 405 with Allow, trailing slashes are accepted', async () => {
  const { call, post } = makeTestApp({ scenes: noScenes });
  assert.equal((await readError(await call('/nowhere'))).code, 'unknown-route');
  const wrong = await call(SEARCH);
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS');
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
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /x-api-key/);
});

test('the log never holds a key or a query', async () => {
  const { call, lines } = makeTestApp({ scenes: noScenes });
  await call(`${SEARCH}?api_key=${TEST_KEY}`, { method: 'POST', body: '{"search":{}}' });
  await call(`/api/render/S2/x?api_key=${TEST_KEY}`, {
    headers: { referer: `http://x/?api_key=${TEST_KEY}` },
  });
  // Clients that encode the question mark put their key into the path.
  await call(`/api/lms/search/v2%3Fapi_key=${TEST_KEY}`, { key: null });
  await call(`/api/apk.${'0123456789abcdef'.repeat(4)}`);
  assert.equal(lines.length, 4);
  assert.ok(!JSON.stringify(lines).includes(TEST_KEY));
  assert.ok(!JSON.stringify(lines).includes('0123456789abcdef'));
  assert.ok(JSON.stringify(lines).includes('"key":"configured"'));
});

test('an unexpected error is 500 without a word about its cause, and is logged', async () => {
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

test('while draining, new work is refused with 503 and the connection closed; health still answers', async () => {
  const { post, call } = makeTestApp({ isDraining: () => true });
  const refused = await post(SEARCH, { search: {} });
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('connection'), 'close');
  assert.ok(refused.headers.get('retry-after'));
  assert.equal((await call('/healthz')).status, 200);
});

test('a caller may name its request, if the name is harmless', async () => {
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
  const hidden = makeTestApp({ showMetrics: false });
  assert.equal((await hidden.call('/metrics')).status, 404);
});
