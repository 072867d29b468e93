import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../errors.ts';
import type { UsageRow, UsageStore } from './usage.ts';
import { makeQuotas, makeUsageCounter, toFirstUsageDay } from './usage.ts';

const NOON = Date.parse('2026-11-18T12:00:00Z');

/** A store in memory that counts its calls and fails while it is away. */
function makeMemoryStore() {
  const rows = new Map<string, UsageRow>();
  const watch = { isAway: false, adds: 0, lists: 0 };
  const refuseAway = (): void => {
    if (watch.isAway) throw unavailable('store-unavailable', 'The store does not answer.');
  };
  const store: UsageStore = {
    async add(added) {
      watch.adds += 1;
      refuseAway();
      return added.map((row) => {
        const id = `${row.day} ${row.keyId}`;
        const before = rows.get(id);
        const sum: UsageRow = {
          ...row,
          requests: row.requests + (before?.requests ?? 0),
          tiles: row.tiles + (before?.tiles ?? 0),
          bytes: row.bytes + (before?.bytes ?? 0),
          tasks: row.tasks + (before?.tasks ?? 0),
          threadMs: row.threadMs + (before?.threadMs ?? 0),
        };
        rows.set(id, sum);
        return sum;
      });
    },
    async prune(before) {
      refuseAway();
      for (const [id, { day }] of rows) if (day < before) rows.delete(id);
    },
    async list({ keyIds, from, to }) {
      watch.lists += 1;
      refuseAway();
      return [...rows.values()].filter(
        ({ keyId, day }) => day >= from && day <= to && (keyIds === null || keyIds.includes(keyId)),
      );
    },
  };
  return { store, watch, rows };
}

const clock = { nowMs: NOON };
const failures: unknown[] = [];
const makeNode = (store: UsageStore) =>
  makeUsageCounter({ store, nowMs: () => clock.nowMs, onFailure: (error) => failures.push(error) });

const ALL = { keyIds: null, from: '2026-01-01', to: '2026-12-31', limit: 100 };

test('requests are added up in memory and stored together, by day', async () => {
  const { store, watch, rows } = makeMemoryStore();
  clock.nowMs = NOON;
  const usage = makeNode(store);
  for (let i = 0; i < 1_000; i += 1) usage.count('a', { requests: 1, tiles: 1, bytes: 10 });
  usage.count('b', { tasks: 1 });
  clock.nowMs += 86_400_000;
  usage.count('a', { requests: 1, threadMs: 2.5 });
  assert.equal(watch.adds, 0);
  await usage.flush();
  await usage.flush();
  assert.equal(watch.adds, 1, 'a flush without counts writes nothing');
  assert.deepEqual([...rows.keys()], ['2026-11-18 a', '2026-11-18 b', '2026-11-19 a']);
  assert.deepEqual(rows.get('2026-11-18 a'), {
    keyId: 'a',
    day: '2026-11-18',
    requests: 1_000,
    tiles: 1_000,
    bytes: 10_000,
    tasks: 0,
    threadMs: 0,
  });
});

test('counts of a failed flush are stored by the next one, once', async () => {
  const { store, watch, rows } = makeMemoryStore();
  clock.nowMs = NOON;
  const usage = makeNode(store);
  usage.count('a', { requests: 3 });
  watch.isAway = true;
  failures.length = 0;
  await usage.flush();
  assert.equal(failures.length, 1);
  usage.count('a', { requests: 4 });
  watch.isAway = false;
  await usage.flush();
  assert.equal(rows.get('2026-11-18 a')?.requests, 7);
});

