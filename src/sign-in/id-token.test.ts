import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Jwk } from './id-token.ts';
import { checkIdToken, parseIdToken } from './id-token.ts';
import { makeFakeProvider } from './testing/fake-provider.ts';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');
const NOW_S = NOW_MS / 1000;
const provider = makeFakeProvider({ nowMs: () => NOW_MS });
const keys: readonly Jwk[] = provider.readKeys();
const expected = { issuer: 'https://id.example.org', clientId: 'swath', nonce: 'n-1', nowMs: NOW_MS };
const claims = {
  iss: expected.issuer,
  aud: 'swath',
  exp: NOW_S + 300,
  iat: NOW_S,
  nonce: 'n-1',
  sub: 'one',
};

const check = (token: string, from: readonly Jwk[] = keys) =>
  checkIdToken(parseIdToken(token), from, expected);
const refuses = (token: string, why: RegExp, from: readonly Jwk[] = keys) =>
  assert.throws(() => check(token, from), { code: 'bad-id-token', message: why });

test('tokens of RSA, elliptic curves and Edwards curves are accepted', () => {
  for (const signing of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    provider.behaviour.signing = signing;
    assert.equal(check(provider.signToken(claims)).sub, 'one', signing);
  }
});

test('a token without a signature, or signed with the public key as a secret, is refused', () => {
  provider.behaviour.signing = 'none';
  const unsigned = provider.signToken(claims);
  refuses(unsigned, /three parts|algorithm/);
  refuses(`${unsigned}AAAA`, /algorithm/);
  provider.behaviour.signing = 'HS256';
  refuses(provider.signToken(claims), /algorithm/);
  provider.behaviour.signing = 'RS256';
});

test('a token whose claims or signature were changed is refused', () => {
  const [header = '', payload = '', signature = ''] = provider.signToken(claims).split('.');
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  refuses(`${header}.${other}.${signature}`, /no key/);
  refuses(`${header}.${payload}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`, /no key/);
  refuses(`${header}.${payload}.`, /three parts/);
  refuses(`${header}.${payload}.${signature}.x`, /three parts/);
  refuses(`${header}.${payload}.${signature}=`, /base64url/);
  refuses('', /three parts/);
  refuses(`${Buffer.from('[]').toString('base64url')}.${payload}.${signature}`, /object/);
});

test('only keys of the provider are accepted: with its id, for signatures, of the right kind and long enough', () => {
  const token = provider.signToken(claims);
  const rsa = keys.filter(({ kid }) => kid === 'RS256');
  assert.equal(check(token, rsa).sub, 'one');
  refuses(token, /no key/, []);
  refuses(
    token,
    /no key/,
    rsa.map((key) => ({ ...key, kid: 'other' })),
  );
  refuses(
    token,
    /no key/,
    rsa.map((key) => ({ ...key, use: 'enc' })),
  );
  refuses(
    token,
    /no key/,
    rsa.map((key) => ({ ...key, alg: 'PS256' })),
  );
  refuses(
    token,
    /no key/,
    rsa.map((key) => ({ ...key, kty: 'oct' })),
  );
  refuses(
    token,
    /no key/,
    rsa.map((key) => ({ ...key, n: '!' })),
  );
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  refuses(token, /no key/, [{ ...stranger, kid: 'RS256' } as Jwk]);
});

test('a token for another issuer, client, time or sign-in is refused', () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ iss: 'https://id.example.org/' }, /another issuer/],
    [{ aud: 'other' }, /another client/],
    [{ aud: undefined }, /another client/],
    [{ aud: ['swath', 'other'] }, /made for another client/],
    [{ azp: 'other' }, /made for another client/],
    [{ exp: NOW_S - 61 }, /expired/],
    [{ exp: '9999999999' }, /expired/],
    [{ iat: NOW_S + 61 }, /future/],
    [{ iat: undefined }, /future/],
    [{ nbf: NOW_S + 61 }, /not valid yet/],
    [{ nonce: 'n-2' }, /another sign-in/],
    [{ nonce: undefined }, /another sign-in/],
    [{ sub: '' }, /no one/],
    [{ sub: 7 }, /no one/],
    [{ sub: 'x'.repeat(256) }, /no one/],
  ];
  for (const [change, why] of cases) refuses(provider.signToken({ ...claims, ...change }), why);
  assert.equal(check(provider.signToken({ ...claims, aud: ['swath', 'x'], azp: 'swath' })).sub, 'one');
  assert.equal(
    check(provider.signToken({ ...claims, exp: NOW_S - 59 })).sub,
    'one',
    'clocks differ a little',
  );
});
