import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeShortHmac } from './short-hmac.ts';

/** Secrets of the service itself, which all nodes share. */
export interface SecretStore {
  /**
   * The secret of that name. Where there is none, `fresh` is stored and becomes it, on disk when this resolves; of several
   * callers at once, also on several nodes, one wins and all get the same.
   */
  obtain(name: string, fresh: string): Promise<string>;
}

/** How often the callback secret of each key was rotated. The secrets themselves are stored nowhere. */
export interface RotationStore {
  /** 0 for a key whose secret was never rotated, or that is unknown. */
  count(keyId: string): Promise<number>;
  /** Counts one more and gives the new count, on disk when this resolves. */
  add(keyId: string): Promise<number>;
}

/** The secrets with which messages to the owners of keys are signed: one for each key. */
export interface CallbackSecrets {
  /** The secret of a key, which need not be stored. */
  find(keyId: string): Promise<string>;
  /** Ends the secret of a key and gives its new one. */
  rotate(keyId: string): Promise<string>;
}

interface CallbackSecretsDeps {
  readonly secrets: SecretStore;
  readonly rotations: RotationStore;
}

/**
 * Builds them. A secret is derived from one of the service, the id of the key and the number of rotations: so it needs no
 * row of its own, is the same on all nodes, and says nothing about the key, whose hash is all that is stored.
 */
export function makeCallbackSecrets({ secrets, rotations }: CallbackSecretsDeps): CallbackSecrets {
  async function derive(keyId: string, rotation: number): Promise<string> {
    const master = await secrets.obtain('callbacks', randomBytes(32).toString('hex'));
    const digest = createHmac('sha256', master)
      .update(JSON.stringify(['callback', keyId, rotation]))
      .digest('hex');
    return `cbs.${digest}`;
  }
  return {
    find: async (keyId) => derive(keyId, await rotations.count(keyId)),
    rotate: async (keyId) => derive(keyId, await rotations.add(keyId)),
  };
}

/** Signs addresses that work without a key, and checks them. */
export interface LinkSigner {
  /** The signature of what an address leads to, part by part: no part can take characters of its neighbour. */
  sign(parts: readonly string[]): string;
  isValid(parts: readonly string[], signature: string): boolean;
}

/** What is signed; each has a secret of its own, so that one can be replaced without the others. */
type LinkKind =
  | 'result-links'
  | 'thumbnail-links'
  | 'recipe-links'
  | 'file-links'
  | 'tile-links'
  | 'sign-ins'
  | 'shared-tiles';

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
  const signText = makeShortHmac(secret);
  const sign = (parts: readonly string[]): string => signText(JSON.stringify(parts));
  return { sign, isValid: (parts, signature) => isEqual(signature, sign(parts)) };
}

/** In a time that tells nothing about how much of a guess is right; hashes have the same length. */
const isEqual = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right));
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
