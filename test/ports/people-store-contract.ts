import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersonRecord, SessionRecord } from '../../src/sign-in/index.ts';
import type { OpenStore } from './store-contract.ts';

const person = (keyId: string, more: Partial<PersonRecord> = {}): PersonRecord => ({
  keyId,
  issuer: 'https://id.example.org',
  subject: `subject of ${keyId}`,
  email: `${keyId}@example.org`,
  name: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  seenAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

const session = (tokenHash: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  tokenHash,
  keyId: 'a1',
  stateHash: `state of ${tokenHash}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  ...more,
});

/** What every PersonStore and SessionStore promises. */
export function peopleStoreContract(name: string, open: OpenStore): void {
  test(`${name} people: a person is found by the exact issuer and subject, also after a restart`, async () => {
    const store = await open();
    assert.equal(await store.people.insert(person('a1')), true);
    assert.equal(await store.people.insert(person('b2', { name: 'Éve 🌍', email: null })), true);
    assert.equal(await store.people.find('https://id.example.org', 'Subject of a1'), null);
    assert.equal(await store.people.find('https://other.example.org', 'subject of a1'), null);
    assert.equal(await store.people.find('https://id.example.org', 'subject of a1\0'), null);
    const again = await store.reopen();
    assert.deepEqual(await again.people.find('https://id.example.org', 'subject of a1'), person('a1'));
    assert.deepEqual(await again.people.findByKey('b2'), person('b2', { name: 'Éve 🌍', email: null }));
    assert.equal(await again.people.findByKey('zz'), null);
    assert.deepEqual(
      (await again.people.list()).map(({ keyId }) => keyId),
      ['a1', 'b2'],
    );
    await again.close();
  });

  test(`${name} people: of several concurrent first sign-ins of a person, one is stored`, async () => {
    const store = await open();
    const inserted = await Promise.all(
      ['a1', 'b2', 'c3'].map((keyId) => store.people.insert(person(keyId, { subject: 'same' }))),
    );
    assert.equal(inserted.filter(Boolean).length, 1);
    assert.equal((await store.people.list()).length, 1);
    await store.close();
  });

  test(`${name} people: a later sign-in changes address, name and time`, async () => {
    const store = await open();
    await store.people.insert(person('a1'));
    const changes = {
      keyId: 'a1',
      email: 'new@example.org',
      name: 'Ann',
      seenAt: '2026-02-01T00:00:00.000Z',
    };
    await store.people.update(changes);
    assert.deepEqual(await store.people.findByKey('a1'), person('a1', changes));
    await store.close();
  });

  test(`${name} sessions: each sign-in has one, found until it is removed`, async () => {
    const store = await open();
    assert.equal(await store.sessions.insert(session('one')), true);
    assert.equal(await store.sessions.insert(session('two')), true);
    assert.equal(await store.sessions.insert(session('replayed', { stateHash: 'state of one' })), false);
    assert.equal(await store.sessions.find('replayed'), null);
    const again = await store.reopen();
    assert.deepEqual(await again.sessions.find('one'), session('one'));
    await again.sessions.remove('one');
    assert.equal(await again.sessions.find('one'), null);
    assert.deepEqual(await again.sessions.find('two'), session('two'));
    await again.sessions.insert(session('other', { keyId: 'b2' }));
    await again.sessions.removeAll('a1');
    assert.equal(await again.sessions.find('two'), null);
    assert.notEqual(await again.sessions.find('other'), null);
    await again.close();
  });

  test(`${name} sessions: a new one removes expired ones`, async () => {
    const store = await open();
    await store.sessions.insert(session('old'));
    await store.sessions.insert(session('new', { createdAt: '2026-01-02T00:00:00.000Z' }));
    assert.equal(await store.sessions.find('old'), null);
    assert.notEqual(await store.sessions.find('new'), null);
    await store.close();
  });
}
