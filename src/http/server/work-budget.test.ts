import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp, READER_KEY, readError, readerRecord, TEST_KEY } from '../testing/make-test-app.ts';
import { makeWorkBudget } from './work-budget.ts';

const key = { id: 'k', scope: 'full' } as const;
const reader = { id: 'r', scope: 'read' } as const;

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

test('a key may use the work of a minute at once, and then as much as comes back', () => {
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

test('keys have budgets of their own, and those that may only read a smaller one', () => {
  const { pay } = makeBudget();
  pay(reader, 60, {});
  assert.throws(() => pay(reader, 10, {}), { code: 'work-limited' });
  pay(key, 600, {});
  pay({ id: 'other', scope: 'full' }, 600, {});
});

test('headers count requests of the same cost, unless another rate is tighter', () => {
  const { pay } = makeBudget();
  assert.deepEqual(pay(key, 50, {}), {
    'ratelimit-limit': '12',
    'ratelimit-remaining': '11',
    'ratelimit-reset': '5',
  });
  const tighter = { 'ratelimit-limit': '3', 'ratelimit-remaining': '2', 'ratelimit-reset': '9' };
  assert.equal(pay(key, 50, tighter), tighter);
});

test('what costs nothing, and a budget of 0, are not counted; one request is always possible', () => {
  assert.deepEqual(makeBudget().pay(key, 0, {}), {});
  assert.deepEqual(makeBudget(0).pay(key, 1e9, {}), {});
  const { pay } = makeBudget(5);
  pay(key, 100, {});
  assert.throws(() => pay(key, 100, {}), { code: 'work-limited' });
});

test('a search pays, tiles and other keys do not; the refusal says when to come back', async () => {
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
