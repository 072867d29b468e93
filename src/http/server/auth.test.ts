import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Tasks } from '../../tasks/index.ts';
import { makeTestApp, readError, TEST_KEY } from '../testing/make-test-app.ts';

const SEARCH = '/api/lms/search/v2/sentinel2';
const noScenes = { searchHits: async () => ({ found: 0, hits: [] }) };

test('a missing key is 401, a wrong one 403, in the one error body', async () => {
  const { call, post } = makeTestApp({ scenes: noScenes });
  const missing = await post(SEARCH, { search: {} }, { headers: {} });
  assert.equal(missing.status, 200);
  const none = await call(SEARCH, { method: 'POST', body: '{"search":{}}', key: null });
  assert.equal(none.status, 401);
  // A scheme that no browser knows: it shows its own dialog for Basic and Digest.
  assert.equal(none.headers.get('www-authenticate'), 'ApiKey realm="Swath"');
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

test('the log never holds a key or a query', async () => {
  const tasks = { tasks: { find: async () => null } as Partial<Tasks> as Tasks };
  const { call, lines } = makeTestApp({ scenes: noScenes, tasks });
  await call(`${SEARCH}?api_key=${TEST_KEY}`, { method: 'POST', body: '{"search":{}}' });
  await call(`/api/render/S2/x?api_key=${TEST_KEY}`, {
    headers: { referer: `http://x/?api_key=${TEST_KEY}` },
  });
  // Clients that encode the question mark put their key into the path.
  await call(`/api/lms/search/v2%3Fapi_key=${TEST_KEY}`, { key: null });
  await call(`/api/apk.${'0123456789abcdef'.repeat(4)}`);
  // A caller may use the key of the settings anywhere, also where nothing says that it is one.
  await call(`/${TEST_KEY}/x`, { key: null, headers: { 'x-request-id': TEST_KEY } });
  assert.equal(lines.length, 5);
  assert.ok(!JSON.stringify(lines).includes(TEST_KEY));
  assert.ok(!JSON.stringify(lines).includes('0123456789abcdef'));
  assert.ok(JSON.stringify(lines).includes('"key":"configured"'));
});
