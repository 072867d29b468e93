import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured } from '../../src/zonal/index.ts';
import type { OpenStore } from './store-contract.ts';

const measured = (average: number): Measured => ({
  statistics: {
    count: 3,
    min: -0.1,
    max: 0.30000000000000004,
    average,
    std: 0.1,
    variance: 0.01,
    q1: 0,
    median: 0.2,
    q3: 0.25,
    p10: -0.05,
    p90: 0.28,
  },
  areaPx: 4.5,
  validPx: 4,
  cloudPx: 1,
  isTouched: false,
  histogram: [1, 2],
});
const nothing: Measured = {
  ...measured(0),
  statistics: null,
  cloudPx: null,
  histogram: null,
};

/** What every SceneStatisticsStore promises. */
export function sceneStatisticsStoreContract(name: string, open: OpenStore): void {
  test(`${name} statistics: stored statistics are found, the last ones win, others are absent`, async () => {
    const store = await open();
    assert.equal((await store.statistics.findMany(['one', 'other'])).size, 0);
    await store.statistics.putMany([
      ['one', measured(0.1)],
      ['other', nothing],
    ]);
    await store.statistics.putMany([['one', measured(0.2)]]);
    const again = await store.reopen();
    assert.deepEqual(
      await again.statistics.findMany(['absent', 'other', 'one']),
      new Map([
        ['other', nothing],
        ['one', measured(0.2)],
      ]),
    );
    assert.equal((await again.statistics.findMany([])).size, 0);
    await again.close();
  });

  test(`${name} statistics: the same key may be written twice at once, and by two writers`, async () => {
    const store = await open();
    const rows = Array.from({ length: 50 }, (_, i) => [`key ${i}`, measured(i)] as const);
    await Promise.all([
      store.statistics.putMany([...rows, rows[0] as (typeof rows)[number]]),
      store.statistics.putMany(rows.toReversed()),
    ]);
    const found = await store.statistics.findMany(rows.map(([key]) => key));
    assert.deepEqual(new Map(rows), new Map(rows.map(([key]) => [key, found.get(key)])));
    await store.close();
  });
}
