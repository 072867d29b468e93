import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from './config.ts';
import { parseAllow, parseRoles, signInSettings } from './sign-in-settings.ts';

test('roles are read from claims, with one for all others', () => {
  const parsed = parseRoles('groups:gis=order, realm_access.roles:a:b=admin,*=ingest');
  assert.deepEqual(parsed, {
    roles: [
      { claim: 'groups', value: 'gis', role: 'order' },
      { claim: 'realm_access.roles', value: 'a:b', role: 'admin' },
    ],
    defaultRole: 'ingest',
  });
  assert.equal(
    signInSettings.oidcRoles.show?.(parsed),
    'groups:gis=order,realm_access.roles:a:b=admin,*=ingest',
  );
  for (const text of ['groups=order', 'groups:gis', 'groups:gis=owner', ':x=read', 'groups:=read', '=read'])
    assert.throws(() => parseRoles(text), /must/, text);
});

test('domains and claims admit people', () => {
  assert.deepEqual(parseAllow('@Example.org,groups:gis'), {
    domains: ['example.org'],
    rules: [{ claim: 'groups', value: 'gis' }],
  });
  for (const text of ['@', '@a/b', 'groups', '']) assert.throws(() => parseAllow(text), /must/, text);
});

test('an issuer without TLS is refused except on this machine, and needs a client', () => {
  const problem = (env: Record<string, string>, message: RegExp) =>
    assert.throws(() => parseConfig(env), { code: 'bad-settings', message });
  problem(
    { SWATH_OIDC_ISSUER: 'http://id.example.org', SWATH_OIDC_CLIENT_ID: 'a' },
    /must be an https address/,
  );
  problem({ SWATH_OIDC_ISSUER: 'https://id.example.org' }, /must be set together/);
  problem({ SWATH_OIDC_CLIENT_SECRET_FILE: '/no/such/file' }, /must name a file/);
  const both = { SWATH_OIDC_ISSUER: 'http://127.0.0.1:4000/', SWATH_OIDC_CLIENT_ID: 'a' };
  assert.equal(parseConfig(both).oidcIssuer, 'http://127.0.0.1:4000/');
});
