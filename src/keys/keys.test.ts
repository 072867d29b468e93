import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord, KeyStore } from './keys.ts';
import { makeKeys } from './keys.ts';

function makeMemoryStore(): KeyStore & { readonly rows: Map<string, KeyRecord> } {
  const rows = new Map<string, KeyRecord>();
  return {
    rows,
    insert: async (record, hash) => void rows.set(hash, record),
    findByHash: async (hash) => rows.get(hash) ?? null,
    findById: async (id) => [...rows.values()].find((row) => row.id === id) ?? null,
    list: async () => [...rows.values()],
    async revoke(id, revokedAt) {
      for (const [hash, row] of rows) {
        if (row.id === id) {
          rows.set(hash, { ...row, revokedAt: row.revokedAt ?? revokedAt });
          return true;
        }
      }
      return false;
    },
  };
}

const at = (iso: string) => () => new Date(iso);

test('a created key is valid, and only its hash is stored', async () => {
  const store = makeMemoryStore();
  const keys = makeKeys({ store, configuredSecret: null, now: at('2026-01-01') });
  const { secret, record } = await keys.create({ label: 'phone' });
  assert.match(secret, /^apk\.[0-9a-f]{64}$/);
  assert.equal((await keys.verify(secret))?.id, record.id);
  assert.ok(!JSON.stringify([...store.rows]).includes(secret.slice(4)), 'the secret must not be stored');
});

test('unknown, revoked and expired keys all verify to null', async () => {
  const store = makeMemoryStore();
  const keys = makeKeys({ store, configuredSecret: null, now: at('2026-01-01') });
  const revoked = await keys.create({ label: 'a' });
  await keys.revoke(revoked.record.id);
  const expiring = await keys.create({ label: 'b', expiresAt: '2026-02-01' });
  assert.ok(await keys.verify(expiring.secret));
  const later = makeKeys({ store, configuredSecret: null, now: at('2026-02-01') });
  for (const secret of [revoked.secret, expiring.secret, 'apk.unknown', '']) {
    assert.equal(await later.verify(secret), null);
  }
  for (const id of [revoked.record.id, expiring.record.id, 'unknown']) {
    assert.equal(await later.isActive(id), false);
  }
  const { record } = await later.create({ label: 'works' });
  assert.equal(await later.isActive(record.id), true);
});

test('the configured key is valid without being stored', async () => {
  const store = makeMemoryStore();
  const keys = makeKeys({ store, configuredSecret: 'from-the-environment', now: at('2026-01-01') });
  assert.equal((await keys.verify('from-the-environment'))?.id, 'configured');
  assert.equal(await keys.isActive('configured'), true);
  const without = makeKeys({ store, configuredSecret: null, now: at('2026-01-01') });
  assert.equal(await without.isActive('configured'), false);
  assert.equal(store.rows.size, 0);
});

test('a label, an expiry in the past and an unknown id are refused with a sentence', async () => {
  const keys = makeKeys({ store: makeMemoryStore(), configuredSecret: null, now: at('2026-01-01') });
  await assert.rejects(keys.create({ label: '' }), { code: 'bad-label' });
  await assert.rejects(keys.create({ label: 'x'.repeat(101) }), { code: 'bad-label' });
  await assert.rejects(keys.create({ label: 'x', expiresAt: '2025-12-31' }), { code: 'bad-expiry' });
  await assert.rejects(keys.create({ label: 'x', expiresAt: 'soon' }), { code: 'bad-expiry' });
  await assert.rejects(keys.revoke('nope'), { tag: 'not-found' });
});
