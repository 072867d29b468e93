/** ID tokens of OpenID Connect: the check of their signature and of what they claim. */

import type { KeyObject, VerifyKeyObjectInput } from 'node:crypto';
import { constants, createPublicKey, verify } from 'node:crypto';
import { isObject } from '../json.ts';
import { sourceBroken } from './errors.ts';

/** A public key of a provider, as JSON (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>;

/** What a token claims, after it was checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** What a token must say. */
export interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** The wall clock. */
  readonly nowMs: number;
}

/** Accepted signature algorithms and how they are checked; all others, such as `none` and shared secrets, are refused. */
interface Algorithm {
  readonly hash: string | null;
  readonly members: Readonly<Record<string, readonly string[] | null>>;
  readonly options: Omit<VerifyKeyObjectInput, 'key'>;
}

const rsa = { kty: ['RSA'], n: null, e: null };
const pkcs1 = (hash: string): Algorithm => ({
  hash,
  members: rsa,
  options: { padding: constants.RSA_PKCS1_PADDING },
});
const pss = (hash: string): Algorithm => ({
  hash,
  members: rsa,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
});
const ecdsa = (hash: string, curve: string): Algorithm => ({
  hash,
  members: { kty: ['EC'], crv: [curve], x: null, y: null },
  options: { dsaEncoding: 'ieee-p1363' },
});

const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ['RS256', pkcs1('sha256')],
  ['RS384', pkcs1('sha384')],
  ['RS512', pkcs1('sha512')],
  ['PS256', pss('sha256')],
  ['PS384', pss('sha384')],
  ['PS512', pss('sha512')],
  ['ES256', ecdsa('sha256', 'P-256')],
  ['ES384', ecdsa('sha384', 'P-384')],
  ['ES512', ecdsa('sha512', 'P-521')],
  ['EdDSA', { hash: null, members: { kty: ['OKP'], crv: ['Ed25519', 'Ed448'], x: null }, options: {} }],
]);

/** How far the clock of a provider may be off. */
const SKEW_S = 60;
/** Shorter RSA keys can be factored. */
const MIN_RSA_BITS = 2_048;
/** Real tokens have a few kilobytes; those with hundreds of groups, some tens. */
const MAX_CHARS = 131_072;

const refuse = (why: string): Error =>
  sourceBroken('bad-id-token', `The sign-in provider sent an ID token that is not valid: ${why}.`);

/** A token whose signature is not checked yet. */
export interface ParsedToken {
  readonly algorithm: Algorithm;
  readonly algorithmName: string;
  readonly keyId: string | null;
  readonly signed: string;
  readonly signature: Buffer;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Reads the parts of a token. */
export function parseIdToken(token: string): ParsedToken {
  const [header, payload, signature, ...rest] = token.length > MAX_CHARS ? [] : token.split('.');
  if (header === undefined || payload === undefined || !signature || rest.length > 0)
    throw refuse('it has not three parts');
  const { alg, kid, crit, ...others } = parsePart(header);
  const algorithm = typeof alg === 'string' ? ALGORITHMS.get(alg) : undefined;
  if (algorithm === undefined || typeof alg !== 'string')
    throw refuse('its algorithm is not one of a public key');
  if (crit !== undefined || others.b64 !== undefined) throw refuse('it needs an extension');
  return {
    algorithm,
    algorithmName: alg,
    keyId: typeof kid === 'string' ? kid : null,
    signed: `${header}.${payload}`,
    signature: decode(signature),
    claims: parsePart(payload),
  };
}

function parsePart(part: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(decode(part).toString('utf8'));
  } catch {
    throw refuse('a part is not JSON');
  }
  if (!isObject(value)) throw refuse('a part is not an object');
  return value;
}

function decode(part: string): Buffer {
  if (!/^[A-Za-z0-9_-]*$/.test(part)) throw refuse('a part is not base64url');
  return Buffer.from(part, 'base64url');
}

/** The keys that may have signed a token. */
export function findKeys(
  { keyId, algorithm, algorithmName }: ParsedToken,
  keys: readonly Jwk[],
): readonly Jwk[] {
  return keys.filter(
    (key) =>
      (keyId === null || key.kid === keyId) &&
      (key.use === undefined || key.use === 'sig') &&
      (key.alg === undefined || key.alg === algorithmName) &&
      Object.entries(algorithm.members).every(([name, values]) => {
        const value = key[name];
        return typeof value === 'string' && (values === null || values.includes(value));
      }),
  );
}

/** Checks the signature with one of the keys, and everything that the token claims; throws `bad-id-token`. */
export function checkIdToken(token: ParsedToken, keys: readonly Jwk[], expected: Expected): Claims {
  const { algorithm, claims, signed, signature } = token;
  const isSigned = findKeys(token, keys).some((jwk) => {
    const key = importKey(jwk, algorithm);
    return (
      key !== null && verify(algorithm.hash, Buffer.from(signed), { key, ...algorithm.options }, signature)
    );
  });
  if (!isSigned) throw refuse('no key of the provider has signed it');
  const { iss, aud, azp, exp, iat, nbf, nonce, sub } = claims;
  const nowS = expected.nowMs / 1000;
  if (iss !== expected.issuer) throw refuse('it is of another issuer');
  const audience = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(expected.clientId)) throw refuse('it is for another client');
  if (azp === undefined ? audience.length > 1 : azp !== expected.clientId)
    throw refuse('it was made for another client');
  if (typeof exp !== 'number' || exp + SKEW_S <= nowS) throw refuse('it has expired');
  if (typeof iat !== 'number' || iat - SKEW_S > nowS) throw refuse('it was made in the future');
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf - SKEW_S > nowS))
    throw refuse('it is not valid yet');
  if (nonce !== expected.nonce) throw refuse('it is of another sign-in');
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw refuse('it names no one');
  return { ...claims, sub };
}

/** Only the public members, so that nothing else in the JSON matters; null for a key that cannot be used. */
function importKey(jwk: Jwk, { members }: Algorithm): KeyObject | null {
  const key = Object.fromEntries(Object.keys(members).map((name) => [name, jwk[name]]));
  try {
    const imported = createPublicKey({ key, format: 'jwk' });
    const bits = imported.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < MIN_RSA_BITS ? null : imported;
  } catch {
    return null;
  }
}
