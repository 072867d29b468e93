import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { KeyRecord, UsageQuery } from '../keys/index.ts';
import { makeQuotas } from '../keys/index.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
} from './testing/make-test-app.ts';

const ADMIN_KEY = 'a-key-of-an-administrator';
const admin: readonly [string, KeyRecord] = [
  hash('sha256', ADMIN_KEY, 'hex'),
  { ...readerRecord[1], id: 'ad', label: '=cmd|calc', role: 'admin' },
];

/** A key that the reader has made. */
const made: KeyRecord = { ...readerRecord[1], id: 'm1', label: 'made', parent: 'r1' };

const row = (keyId: string) => ({
  keyId,
  day: '2026-11-18',
  requests: 7,
  tiles: 5,
  bytes: 1_234,
  tasks: 1,
  threadMs: 99.6,
});

function makeUsageApp() {
  const asked: UsageQuery[] = [];
  const counted: [string, object][] = [];
  const app = makeTestApp({
    records: [readerRecord, otherRecord, admin],
    now: () => new Date('2026-11-18T12:00:00Z'),
    countUsage: (keyId, amounts) => counted.push([keyId, amounts]),
    people: {
      usage: {
        async list(query) {
          asked.push(query);
          return (query.keyIds ?? ['ad', 'o1', 'r1']).filter((id) => id !== 'm1').map(row);
        },
      },
      quotas: { find: (role, amount) => (role === 'read' && amount === 'requests' ? 500 : null) },
      keys: {
        list: async () => [readerRecord[1], otherRecord[1], admin[1], made],
        create: () => Promise.reject(new Error('not expected')),
        revoke: () => Promise.reject(new Error('not expected')),
      },
    },
  });
  return { ...app, asked, counted };
}

test('a key reads its own usage of the last 30 days, with its quotas', async () => {
  const { call, asked } = makeUsageApp();
  const answer = await call('/api/usage', { key: READER_KEY });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.deepEqual(await answer.json(), {
    from: '2026-10-20',
    to: '2026-11-18',
    usage: [
      {
        day: '2026-11-18',
        key: 'r1',
        label: 'reader',
        requests: 7,
        tiles: 5,
        bytes: 1_234,
        tasks: 1,
        thread_ms: 100,
      },
    ],
    quotas: { requests_per_day: 500, tasks_per_day: null },
  });
  assert.deepEqual(asked[0]?.keyIds, ['r1', 'm1']);
  assert.equal((await call('/api/usage?key=m1', { key: READER_KEY })).status, 200);
});

test('only administrators can see the usage of other keys', async () => {
  const { call, asked } = makeUsageApp();
  for (const key of [READER_KEY, OTHER_KEY]) {
    const refused = await call('/api/usage?key=ad', { key });
    assert.deepEqual([refused.status, (await readError(refused)).code], [403, 'role-needed']);
  }
  assert.deepEqual(asked, []);
  const all = (await (await call('/api/usage', { key: ADMIN_KEY })).json()) as { usage: { key: string }[] };
  assert.deepEqual(
    all.usage.map(({ key }) => key),
    ['ad', 'o1', 'r1'],
  );
  await call('/api/usage?key=o1', { key: ADMIN_KEY });
  assert.deepEqual(
    asked.map(({ keyIds }) => keyIds),
    [null, ['o1']],
  );
});

test('a table is CSV in which labels cannot become formulas', async () => {
  const { call } = makeUsageApp();
  const answer = await call('/api/usage?format=csv&from=2026-11-01&to=2026-11-18', { key: ADMIN_KEY });
  assert.match(answer.headers.get('content-disposition') ?? '', /usage-2026-11-01-2026-11-18\.csv/);
  const lines = (await answer.text()).split('\r\n');
  assert.equal(lines[0], 'day,key,label,requests,tiles,bytes,tasks,thread_ms');
  assert.equal(lines[1], "2026-11-18,ad,'=cmd|calc,7,5,1234,1,100");
});

test('impossible days are refused', async () => {
  const { call } = makeUsageApp();
  for (const query of ['from=2026-11-19', 'from=2025-01-01', 'from=yesterday', 'to=2026-02-30']) {
    const refused = await call(`/api/usage?${query}`);
    assert.equal(refused.status, 400, query);
  }
});

test('responses are counted for their key, except those without a key and those refused by a limit', async () => {
  const { call, counted } = makeUsageApp();
  const sent = await (await call('/api/usage', { key: READER_KEY })).text();
  await call('/api/usage', { key: 'a-wrong-key-of-no-one' });
  await call('/api/about', { key: null });
  assert.deepEqual(counted, [['r1', { requests: 1, tiles: 0, bytes: sent.length }]]);
});

test('a key over its quota gets 429 with the time until the quota resets', async () => {
  const counted: unknown[] = [];
  const quotas = makeQuotas({
    quotas: { requests: { read: 3 }, tasks: {} },
    usage: { readToday: async () => ({ requests: 3, tiles: 0, bytes: 0, tasks: 0, threadMs: 0 }) },
    findKey: async () => null,
    nowMs: () => Date.parse('2026-11-18T23:59:00Z'),
  });
  const { call } = makeTestApp({
    records: [readerRecord],
    countUsage: (...one) => counted.push(one),
    quotas,
  });
  const refused = await call('/api/usage', { key: READER_KEY });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.equal(refused.headers.get('ratelimit-limit'), '3');
  assert.equal((await readError(refused)).code, 'daily-quota');
  assert.deepEqual(counted, []);
});
