import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '../../src/keys/index.ts';
import type { OpenStore } from './store-contract.ts';

const row = (keyId: string, day: string, more: Partial<UsageRow> = {}): UsageRow => ({
  keyId,
  day,
  requests: 1,
  tiles: 2,
  bytes: 3,
  tasks: 4,
  threadMs: 5,
  ...more,
});

const ALL = { keyIds: null, from: '2026-01-01', to: '2026-12-31', limit: 10_000 };

/** What every UsageStore promises. */
export function usageStoreContract(name: string, open: OpenStore): void {
  test(`${name} usage: counts are summed by key and day, and the new sums are returned`, async () => {
    const store = await open();
    assert.deepEqual(await store.usage.add([row('b', '2026-06-01'), row('a', '2026-06-01')]), [
      row('a', '2026-06-01'),
      row('b', '2026-06-01'),
    ]);
    const large = { bytes: 2 ** 50, requests: 10, tiles: 0, tasks: 0, threadMs: 2.6 };
    const [sum] = await store.usage.add([row('a', '2026-06-01', large)]);
    const expected = row('a', '2026-06-01', {
      requests: 11,
      tiles: 2,
      bytes: 2 ** 50 + 3,
      tasks: 4,
      threadMs: 8,
    });
    assert.deepEqual(sum, expected);
    const again = await store.reopen();
    assert.deepEqual(await again.usage.list(ALL), [expected, row('b', '2026-06-01')]);
    await again.close();
  });

  test(`${name} usage: lists are sorted by day and key, letter by letter, and bounded`, async () => {
    const store = await open();
    const days = ['2026-06-02', '2026-06-01'];
    await store.usage.add(days.flatMap((day) => ['b', 'B', 'a'].map((key) => row(key, day))));
    const list = async (query: Partial<typeof ALL | { keyIds: readonly string[] }>) =>
      (await store.usage.list({ ...ALL, ...query })).map(({ day, keyId }) => `${day.slice(8)} ${keyId}`);
    assert.deepEqual(await list({}), ['01 B', '01 a', '01 b', '02 B', '02 a', '02 b']);
    assert.deepEqual(await list({ from: '2026-06-02' }), ['02 B', '02 a', '02 b']);
    assert.deepEqual(await list({ to: '2026-06-01', limit: 2 }), ['01 B', '01 a']);
    assert.deepEqual(await list({ keyIds: ['a', '\0'] }), ['01 a', '02 a']);
    assert.deepEqual(await list({ keyIds: ['b', 'no'] }), ['01 b', '02 b']);
    assert.deepEqual(await list({ keyIds: [] }), []);
    await store.close();
  });

  test(`${name} usage: rows before a day are removed, rows of that day and later stay`, async () => {
    const store = await open();
    const days = ['2025-12-31', '2026-01-01', '2026-01-02'];
    await store.usage.add(days.flatMap((day) => ['a', 'b'].map((key) => row(key, day))));
    await store.usage.prune('2026-01-01');
    const kept = await store.usage.list({ ...ALL, from: '2025-01-01' });
    assert.deepEqual(
      kept.map(({ day, keyId }) => `${day} ${keyId}`),
      ['2026-01-01 a', '2026-01-01 b', '2026-01-02 a', '2026-01-02 b'],
    );
    await store.close();
  });

  test(`${name} usage: concurrent writers lose no count`, async () => {
    const store = await open();
    const keys = Array.from({ length: 1_100 }, (_, i) => `key ${i}`);
    const rows = keys.map((key) => row(key, '2026-06-01'));
    await Promise.all([rows, rows.toReversed(), rows].map((each) => store.usage.add(each)));
    const stored = await store.usage.list(ALL);
    assert.equal(stored.length, keys.length);
    for (const { requests, tasks } of stored) assert.deepEqual([requests, tasks], [3, 12]);
    await store.close();
  });
}
