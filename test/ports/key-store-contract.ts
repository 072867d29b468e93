import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../src/keys/index.ts';
import { ROLES } from '../../src/keys/index.ts';
import type { OpenStore } from './store-contract.ts';

const record = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  label: `key ${id}`,
  role: 'order',
  ratePerMinute: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  parent: null,
  ...more,
});

/** What every KeyStore promises. */
export function keyStoreContract(name: string, open: OpenStore): void {
  test(`${name} keys: a stored key is found complete by its hash, also after a restart`, async () => {
    const store = await open();
    const full = record('a1', { role: 'read', ratePerMinute: 60, expiresAt: '2030-01-01T00:00:00.000Z' });
    await store.keys.insert(full, 'hash-a1');
    await store.keys.insert(record('b2'), 'hash-b2');
    assert.deepEqual(await store.keys.findByHash('hash-a1'), full);
    assert.equal(await store.keys.findByHash('hash-A1'), null);
    const again = await store.reopen();
    assert.deepEqual(await again.keys.findByHash('hash-a1'), full);
    assert.deepEqual(await again.keys.findById('a1'), full);
    assert.equal(await again.keys.findById('hash-a1'), null);
    assert.deepEqual(
      (await again.keys.list()).map(({ id }) => id),
      ['a1', 'b2'],
    );
    await again.close();
  });

  test(`${name} keys: each role reads back unchanged`, async () => {
    const store = await open();
    for (const role of ROLES) await store.keys.insert(record(role, { role }), `hash of ${role}`);
    assert.deepEqual(
      (await store.keys.list()).map(({ id, role }) => [id, role]),
      [...ROLES].sort().map((role) => [role, role]),
    );
    await store.close();
  });

  test(`${name} keys: a second revocation keeps the first time, and unknown ids return false`, async () => {
    const store = await open();
    await store.keys.insert(record('a1'), 'hash-a1');
    assert.equal(await store.keys.revoke('a1', '2026-02-01T00:00:00.000Z'), true);
    assert.equal(await store.keys.revoke('a1', '2026-03-01T00:00:00.000Z'), true);
    assert.equal((await store.keys.findByHash('hash-a1'))?.revokedAt, '2026-02-01T00:00:00.000Z');
    assert.equal((await store.keys.findById('a1'))?.revokedAt, '2026-02-01T00:00:00.000Z');
    assert.equal(await store.keys.revoke('zz', '2026-02-01T00:00:00.000Z'), false);
    await store.close();
  });

  test(`${name} keys: a role can be changed, and a revoked key can work again`, async () => {
    const store = await open();
    await store.keys.insert(record('a1', { parent: 'b2' }), 'hash-a1');
    await store.keys.insert(record('b2'), 'hash-b2');
    await store.keys.revoke('a1', '2026-02-01T00:00:00.000Z');
    assert.equal(await store.keys.change('a1', { role: 'admin' }), true);
    const revoked = record('a1', { parent: 'b2', role: 'admin', revokedAt: '2026-02-01T00:00:00.000Z' });
    assert.deepEqual(await store.keys.findById('a1'), revoked);
    assert.equal(await store.keys.change('a1', { revokedAt: null }), true);
    assert.deepEqual(await store.keys.findByHash('hash-a1'), { ...revoked, revokedAt: null });
    assert.deepEqual(await store.keys.findById('b2'), record('b2'));
    assert.equal(await store.keys.change('zz', { role: 'read' }), false);
    await store.close();
  });

  test(`${name} keys: neither an id nor a hash can be used twice`, async () => {
    const store = await open();
    await store.keys.insert(record('a1'), 'hash-a1');
    await assert.rejects(store.keys.insert(record('a1'), 'hash-other'));
    await assert.rejects(store.keys.insert(record('b2'), 'hash-a1'));
    assert.equal((await store.keys.list()).length, 1);
    await store.close();
  });
}
