import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeWindowCounter } from '../../async/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
  TEST_KEY,
} from '../testing/make-test-app.ts';
import { makeOpenRate, makeWorkBudget } from './guard.ts';

const SEARCH = '/api/lms/search/v2/sentinel2';
const noScenes = { searchHits: async () => ({ found: 0, hits: [] }) };

test('a missing key is 401 and a wrong one 403, both in the common error format', async () => {
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

test('a key may be in the query, the header or both, but two different keys are refused', async () => {
  const { call } = makeTestApp({ scenes: noScenes });
  const ask = (query: string, key: string | null) =>
    call(`${SEARCH}${query}`, { method: 'POST', body: '{"search":{}}', key });
  assert.equal((await ask(`?api_key=${TEST_KEY}`, null)).status, 200);
  assert.equal((await ask(`?api_key=${TEST_KEY}`, TEST_KEY)).status, 200);
  assert.equal((await ask('?api_key=other', TEST_KEY)).status, 400);
  const twice = await ask(`?api_key=${TEST_KEY}&api_key=${TEST_KEY}`, null);
  assert.equal((await readError(twice)).code, 'repeated-parameter');
});

test('after 30 wrong keys a minute an address gets 429, but a valid key is never refused for them', async () => {
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

test('the rate limit of a key is counted and shown in headers, and requests over it are 429', async () => {
  const hash = createHash('sha256').update('limited-key-for-tests').digest('hex');
  const record = {
    id: 'lim',
    label: '',
    role: 'order' as const,
    ratePerMinute: 2,
    createdAt: '',
    expiresAt: null,
    revokedAt: null,
    parent: null,
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

test('the log never contains a key or a query', async () => {
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

const REF = '0'.repeat(32);

function makeWrites(ownRate: number | null = null) {
  let nowMs = 0;
  const [hash, record] = otherRecord;
  const { call } = makeTestApp({
    areas: { create: async () => REF, remove: async () => true, find: async () => null },
    writesPerMinute: 3,
    records: [[hash, { ...record, ratePerMinute: ownRate }]],
    nowMs: () => nowMs,
  });
  return {
    store: (key = TEST_KEY) => call('/api/render/cropper', { method: 'POST', body: '{}', key }),
    remove: (key = TEST_KEY) => call(`/api/render/cropper/${REF}`, { method: 'DELETE', key }),
    read: (key = TEST_KEY) => call(`/api/render/cropper/${REF}`, { key }),
    passMs(ms: number) {
      nowMs += ms;
    },
  };
}

const remaining = ({ headers }: Response) => headers.get('ratelimit-remaining');

test('writes to all routes count together for a key, and are refused over the limit per minute', async () => {
  const { store, remove, read, passMs } = makeWrites();
  assert.equal(remaining(await store()), '2');
  assert.equal(remaining(await remove()), '1');
  passMs(20_000);
  assert.equal(remaining(await store()), '0');
  const refused = await remove();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal(refused.headers.get('ratelimit-limit'), '3');
  assert.equal(refused.headers.get('ratelimit-remaining'), '0');
  assert.equal(refused.headers.get('ratelimit-reset'), '40');
  const { code, error } = await readError(refused);
  assert.equal(code, 'write-rate-limited');
  assert.match(error, /limit of 3 writes per minute/);
  assert.equal((await store(OTHER_KEY)).status, 200, 'another key');
  const reading = await read();
  assert.deepEqual([reading.status, remaining(reading)], [404, null], 'reads are not counted');
  passMs(40_000);
  assert.equal((await store()).status, 200);
});

test('the rate limit of the key applies too, and the headers show whichever limit has less left', async () => {
  const { store, read } = makeWrites(4);
  assert.equal(remaining(await store(OTHER_KEY)), '2');
  await read(OTHER_KEY);
  const write = await store(OTHER_KEY);
  assert.deepEqual([remaining(write), write.headers.get('ratelimit-limit')], ['1', '4']);
  await read(OTHER_KEY);
  assert.equal((await readError(await store(OTHER_KEY))).code, 'rate-limited');
});

test('requests are counted per minute and address, and those of an IPv6 network together', () => {
  let nowMs = 0;
  const rate = makeOpenRate({
    perMinute: 2,
    makeCounter: () => makeWindowCounter({ windowMs: 60_000, nowMs: () => nowMs }),
  });
  assert.deepEqual(rate.count('192.0.2.1'), {
    'ratelimit-limit': '2',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '60',
  });
  rate.count('::ffff:192.0.2.1');
  assert.throws(() => rate.count('192.0.2.1'), { code: 'open-rate-limited', message: /^The limit of 2 / });
  rate.count('192.0.2.2');
  rate.count('2001:db8::1');
  rate.count('2001:db8::2');
  assert.throws(() => rate.count('2001:db8::3'), { code: 'open-rate-limited' });
  nowMs = 60_000;
  rate.count('192.0.2.1');
});

test('a limit of 0 disables the open rate limit', () => {
  const rate = makeOpenRate({ perMinute: 0, makeCounter: assert.fail });
  for (let i = 0; i < 10_000; i += 1) assert.deepEqual(rate.count('192.0.2.1'), {});
});

const key = { id: 'k', role: 'order' } as const;
const reader = { id: 'r', role: 'read' } as const;

function makeBudget(perMinute = 600, readOnlyPerMinute = 60) {
  let now = 0;
  const budget = makeWorkBudget({ perMinute, readOnlyPerMinute, nowMs: () => now });
  return {
    ...budget,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a key may use the budget of a minute at once, and then as much as is refilled', () => {
  const { pay, pass } = makeBudget();
  for (let i = 0; i < 6; i++) pay(key, 100, {});
  assert.throws(() => pay(key, 100, {}), {
    code: 'work-limited',
    details: { retryAfterS: 10, rateLimit: 6 },
  });
  pass(9_999);
  assert.throws(() => pay(key, 100, {}), { details: { retryAfterS: 1, rateLimit: 6 } });
  pass(1);
  pay(key, 100, {});
  assert.throws(() => pay(key, 1, {}), { code: 'work-limited' });
  pass(1e9);
  for (let i = 0; i < 6; i++) pay(key, 100, {});
  assert.throws(() => pay(key, 100, {}), { code: 'work-limited' });
});

test('each key has its own budget, and a read-only key a smaller one', () => {
  const { pay } = makeBudget();
  pay(reader, 60, {});
  assert.throws(() => pay(reader, 10, {}), { code: 'work-limited' });
  pay(key, 600, {});
  pay({ id: 'other', role: 'order' }, 600, {});
});

test('headers count requests of the same cost, unless another limit is tighter', () => {
  const { pay } = makeBudget();
  assert.deepEqual(pay(key, 50, {}), {
    'ratelimit-limit': '12',
    'ratelimit-remaining': '11',
    'ratelimit-reset': '5',
  });
  const tighter = { 'ratelimit-limit': '3', 'ratelimit-remaining': '2', 'ratelimit-reset': '9' };
  assert.equal(pay(key, 50, tighter), tighter);
});

test('free requests and a budget of 0 are not counted; one request is always possible', () => {
  assert.deepEqual(makeBudget().pay(key, 0, {}), {});
  assert.deepEqual(makeBudget(0).pay(key, 1e9, {}), {});
  const { pay } = makeBudget(5);
  pay(key, 100, {});
  assert.throws(() => pay(key, 100, {}), { code: 'work-limited' });
});

test('a search uses the budget, tiles and other keys do not; the refusal says when to retry', async () => {
  let now = 0;
  const { post } = makeTestApp({
    records: [readerRecord],
    nowMs: () => now,
    work: { perMinute: 1_000, readOnlyPerMinute: 10 },
    scenes: { searchHits: async () => ({ found: 0, hits: [] }) },
  });
  const search = (sender: string) =>
    post('/api/lms/search/v2/sentinel2', '{}', { headers: { 'x-api-key': sender }, key: null } as never);
  assert.equal((await search(READER_KEY)).status, 200);
  assert.equal((await search(READER_KEY)).headers.get('ratelimit-remaining'), '0');
  const refused = await search(READER_KEY);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '30');
  assert.match((await readError(refused)).error, /budget of 10 ms of work per minute/);
  assert.equal((await search(TEST_KEY)).status, 200);
  now += 30_000;
  assert.equal((await search(READER_KEY)).status, 200);
});

test('guests can only read, with a rate limit per address; without the setting there are no guests', async () => {
  let nowMs = 0;
  const areas = { create: async () => REF, remove: async () => true, find: async () => null };
  const { call } = makeTestApp({ guestsPerMinute: 3, nowMs: () => nowMs, areas });
  const read = () => call(`/api/render/cropper/${REF}`, { key: null });
  assert.equal((await read()).status, 404, 'as a key is answered');
  for (const [method, path] of [
    ['POST', '/api/render/cropper'],
    ['DELETE', `/api/render/cropper/${REF}`],
  ] as const) {
    const refused = await call(path, { method, key: null, ...(method === 'POST' ? { body: '{}' } : {}) });
    assert.deepEqual([refused.status, (await readError(refused)).code], [403, 'role-needed'], method);
  }
  const past = await read();
  assert.deepEqual([past.status, (await readError(past)).code], [429, 'guest-rate-limited']);
  assert.equal(past.headers.get('retry-after'), '60');
  assert.equal((await call(`/api/render/cropper/${REF}`, {})).status, 404, 'a key is not limited by guests');
  nowMs = 60_000;
  assert.equal((await read()).status, 404);
  // A wrong key does not become a guest, and nobody is the guest by its name.
  for (const key of ['wrong', 'guest']) {
    assert.equal((await readError(await call(`/api/render/cropper/${REF}`, { key }))).code, 'bad-key');
  }

  const { call: callClosed } = makeTestApp({ areas });
  const refused = await callClosed(`/api/render/cropper/${REF}`, { key: null });
  assert.deepEqual([refused.status, (await readError(refused)).code], [401, 'no-key']);
});
