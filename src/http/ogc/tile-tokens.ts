/**
 * Tokens that stand for a key in the path of a tile, for programs that send neither headers nor a query: they draw layers
 * and do nothing else, expire, end with their key, and say nothing about its secret.
 */
import { makeLinkSigner } from '../../keys/index.ts';

/** What a token says. */
type TokenState =
  | { readonly state: 'valid'; readonly keyId: string }
  | { readonly state: 'expired' }
  | { readonly state: 'wrong' };

/** Makes tokens and reads them. */
export interface TileTokens {
  /** Tokens of one day are equal, so that addresses of tiles can be cached. */
  make(keyId: string, days: number): { readonly token: string; readonly expiresAt: string };
  read(token: string): TokenState;
}

const DAY_S = 86_400;
const TOKEN = /^([\w-]{1,40})\.(\d{1,12})\.([\w-]{43})$/;

/** Builds them over a secret of the service. */
export function makeTileTokens(secret: string, wallClockMs: () => number = Date.now): TileTokens {
  const signer = makeLinkSigner(secret);
  const toParts = (keyId: string, expires: string) => ['tiles', keyId, expires];
  return {
    make(keyId, days) {
      const expires = (Math.ceil(wallClockMs() / 1_000 / DAY_S) + days) * DAY_S;
      const signature = signer.sign(toParts(keyId, `${expires}`));
      return {
        token: `${keyId}.${expires}.${signature}`,
        expiresAt: new Date(expires * 1_000).toISOString(),
      };
    },
    read(token) {
      const [, keyId, expires, signature] = TOKEN.exec(token) ?? [];
      if (keyId === undefined || expires === undefined || signature === undefined) return { state: 'wrong' };
      if (!signer.isValid(toParts(keyId, expires), signature)) return { state: 'wrong' };
      return Number(expires) * 1_000 > wallClockMs() ? { state: 'valid', keyId } : { state: 'expired' };
    },
  };
}
