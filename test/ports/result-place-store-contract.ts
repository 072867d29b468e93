import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

const HOUR_MS = 3_600_000;

/** What every ResultPlaceStore promises. */
export function resultPlaceStoreContract(name: string, open: OpenStore): void {
  test(`${name} places of results: each process has its last reported one, also after a restart`, async () => {
    const { resultPlaces: places, reopen } = await open();
    assert.deepEqual(await places.list(HOUR_MS), []);
    const first = { node: 'b 1', storeId: 'x', place: '/srv/a' };
    const second = { node: 'a 2', storeId: 'y', place: 's3://mine/результаты' };
    await places.put(first);
    await places.put({ ...second, storeId: 'z' });
    await places.put(second);
    assert.deepEqual(await places.list(HOUR_MS), [second, first]);
    const again = await reopen();
    await again.resultPlaces.remove('a 2');
    await again.resultPlaces.remove('a 3');
    assert.deepEqual(await again.resultPlaces.list(HOUR_MS), [first]);
    await again.close();
  });

  test(`${name} places of results: those of processes without a heartbeat are forgotten`, async () => {
    const { resultPlaces: places, close } = await open();
    await places.put({ node: 'a 1', storeId: 'x', place: '/a' });
    assert.deepEqual(await places.list(-HOUR_MS), []);
    assert.deepEqual(await places.list(HOUR_MS), [], 'for good');
    await close();
  });
}
