import { makeLinkSigner } from '../../keys/index.ts';

import { parseWhole } from '../kit/texts.ts';

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

/** Builds it; times are those of the wall clock, because links outlive processes. */
export function makeResultLinks({
  secret,
  wallClockMs = Date.now,
}: {
  readonly secret: string;
  readonly wallClockMs?: () => number;
}): ResultLinks {
  const signer = makeLinkSigner(secret);
  const toParts = ({ id, fileName }: LinkedResult, expires: string) => ['result', id, fileName, expires];
  return {
    sign(result, expiresAtMs) {
      const expires = String(Math.ceil(expiresAtMs / 1000));
      const signature = signer.sign(toParts(result, expires));
      const path = [result.id, result.fileName].map(encodeURIComponent).join('/');
      return `/api/results/${path}?expires=${expires}&signature=${signature}`;
    },
    check(result, { expires, signature }) {
      if (!signer.isValid(toParts(result, expires), signature)) return { state: 'wrong' };
      const leftS = (parseWhole(expires) ?? 0) - wallClockMs() / 1000;
      return leftS > 0 ? { state: 'valid', leftS } : { state: 'expired' };
    },
  };
}
