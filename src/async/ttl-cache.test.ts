import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
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

test('equal look-ups share one load, and a caller that leaves does not end it for the others', async () => {
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
