import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord, KeyStore } from './keys.ts';
import { includesRole, makeKeys, ROLES } from './keys.ts';

function makeMemoryStore(): KeyStore & { readonly rows: Map<string, KeyRecord> } {
  const rows = new Map<string, KeyRecord>();
  return {
    rows,
    insert: async (record, hash) => void rows.set(hash, record),
    findByHash: async (hash) => rows.get(hash) ?? null,
    findById: async (id) => [...rows.values()].find((row) => row.id === id) ?? null,
    list: async () => [...rows.values()],
    async change(id, changes) {
      for (const [hash, row] of rows) if (row.id === id) rows.set(hash, { ...row, ...changes });
      return [...rows.values()].some((row) => row.id === id);
    },
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

test('an invalid label, an expiry in the past and an unknown id are refused with an explanation', async () => {
  const keys = makeKeys({ store: makeMemoryStore(), configuredSecret: null, now: at('2026-01-01') });
  await assert.rejects(keys.create({ label: '' }), { code: 'bad-label' });
  await assert.rejects(keys.create({ label: 'x'.repeat(101) }), { code: 'bad-label' });
  await assert.rejects(keys.create({ label: 'x', expiresAt: '2025-12-31' }), { code: 'bad-expiry' });
  await assert.rejects(keys.create({ label: 'x', expiresAt: 'soon' }), { code: 'bad-expiry' });
  await assert.rejects(keys.revoke('nope'), { tag: 'not-found' });
});

test('a key created by a person has at most their rights, and ends with their key', async () => {
  const store = makeMemoryStore();
  const keys = makeKeys({ store, configuredSecret: null, now: at('2026-01-01') });
  const { record: person } = await keys.create({ label: 'person', role: 'admin' });
  const made = await keys.create({ label: 'made', role: 'ingest', parent: person.id });
  const roleOf = async () => (await keys.verify(made.secret))?.role ?? null;
  assert.equal(await roleOf(), 'ingest');
  await keys.change(person.id, { role: 'read' });
  assert.equal(await roleOf(), 'read');
  assert.equal((await keys.findActive(made.record.id))?.role, 'read');
  await keys.revoke(person.id);
  assert.equal(await roleOf(), null);
  assert.equal(await keys.isActive(made.record.id), false);
  await keys.change(person.id, { revokedAt: null });
  assert.equal(await roleOf(), 'read');
  const orphan = await keys.create({ label: 'orphan', parent: 'gone' });
  assert.equal(await keys.verify(orphan.secret), null);
  await assert.rejects(keys.change('zz', { role: 'read' }), { code: 'unknown-key' });
});

test('each role includes itself and those before it', () => {
  const included = ROLES.map((role) => ROLES.filter((needed) => includesRole(role, needed)));
  assert.deepEqual(included, [
    ['read'],
    ['read', 'order'],
    ['read', 'order', 'ingest'],
    ['read', 'order', 'ingest', 'admin'],
  ]);
});
