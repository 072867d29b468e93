import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretStore } from '../../keys/index.ts';
import { parseWhole } from '../request/strict-number.ts';

/** What a link leads to. */
export interface LinkedResult {
  readonly id: string;
  /** What a browser calls the file that it stores; it cannot be changed in the link. */
  readonly fileName: string;
}

/** What the query of a link holds. */
interface LinkQuery {
  readonly expires: string;
  readonly signature: string;
}

/** Whether a link is ours and still valid. */
export type LinkState =
  | { readonly state: 'valid'; readonly leftS: number }
  | { readonly state: 'expired' }
  | { readonly state: 'wrong' };

/** Makes links to results that work without a key until they expire, and checks them. */
export interface ResultLinks {
  /** Path and query of a link, to be put behind the address of the service. */
  sign(result: LinkedResult, expiresAtMs: number): string;
  check(result: LinkedResult, query: LinkQuery): LinkState;
}

/** The secret that signs links: made once, then the same on all nodes and after every restart. */
export const obtainLinkSecret = (secrets: SecretStore): Promise<string> =>
  secrets.obtain('result-links', randomBytes(32).toString('hex'));

/** Builds it; times are those of the wall clock, because links outlive processes. */
export function makeResultLinks({
  secret,
  wallClockMs = Date.now,
}: {
  readonly secret: string;
  readonly wallClockMs?: () => number;
}): ResultLinks {
  const toSignature = ({ id, fileName }: LinkedResult, expires: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['result', id, fileName, expires]))
      .digest('base64url');
  return {
    sign(result, expiresAtMs) {
      const expires = String(Math.ceil(expiresAtMs / 1000));
      const signature = toSignature(result, expires);
      const path = [result.id, result.fileName].map(encodeURIComponent).join('/');
      return `/api/results/${path}?expires=${expires}&signature=${signature}`;
    },
    check(result, { expires, signature }) {
      if (!isEqual(signature, toSignature(result, expires))) return { state: 'wrong' };
      const leftS = (parseWhole(expires) ?? 0) - wallClockMs() / 1000;
      return leftS > 0 ? { state: 'valid', leftS } : { state: 'expired' };
    },
  };
}

/** In a time that tells nothing about how much of a guess is right; hashes have the same length. */
const isEqual = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right));
const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');
