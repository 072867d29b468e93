import { createHash, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretStore } from './secret-store.ts';

/** Signs addresses that work without a key, and checks them. */
export interface LinkSigner {
  /** The signature of what an address leads to, part by part: no part can take characters of its neighbour. */
  sign(parts: readonly string[]): string;
  isValid(parts: readonly string[], signature: string): boolean;
}

/** What is signed; each has a secret of its own, so that one can be replaced without the others. */
type LinkKind = 'result-links' | 'thumbnail-links';

/** The secret that signs links: made once, then the same on all nodes and after every restart. */
export const obtainLinkSecret = (secrets: SecretStore, kind: LinkKind): Promise<string> =>
  secrets.obtain(kind, randomBytes(32).toString('hex'));

/**
 * Builds the function that returns the links of a kind. It reads their secret, or creates it, on first use and remembers
 * it; after a failure it tries again.
 */
export function makeReadLinks<Links>(
  secrets: SecretStore,
  kind: LinkKind,
  makeLinks: (secret: string) => Links,
): () => Promise<Links> {
  let links: Promise<Links> | undefined;
  return () => {
    links ??= obtainLinkSecret(secrets, kind).then(makeLinks, (error: unknown) => {
      links = undefined;
      throw error;
    });
    return links;
  };
}

/** Builds it: HMAC-SHA-256 with a secret of the service, which says nothing about any key. */
export function makeLinkSigner(secret: string): LinkSigner {
  const key = createSecretKey(secret, 'utf8');
  const sign = (parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return { sign, isValid: (parts, signature) => isEqual(signature, sign(parts)) };
}

/** In a time that tells nothing about how much of a guess is right; hashes have the same length. */
const isEqual = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right));
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
