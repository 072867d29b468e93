import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Admission } from './claims.ts';
import { findClaimedRole, findVerifiedEmail, isAdmitted } from './claims.ts';

const admission = (more: Partial<Admission> = {}): Admission => ({
  domains: [],
  rules: [],
  roles: [],
  defaultRole: 'read',
  admin: null,
  ...more,
});

test('an address counts only if the provider has verified it', () => {
  assert.equal(findVerifiedEmail({ email: 'A@Example.org', email_verified: true }), 'a@example.org');
  assert.equal(findVerifiedEmail({ email: 'a@example.org' }), null);
  assert.equal(findVerifiedEmail({ email: 'a@example.org', email_verified: false }), null);
  assert.equal(findVerifiedEmail({ email: ['a@example.org'], email_verified: true }), null);
});

test('people are admitted by the domain after the last @, or by a claim', () => {
  const rules = admission({ domains: ['example.org'], rules: [{ claim: 'groups', value: 'gis' }] });
  const verified = (email: string) => ({ email, email_verified: true });
  assert.equal(isAdmitted(verified('a@example.org'), rules), true);
  for (const email of [
    'a@example.org.evil.com',
    'a@evilexample.org',
    'a@example.org@evil.com',
    'example.org',
  ])
    assert.equal(isAdmitted(verified(email), rules), false, email);
  assert.equal(isAdmitted({ email: 'a@example.org' }, rules), false);
  assert.equal(isAdmitted({ groups: ['x', 'gis'] }, rules), true);
  assert.equal(isAdmitted({ groups: 'gis' }, rules), true);
  assert.equal(isAdmitted({ groups: 'gisx' }, rules), false);
  assert.equal(isAdmitted({}, admission()), true);
});

test('the highest role of all matching claims counts, also in objects and under names with dots', () => {
  const rules = admission({
    defaultRole: 'read',
    roles: [
      { claim: 'groups', value: 'gis', role: 'order' },
      { claim: 'realm_access.roles', value: 'boss', role: 'admin' },
      { claim: 'https://example.org/roles', value: 'curator', role: 'ingest' },
    ],
  });
  assert.equal(findClaimedRole({}, rules), 'read');
  assert.equal(findClaimedRole({ groups: ['gis'] }, rules), 'order');
  assert.equal(findClaimedRole({ groups: ['gis'], realm_access: { roles: ['boss'] } }, rules), 'admin');
  assert.equal(findClaimedRole({ 'https://example.org/roles': ['curator'] }, rules), 'ingest');
  assert.equal(findClaimedRole({ groups: ['gis'] }, admission()), null);
});
