import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
import type { Heard } from './ttl-cache.ts';
import { makeTtlCache } from './ttl-cache.ts';

/** A cache with a TTL of ten seconds, a minute in an outage, and a store whose answers the test decides. */
function makeKit({ max = 10, absentMs = 0 } = {}) {
  const clock = { nowMs: 0 };
  const store = { loads: 0, value: 'a' as string | null, error: null as Error | null };
  const cache = makeTtlCache<string | null>({
    nowMs: () => clock.nowMs,
    freshMs: 10_000,
    absentMs,
    outageMs: 60_000,
    max,
    sizeOf: (value) => value?.length ?? 0,
  });
  const load = async () => {
    store.loads += 1;
    if (store.error !== null) throw store.error;
    return store.value;
  };
  return { clock, store, cache, load, find: (key = 'k') => cache.find(key, load) };
}

test('a value is served while it is fresh, then loaded again with the expired one at hand', async () => {
  const { clock, store, cache, find } = makeKit();
  assert.equal(await find(), 'a');
  store.value = 'b';
  clock.nowMs = 9_999;
  assert.deepEqual([await find(), store.loads], ['a', 1]);
  clock.nowMs = 10_000;
  let seen: unknown;
  const again = await cache.find('k', async ({ known }) => {
    seen = known;
    return 'c';
  });
  assert.deepEqual([again, seen], ['c', 'a']);
  clock.nowMs = 5_000;
  assert.equal(await find(), 'c', 'a clock set back by less than the TTL');
  clock.nowMs = -10_000;
  assert.equal(await find(), 'b', 'a clock set back by more');
});

test('a caller may want a fresher value than the cache serves', async () => {
  const { clock, store, cache, load } = makeKit();
  await cache.find('k', load, { freshMs: 100 });
  clock.nowMs = 100;
  await cache.find('k', load, { freshMs: 101 });
  assert.equal(store.loads, 1);
  await cache.find('k', load, { freshMs: 100 });
  assert.equal(store.loads, 2);
});

test('null has its own TTL, and a flood of absent keys evicts no value', async () => {
  const { clock, store, find } = makeKit({ absentMs: 500 });
  await find('present');
  store.value = null;
  for (let n = 0; n < 100; n += 1) await find(`absent ${n}`);
  assert.equal(store.loads, 101);
  assert.deepEqual([await find('absent 99'), await find('present'), store.loads], [null, 'a', 101]);
  clock.nowMs = 500;
  assert.deepEqual([await find('absent 99'), store.loads], [null, 102]);
});

test('values are served for longer while the store is unavailable, but not after a bug', async () => {
  const { clock, store, find } = makeKit();
  await find();
  store.value = null;
  await find('absent');
  store.error = unavailable('store-unavailable', 'The store is unavailable.');
  clock.nowMs = 59_999;
  assert.deepEqual([await find(), await find('absent')], ['a', null]);
  await assert.rejects(find('never seen'), { code: 'store-unavailable' });
  clock.nowMs = 60_000;
  await assert.rejects(find(), { code: 'store-unavailable' });
  clock.nowMs = 20_000;
  store.error = new Error('a bug');
  await assert.rejects(find(), /a bug/);
});

test('equal look-ups share one load, and a caller that disconnects does not end it for the others', async () => {
  const { cache } = makeKit();
  const answer = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const load = ({ signal }: { readonly signal: AbortSignal }): Promise<string> => {
    signals.push(signal);
    return answer.promise;
  };
  const leaver = new AbortController();
  const left = cache.find('k', load, { signal: leaver.signal });
  const stays = cache.find('k', load);
  leaver.abort();
  await assert.rejects(left, { code: 'cancelled' });
  await assert.rejects(cache.find('k', load, { signal: leaver.signal }), { code: 'cancelled' });
  answer.resolve('a');
  assert.equal(await stays, 'a');
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  );
});

