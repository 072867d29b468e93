import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internal, unavailable } from '../../errors.ts';
import type { RatedRequest, RateStore } from '../../keys/index.ts';
import { makeTestApp, OTHER_KEY, otherRecord, readError, TEST_KEY } from '../testing/make-test-app.ts';

const PER_MINUTE = 3;
const STEP_MS = 60_000 / PER_MINUTE;

/** A bucket of tokens for each name, on a clock that a test moves, and the failures that it asks for. */
function makeMemoryRates(nowMs: () => number) {
  const fullAt = new Map<string, number>();
  const asked: RatedRequest[] = [];
  const state: { failure: Error | null } = { failure: null };
  const store: RateStore = {
    async count(request) {
      asked.push(request);
      if (state.failure !== null) throw state.failure;
      const id = `${request.owner} ${request.name}`;
      const next = Math.max(nowMs(), fullAt.get(id) ?? 0) + STEP_MS;
      if (next - nowMs() > 60_000) return { isAllowed: false, waitMs: next - nowMs() - 60_000 };
      fullAt.set(id, next);
      const fullInMs = next - nowMs();
      return { isAllowed: true, remaining: Math.floor((60_000 - fullInMs) / STEP_MS), fullInMs };
    },
  };
  return { store, asked, state };
}

function makeService({ perMinute = PER_MINUTE, writesPerMinute = 0 } = {}) {
  let nowMs = 1_000;
  const rates = makeMemoryRates(() => nowMs);
  let waits = 0;
  const [hash, record] = otherRecord;
  const { call, lines } = makeTestApp({
    statistics: { perMinute, store: rates.store },
    writesPerMinute,
    records: [[hash, { ...record, ratePerMinute: 2 }]],
    nowMs: () => nowMs,
    tasks: {
      tasks: {
        wait: async () => {
          waits += 1;
          return { id: 'some-id', state: 'queued', reference: 'r', progress: { done: 0, total: 0 } };
        },
        find: async () => null,
        remove: async () => null,
      } as never,
      callbacks: { find: async () => null } as never,
    },
  });
  return {
    ...rates,
    lines,
    waits: () => waits,
    order: (key = TEST_KEY) => call('/api/gdw/api', { method: 'POST', body: '{"type":"none"}', key }),
    poll: (key = TEST_KEY, method = 'GET') => call('/api/gdw/api/some-id', { method, key }),
    remove: () => call('/api/gdw/api/some-id', { method: 'DELETE' }),
    orderDownload: () => call('/api', { method: 'POST', body: '{"type":"none"}' }),
    pollDownload: () => call('/api/some-id'),
    passMs(ms: number) {
      nowMs += ms;
    },
  };
}

/** The headers of a rate. */
const rateOf = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

test('orders and polls are counted separately; a request over the limit is 429, and works after Retry-After', async () => {
  const service = makeService();
  for (const [ask, status] of [
    [service.order, 400],
    [service.poll, 200],
  ] as const) {
    for (let i = 0; i < PER_MINUTE; i += 1) assert.equal((await ask()).status, status);
    service.passMs(500);
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '20');
    assert.deepEqual(rateOf(refused), ['3', '0', '20']);
    const { code, error } = await readError(refused);
    assert.equal(code, 'statistics-rate-limited');
    assert.match(error, /limit of 3 requests per minute/);
    service.passMs(18_500);
    assert.equal((await ask()).headers.get('retry-after'), '1');
    service.passMs(1_000);
    assert.equal((await ask()).status, status, 'refused ones do not count');
    assert.equal((await ask()).status, 429);
    service.passMs(60_000);
  }
});

test('headers show what is left of the tighter limit', async () => {
  const service = makeService();
  assert.deepEqual(rateOf(await service.poll()), ['3', '2', '20']);
  service.passMs(5_500);
  assert.deepEqual(rateOf(await service.poll()), ['3', '1', '35']);
  // This key has a rate of its own, of two a minute.
  assert.deepEqual(rateOf(await service.poll(OTHER_KEY)), ['2', '1', '60']);
});

test('only the two statistics endpoints are counted, HEAD like GET; DELETE and the download address are not', async () => {
  const service = makeService();
  for (let i = 0; i < 2 * PER_MINUTE; i += 1) {
    assert.equal((await service.remove()).status, 404);
    assert.equal((await service.orderDownload()).status, 400);
    assert.equal((await service.pollDownload()).status, 404);
  }
  assert.equal(service.asked.length, 0);
  for (let i = 0; i < PER_MINUTE; i += 1) assert.equal((await service.poll(TEST_KEY, 'HEAD')).status, 200);
  assert.equal((await service.poll()).status, 429);
  assert.equal((await service.poll('a wrong key')).status, 403);
  assert.equal(service.asked.length, PER_MINUTE + 1, 'a wrong key is not counted');
});

test('a flood is refused without asking the store for each, and without touching the tasks', async () => {
  const service = makeService();
  const answers = await Promise.all(Array.from({ length: 200 }, () => service.poll()));
  assert.equal(answers.filter(({ status }) => status === 200).length, PER_MINUTE);
  assert.equal(answers.filter(({ status }) => status === 429).length, 200 - PER_MINUTE);
  assert.deepEqual([service.asked.length, service.waits()], [PER_MINUTE + 1, PER_MINUTE]);
});

test('keys are counted separately, and requests refused by another limit are not counted', async () => {
  const service = makeService({ writesPerMinute: 1 });
  assert.equal((await service.order()).status, 400);
  assert.equal((await readError(await service.order())).code, 'write-rate-limited');
  assert.equal(service.asked.length, 1);
  for (let i = 0; i < 2; i += 1) assert.equal((await service.poll(OTHER_KEY)).status, 200);
  assert.equal((await readError(await service.poll(OTHER_KEY))).code, 'rate-limited');
  assert.equal(service.asked.length, 3);
  assert.equal((await service.poll()).status, 200, 'another key');
});

test('a limit of 0 disables the statistics rate limit', async () => {
  const service = makeService({ perMinute: 0 });
  for (let i = 0; i < 20; i += 1) assert.equal((await service.poll()).status, 200);
  assert.equal(service.asked.length, 0);
});

test('while the store cannot count, requests pass with one log line; an internal error is not ignored', async () => {
  const service = makeService();
  const warnings = () => service.lines.filter((line) => /are not counted/.test(JSON.stringify(line))).length;
  service.state.failure = unavailable('store-full', 'The disk is full.');
  for (let i = 0; i < 2 * PER_MINUTE; i += 1) assert.equal((await service.poll()).status, 200);
  assert.equal(warnings(), 1);
  service.state.failure = null;
  for (let i = 0; i < PER_MINUTE; i += 1) assert.equal((await service.poll()).status, 200);
  assert.equal((await service.poll()).status, 429);
  service.passMs(60_000);
  service.state.failure = unavailable('store-unavailable', 'It is away.');
  assert.equal((await service.poll()).status, 200);
  assert.equal(warnings(), 2, 'another outage');
  service.state.failure = internal('store-corrupt', 'The database is damaged.');
  assert.equal((await service.poll()).status, 503);
});
