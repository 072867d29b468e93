/** Sign-ins that have begun, sealed so that a browser can hold them and any node can finish them. */

import { hash, randomBytes } from 'node:crypto';
import { isObject } from '../json.ts';
import { makeLinkSigner } from '../keys/index.ts';

/** A sign-in that has begun. */
export interface BegunSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** A path of this service. */
  readonly returnTo: string;
}

/** Seals and opens them. */
export interface SignInSeal {
  /** Begins a sign-in: random values, their seal, and the challenge that the provider gets. */
  begin(where: Pick<BegunSignIn, 'redirectUri' | 'returnTo'>): {
    readonly begun: BegunSignIn;
    readonly sealed: string;
    readonly challenge: string;
  };
  /** Null for what was not sealed here, or too long ago. */
  open(sealed: string): BegunSignIn | null;
}

/** How long a person may take at the provider. */
export const SIGN_IN_S = 900;

const random = (): string => randomBytes(32).toString('base64url');

/** Builds the seal with a secret of the service. */
export function makeSignInSeal(secret: string, nowMs: () => number = Date.now): SignInSeal {
  const signer = makeLinkSigner(secret);
  return {
    begin(where) {
      const begun: BegunSignIn = { state: random(), nonce: random(), verifier: random(), ...where };
      const text = Buffer.from(JSON.stringify({ ...begun, expiresMs: nowMs() + SIGN_IN_S * 1000 })).toString(
        'base64url',
      );
      const challenge = hash('sha256', begun.verifier, 'base64url');
      return { begun, sealed: `${text}.${signer.sign(['sign-in', text])}`, challenge };
    },
    open(sealed) {
      const [text = '', signature = '', ...rest] = sealed.split('.');
      if (rest.length > 0 || !signer.isValid(['sign-in', text], signature)) return null;
      const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
      if (!isObject(value) || typeof value.expiresMs !== 'number' || value.expiresMs <= nowMs()) return null;
      return value as unknown as BegunSignIn;
    },
  };
}

/**
 * A path of this service, with query and fragment; everything else becomes the first page. A browser reads `//host` and
 * `/\host` as another host.
 */
export const toReturnPath = (text: string | undefined): string =>
  text !== undefined && text.length <= 2_000 && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) ? text : '/';