test('a look-up that began before a write is not cached, and later ones do not join it', async () => {
  for (const write of ['forget', 'forgetAll', 'set'] as const) {
    const { cache, find } = makeKit();
    const old = Promise.withResolvers<string>();
    const before = cache.find('k', () => old.promise);
    if (write === 'set') cache.set('k', 'written');
    else if (write === 'forget') cache.forget('k');
    else cache.forgetAll();
    const after = await find();
    old.resolve('old');
    assert.equal(await before, 'old', 'a look-up before the write may get the earlier state');
    assert.equal(after, write === 'set' ? 'written' : 'a');
    assert.equal(await find(), after, write);
  }
});

test('the cache is bounded by the sizes of its values', async () => {
  const { store, find } = makeKit({ max: 3 });
  for (const key of ['one', 'two', 'three', 'four']) await find(key);
  assert.equal(store.loads, 4);
  await find('two');
  assert.equal(store.loads, 4);
  await find('one');
  assert.equal(store.loads, 5);
});

/** A cache whose changes are reported: a TTL of two seconds without reports, of an hour with them. */
function makeReportedKit() {
  const clock = { nowMs: 0 };
  const reports = { heard: null as Heard | null };
  const store = { loads: 0, isAway: false };
  const cache = makeTtlCache<string>({
    nowMs: () => clock.nowMs,
    freshMs: 2_000,
    reported: { heard: () => reports.heard, maxMs: 3_600_000 },
    outageMs: 60_000,
    max: 10,
  });
  const load = async () => {
    if (store.isAway) throw unavailable('store-unavailable', 'The store is unavailable.');
    store.loads += 1;
    return 'a';
  };
  return { clock, reports, store, cache, find: (key = 'k') => cache.find(key, load) };
}

test('while changes are reported a value is served up to the upper bound', async () => {
  const { clock, reports, store, find } = makeReportedKit();
  reports.heard = { fromMs: 0, untilMs: 0 };
  await find();
  for (const nowMs of [1_999, 600_000, 3_599_999]) {
    clock.nowMs = nowMs;
    reports.heard = { fromMs: 0, untilMs: nowMs - 1_999 };
    await find();
    assert.equal(store.loads, 1, `${nowMs} ms`);
  }
  clock.nowMs = 3_600_000;
  reports.heard = { fromMs: 0, untilMs: 3_600_000 };
  await find();
  assert.equal(store.loads, 2);
});

test('without reports, and for a value from before them, the short TTL applies', async () => {
  const { clock, reports, store, find } = makeReportedKit();
  await find();
  clock.nowMs = 2_000;
  await find();
  assert.equal(store.loads, 2, 'changes were never reported');
  reports.heard = { fromMs: 2_001, untilMs: 4_001 };
  clock.nowMs = 4_001;
  await find();
  assert.equal(store.loads, 3, 'changes are reported since the value was read, but not from then on');
  reports.heard = { fromMs: 2_001, untilMs: 10_000 };
  clock.nowMs = 11_999;
  await find();
  assert.equal(store.loads, 3);
  clock.nowMs = 12_000;
  await find();
  assert.equal(store.loads, 4, 'reports have stopped');
});

test('in an outage the age of a value counts from the last time it was known to be correct', async () => {
  const { clock, reports, store, find } = makeReportedKit();
  reports.heard = { fromMs: 0, untilMs: 0 };
  await find();
  [clock.nowMs, reports.heard] = [500_000, { fromMs: 0, untilMs: 500_000 }];
  await find();
  store.isAway = true;
  clock.nowMs = 559_999;
  assert.equal(await find(), 'a');
  reports.heard = { fromMs: 559_999, untilMs: 559_999 };
  assert.equal(await find(), 'a', 'reports are back before the store');
  clock.nowMs = 560_000;
  await assert.rejects(find(), { code: 'store-unavailable' });
});

test('values that may have changed are forgotten by their content, with all look-ups in flight', async () => {
  const { cache } = makeReportedKit();
  const find = (key: string, value: string) => cache.find(key, async () => value);
  await find('one', 'left');
  await find('two', 'right');
  const old = Promise.withResolvers<string>();
  const before = cache.find('three', () => old.promise);
  cache.forgetWhere((value) => value === 'left');
  old.resolve('old');
  assert.equal(await before, 'old');
  assert.deepEqual(
    [await find('one', 'new'), await find('two', 'new'), await find('three', 'new')],
    ['new', 'right', 'new'],
  );
});
