import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelled, sourceBroken } from '../errors.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import type { GuardedFetch, GuardedResponse } from './guarded-fetch.ts';
import { makePoliteFetch, makeServiceCounts } from './polite-fetch.ts';
import { makeFakeClock } from './testing/fake-clock.ts';

const answer = (status: number, headers: Record<string, string> = {}): GuardedResponse => ({
  status,
  header: (name) => headers[name] ?? null,
  body: new Uint8Array(0),
});
const ask = (fetch: GuardedFetch, signal?: AbortSignal) =>
  fetch({ url: 'https://catalog.example/', limitBody: () => 0, signal });
const LIMITS = { requestsPerMinute: 60, concurrency: 2 };

test('the long-term rate is the configured one, and a burst takes a sixth of a minute', async () => {
  const clock = makeFakeClock();
  const times: number[] = [];
  const fetch = makePoliteFetch(
    async () => {
      times.push(clock.nowMs());
      return answer(200);
    },
    { ...LIMITS, clock },
  );
  for (let i = 0; i < 130; i += 1) await ask(fetch);
  assert.equal(times.filter((ms) => ms === 0).length, 10);
  assert.equal(times.at(-1), 120_000);
  for (const from of times) assert.ok(times.filter((ms) => ms >= from && ms < from + 60_000).length <= 70);
});

test('a service with less than one request per ten seconds is called at its rate', async () => {
  const clock = makeFakeClock();
  const fetch = makePoliteFetch(async () => answer(200), { requestsPerMinute: 2, concurrency: 1, clock });
  for (let i = 0; i < 3; i += 1) await ask(fetch);
  assert.deepEqual(clock.sleeps, [30_000, 30_000]);
});

test('no more requests than allowed are in flight, and a caller that disconnects gives up its place', async () => {
  const clock = makeFakeClock();
  const inFlight: ((answer: GuardedResponse) => void)[] = [];
  const fetch = makePoliteFetch(() => new Promise((resolve) => inFlight.push(resolve)), { ...LIMITS, clock });
  const leaving = new AbortController();
  const first = [ask(fetch), ask(fetch)];
  const left = assert.rejects(ask(fetch, leaving.signal), { tag: 'cancelled', code: 'left' });
  const last = ask(fetch);
  await letTurnsPass();
  assert.equal(inFlight.length, 2);
  leaving.abort(cancelled('left', 'The caller left.'));
  await left;
  for (const resolve of inFlight.splice(0)) resolve(answer(200));
  await Promise.all(first);
  await letTurnsPass();
  assert.equal(inFlight.length, 1);
  inFlight[0]?.(answer(200));
  assert.equal((await last).status, 200);
});

test('the queue is bounded', async () => {
  const clock = makeFakeClock();
  const fetch = makePoliteFetch(() => new Promise(() => {}), { ...LIMITS, concurrency: 1, clock });
  const leaving = new AbortController();
  void ask(fetch);
  await letTurnsPass();
  const waiting = Array.from({ length: 50 }, () => ask(fetch, leaving.signal).catch(() => 'left'));
  await letTurnsPass();
  await assert.rejects(ask(fetch), { tag: 'too-busy', code: 'too-many-waiting' });
  leaving.abort();
  assert.ok((await Promise.all(waiting)).every((end) => end === 'left'));
});

test('a refusal pauses all requests for as long as the service asks', async () => {
  for (const status of [429, 503]) {
    const clock = makeFakeClock();
    const counts = makeServiceCounts();
    const answers = [answer(status, { 'retry-after': '7' }), answer(200)];
    const fetch = makePoliteFetch(async () => answers.shift() as GuardedResponse, {
      ...LIMITS,
      clock,
      counts,
    });
    assert.equal((await ask(fetch)).status, status, 'the caller decides about a retry');
    assert.equal((await ask(fetch)).status, 200);
    assert.deepEqual(clock.sleeps, [7_000]);
    assert.deepEqual(counts, {
      requests: 2,
      errors: { [status]: 1 },
      waitedMs: 7_000,
      cacheHits: 0,
      revalidated: 0,
      within: makeServiceCounts().within.map(({ seconds }) => ({ seconds, requests: 2 })),
      answered: 2,
      answeredMs: 0,
      pausedMs: 7_000,
    });
  }
});

test('a date in Retry-After counts from the wall clock', async () => {
  const clock = makeFakeClock();
  const date = new Date('2026-11-17T12:00:30Z');
  const answers = [answer(429, { 'retry-after': date.toUTCString() }), answer(200)];
  const wallClockMs = () => date.getTime() - 5_000;
  const fetch = makePoliteFetch(async () => answers.shift() as GuardedResponse, {
    ...LIMITS,
    clock,
    wallClockMs,
  });
  await ask(fetch);
  await ask(fetch);
  assert.deepEqual(clock.sleeps, [5_000]);
});

test('without a stated pause the wait doubles, with jitter, and starts again after a success', async () => {
  const clock = makeFakeClock(0.5);
  const statuses = [429, 429, 429, 200, 429, 200];
  const fetch = makePoliteFetch(async () => answer(statuses.shift() ?? 0), { ...LIMITS, clock });
  for (let i = 0; i < 6; i += 1) await ask(fetch);
  assert.deepEqual(clock.sleeps, [500, 1_000, 2_000, 500]);
});

test('a request that would wait too long is refused at once, with the remaining time', async () => {
  const clock = makeFakeClock();
  const fetch = makePoliteFetch(async () => answer(429, { 'retry-after': '3600' }), {
    ...LIMITS,
    clock,
    maxWaitMs: 5_000,
  });
  await ask(fetch);
  // No service is believed for longer than ten minutes.
  await assert.rejects(ask(fetch), { code: 'source-resting', details: { retryAfterS: 600 } });
  assert.deepEqual(clock.sleeps, []);
});

test('requests to a service that does not answer are paused, then one request decides', async () => {
  const clock = makeFakeClock();
  const counts = makeServiceCounts();
  const timeout = cancelled('cancelled', 'The deadline passed.', {
    cause: new DOMException('late', 'TimeoutError'),
  });
  let failure: Error | null = sourceBroken('source-unreachable', 'It cannot be reached.');
  const fetch = makePoliteFetch(
    async () => {
      if (failure !== null) throw failure;
      return answer(200);
    },
    { ...LIMITS, clock, counts },
  );
  for (let i = 0; i < 3; i += 1) await assert.rejects(ask(fetch), { code: 'source-unreachable' });
  failure = timeout;
  for (let i = 0; i < 2; i += 1) await assert.rejects(ask(fetch), { tag: 'cancelled' });
  await assert.rejects(ask(fetch), { code: 'source-resting', details: { retryAfterS: 10 } });
  assert.equal(counts.requests, 5);
  assert.deepEqual(clock.sleeps, []);
  assert.deepEqual(counts.errors, { 'source-unreachable': 3 });
  clock.advance(10_000);
  failure = null;
  assert.equal((await ask(fetch)).status, 200);
  assert.equal((await ask(fetch)).status, 200);
});

test('callers that disconnect do not count as failures of the service', async () => {
  const clock = makeFakeClock();
  const fetch = makePoliteFetch(() => Promise.reject(cancelled('left', 'The caller left.')), {
    ...LIMITS,
    clock,
  });
  for (let i = 0; i < 10; i += 1) await assert.rejects(ask(fetch), { code: 'left' });
});
