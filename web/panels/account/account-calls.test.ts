import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKeys, makeKey, readAccount, readUsage, rolesUpTo } from './account-calls.ts';

/** Calls that are answered with the same body, and what was asked. */
function answering(body: unknown) {
  const asked: unknown[] = [];
  return {
    asked,
    api: {
      async call(...call: unknown[]) {
        asked.push(call);
        return body;
      },
    },
  };
}

const NOW = new Date('2026-11-18T12:00:00Z');

test('a role can give keys of its own role and lower ones', () => {
  assert.deepEqual(rolesUpTo('order'), ['read', 'order']);
});

test('an unknown role counts as the lowest', async () => {
  const { api } = answering({ key: 'a1', label: 'x', role: 'owner', person: { email: 'a@b.c', name: 7 } });
  const account = await readAccount(api);
  assert.deepEqual([account.role, account.person], ['read', { email: 'a@b.c', name: null }]);
  await assert.rejects(readAccount(answering({}).api));
});

test('revoked and expired keys are omitted', async () => {
  const key = { label: 'k', role: 'order', expires_at: null, revoked_at: null };
  const { api } = answering({
    keys: [
      { ...key, id: 'works' },
      { ...key, id: 'revoked', revoked_at: '2026-01-01T00:00:00Z' },
      { ...key, id: 'over', expires_at: '2026-11-18T12:00:00Z' },
    ],
  });
  assert.deepEqual(
    (await listKeys(api, NOW)).map(({ id }) => id),
    ['works'],
  );
});

test('a new key expires after the chosen days', async () => {
  const { api, asked } = answering({ secret: 'apk.1' });
  assert.equal(await makeKey(api, { label: 'app', role: 'read', days: 30 }, NOW), 'apk.1');
  assert.deepEqual(asked, [
    [
      'api/keys',
      { method: 'POST', body: { label: 'app', role: 'read', expires: '2026-12-18T12:00:00.000Z' } },
    ],
  ]);
});

test('usage of several keys is added up by day, newest first', async () => {
  const row = { requests: 1, tiles: 2, bytes: 3, tasks: 4 };
  const { api } = answering({
    usage: [
      { ...row, day: '2026-11-17', key: 'a' },
      { ...row, day: '2026-11-18', key: 'a' },
      { ...row, day: '2026-11-18', key: 'b' },
    ],
  });
  assert.deepEqual(await readUsage(api), [
    { day: '2026-11-18', requests: 2, tiles: 4, bytes: 6, tasks: 8 },
    { day: '2026-11-17', requests: 1, tiles: 2, bytes: 3, tasks: 4 },
  ]);
});