test('a list includes stored counts and counts since the last flush', async () => {
  const { store } = makeMemoryStore();
  clock.nowMs = NOON;
  const usage = makeNode(store);
  usage.count('b', { requests: 1 });
  await usage.flush();
  usage.count('b', { requests: 1 });
  usage.count('a', { requests: 5 });
  const shown = async (keyIds: readonly string[] | null) =>
    (await usage.list({ ...ALL, keyIds })).map(({ keyId, requests }) => [keyId, requests]);
  assert.deepEqual(await shown(null), [
    ['a', 5],
    ['b', 2],
  ]);
  assert.deepEqual(await shown(['a']), [['a', 5]]);
  assert.deepEqual(await usage.list({ ...ALL, to: '2026-11-17' }), []);
});

test("two nodes see each other's counts after a flush, and a warm key sends no query to the store", async () => {
  const { store, watch } = makeMemoryStore();
  clock.nowMs = NOON;
  const [one, two] = [makeNode(store), makeNode(store)];
  one.count('a', { requests: 10 });
  two.count('a', { requests: 5 });
  assert.equal((await one.readToday('a')).requests, 10);
  await one.flush();
  await two.flush();
  assert.equal((await two.readToday('a')).requests, 15);
  const { lists } = watch;
  for (let i = 0; i < 100; i += 1) await two.readToday('a');
  assert.equal(watch.lists, lists);
  assert.equal((await one.readToday('a')).requests, 10, 'nothing was counted here since');
  one.count('a', { requests: 1 });
  await one.flush();
  assert.equal((await one.readToday('a')).requests, 16);
});

test('a quota follows the role, and starts again each day', async () => {
  const { store, watch } = makeMemoryStore();
  clock.nowMs = NOON;
  const usage = makeNode(store);
  const record = {
    label: 'x',
    ratePerMinute: null,
    createdAt: '',
    expiresAt: null,
    revokedAt: null,
    parent: null,
  };
  const quotas = makeQuotas({
    quotas: { requests: { read: 3 }, tasks: { order: 0 } },
    usage,
    findKey: async (id) => (id === 'o' ? { ...record, id, role: 'order' } : null),
    nowMs: () => clock.nowMs,
  });
  const reader = { id: 'r', role: 'read' } as const;
  for (let i = 0; i < 3; i += 1) {
    await quotas.admit(reader, 'requests');
    usage.count('r', { requests: 1 });
  }
  await assert.rejects(quotas.admit(reader, 'requests'), {
    code: 'daily-quota',
    message:
      'This key has used its 3 requests of today, the quota of the role "read"; the next day begins at 2026-11-19T00:00:00Z.',
    details: { retryAfterS: 43_200, rateLimit: 3 },
  });
  await quotas.admit({ id: 'o', role: 'order' }, 'requests');
  await quotas.admit(reader, 'tasks');
  await assert.rejects(quotas.admitTask('o'), { code: 'daily-quota' });
  await quotas.admitTask('pyramids');
  clock.nowMs += 43_200_000;
  await quotas.admit(reader, 'requests');
  watch.isAway = true;
  await quotas.admit({ id: 'unknown', role: 'read' }, 'requests');
});

test('usage is kept for 24 months and the current one', async () => {
  assert.equal(toFirstUsageDay(NOON), '2024-11-01');
  assert.equal(toFirstUsageDay(Date.parse('2026-01-31T23:59:59Z')), '2024-01-01');
  const { store, watch, rows } = makeMemoryStore();
  const failures: unknown[] = [];
  const usage = makeUsageCounter({ store, nowMs: () => NOON, onFailure: (error) => failures.push(error) });
  const row = { keyId: 'a', requests: 1, tiles: 0, bytes: 0, tasks: 0, threadMs: 0 };
  await store.add(['2024-10-31', '2024-11-01', '2026-11-18'].map((day) => ({ ...row, day })));
  watch.isAway = true;
  await usage.prune();
  assert.deepEqual([rows.size, failures.length], [3, 1], 'a store that is away is tried again later');
  watch.isAway = false;
  await usage.prune();
  assert.deepEqual(
    [...rows.values()].map(({ day }) => day),
    ['2024-11-01', '2026-11-18'],
  );
});
