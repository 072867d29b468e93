import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RatedRequest, RateStore } from '../../src/keys/index.ts';
import type { OpenStore } from './store-contract.ts';

const request = (more: Partial<RatedRequest> = {}): RatedRequest => ({
  owner: 'key',
  name: 'polls',
  perMinute: 10,
  ...more,
});

/** Counts until one is refused: how many were allowed, and how long to wait then. */
async function exhaust(rates: RateStore, rated: RatedRequest) {
  for (let allowed = 0; ; allowed += 1) {
    const counted = await rates.count(rated);
    if (!counted.isAllowed) return { allowed, waitMs: counted.waitMs };
  }
}

/** What every RateStore promises. */
export function rateStoreContract(name: string, open: OpenStore): void {
  test(`${name} rates: the limit per minute passes at once, then one waits for the next, also after a restart`, async () => {
    const store = await open();
    const startedMs = performance.now();
    // Nine a minute: a rate that does not divide the minute evenly allows nine all the same.
    for (const perMinute of [9, 7]) {
      const rated = request({ name: `${perMinute}`, perMinute });
      for (let left = perMinute - 1; left >= 0; left -= 1) {
        const counted = await store.rates.count(rated);
        assert.ok(counted.isAllowed, `${left} left of ${perMinute}`);
        // More only if the machine was so slow that tokens came back.
        if (performance.now() - startedMs < 60_000 / perMinute) assert.equal(counted.remaining, left);
        assert.ok(counted.fullInMs > 0 && counted.fullInMs <= 60_000);
      }
    }
    const again = await store.reopen();
    for (const perMinute of [9, 7]) {
      const { allowed, waitMs } = await exhaust(again.rates, request({ name: `${perMinute}`, perMinute }));
      const passedMs = performance.now() - startedMs;
      assert.ok(allowed <= (passedMs * perMinute) / 60_000, `${allowed} more after ${passedMs} ms`);
      assert.ok(waitMs > 0 && waitMs <= 60_000 / perMinute, `${waitMs} ms`);
    }
    await again.close();
  });

  test(`${name} rates: owners and names are counted separately, letter by letter`, async () => {
    const store = await open();
    const one = { perMinute: 1 };
    assert.ok((await store.rates.count(request(one))).isAllowed);
    assert.ok(!(await store.rates.count(request(one))).isAllowed);
    for (const other of [
      { owner: 'Key' },
      { name: 'Polls' },
      { owner: 'keyp', name: 'olls' },
      { owner: 'é' },
    ])
      assert.ok((await store.rates.count(request({ ...one, ...other }))).isAllowed, JSON.stringify(other));
    await store.close();
  });

  test(`${name} rates: of many concurrent requests no more are allowed than there are tokens`, async () => {
    const store = await open();
    const startedMs = performance.now();
    const counted = await Promise.all(
      Array.from({ length: 60 }, () => store.rates.count(request({ perMinute: 2 }))),
    );
    const allowed = counted.filter(({ isAllowed }) => isAllowed);
    // A third one only if they took half a minute.
    const most = 2 + Math.floor((performance.now() - startedMs) / 30_000);
    assert.ok(allowed.length >= 2 && allowed.length <= most, `${allowed.length} of ${most}`);
    for (const one of counted) assert.ok(one.isAllowed || (one.waitMs > 0 && one.waitMs <= 30_000));
    await store.close();
  });

  test(`${name} rates: after the wait one is allowed, and refused ones have not extended it`, async () => {
    const store = await open();
    // A token comes back every 500 ms, in which a slow machine counts some.
    const rated = request({ perMinute: 120 });
    const { allowed } = await exhaust(store.rates, rated);
    assert.ok(allowed >= 120, `${allowed}`);
    for (let round = 0; round < 3; round += 1) {
      const { waitMs } = await exhaust(store.rates, rated);
      assert.ok(waitMs <= 500, `${waitMs} ms`);
      await sleep(Math.ceil(waitMs) + 1);
      const counted = await store.rates.count(rated);
      assert.ok(counted.isAllowed, 'the wait was true');
    }
    await store.close();
  });

  test(`${name} rates: another limit applies from the next request on`, async () => {
    const store = await open();
    await exhaust(store.rates, request({ perMinute: 2 }));
    // Two of two are as much as a whole minute's.
    const { waitMs } = await exhaust(store.rates, request({ perMinute: 60 }));
    assert.ok(waitMs <= 1_000, `${waitMs} ms`);
    const counted = await store.rates.count(request({ perMinute: 1_000_000 }));
    assert.ok(counted.isAllowed || counted.waitMs <= 1);
    await store.close();
  });
}
