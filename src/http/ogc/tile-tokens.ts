/**
 * Tokens that stand for a key in the path of a tile, for programs that send neither headers nor a query: they draw layers
 * and do nothing else, expire, end with their key, and say nothing about its secret. A token is of all layers of its key, or
 * of one with its style and time: then a CDN may cache the tiles.
 */
import { makeLinkSigner } from '../../keys/index.ts';
import type { Query } from '../kit/parameters.ts';

/** What a tile shows; `time` is empty for a layer without one. */
export interface ShownLayer {
  readonly layer: string;
  readonly style: string;
  readonly time: string;
}

/** What a token says. */
type TokenState =
  | {
      readonly state: 'valid';
      readonly keyId: string;
      /** How long anyone may cache what it draws, in seconds; null if no one may but its holder. */
      readonly publicMaxAgeS: number | null;
    }
  | { readonly state: 'expired' }
  | { readonly state: 'wrong' };

/** Makes tokens and reads them. */
export interface TileTokens {
  /** Tokens of one day are equal, so that addresses of tiles can be cached. */
  make(keyId: string, days: number): { readonly token: string; readonly expiresAt: string };
  /** A token that draws one layer for so many seconds, and whose tiles anyone may cache. */
  sign(
    keyId: string,
    shown: ShownLayer,
    times: { readonly lastsS: number; readonly maxAgeS: number },
  ): { readonly token: string; readonly expiresAt: string };
  /** The same for a day. Tokens of one hour are equal, so that documents with them can be cached. */
  signDay(keyId: string, shown: ShownLayer, maxAgeS: number): string;
  read(token: string, shown: ShownLayer): TokenState;
}

const DAY_S = 86_400;
const HOUR_S = 3_600;
/** Key and end, how long tiles may be cached if the token is of one layer, and the signature. */
const TOKEN = /^([\w-]{1,40})\.(\d{1,12})(?:\.(\d{1,5}))?\.([\w-]{43})$/;

/** Builds them over a secret of the service. */
export function makeTileTokens(secret: string, wallClockMs: () => number = Date.now): TileTokens {
  const signer = makeLinkSigner(secret);
  const toParts = (keyId: string, expires: string) => ['tiles', keyId, expires];
  const toBoundParts = (
    keyId: string,
    { layer, style, time }: ShownLayer,
    until: { readonly expires: string; readonly maxAge: string },
  ) => ['layer', keyId, until.expires, until.maxAge, layer, style, time];
  const signUntil = (keyId: string, shown: ShownLayer, untilS: number, maxAgeS: number): string => {
    const [expires, maxAge] = [`${untilS}`, `${maxAgeS}`];
    return `${keyId}.${expires}.${maxAge}.${signer.sign(toBoundParts(keyId, shown, { expires, maxAge }))}`;
  };
  return {
    make(keyId, days) {
      const expires = (Math.ceil(wallClockMs() / 1_000 / DAY_S) + days) * DAY_S;
      const signature = signer.sign(toParts(keyId, `${expires}`));
      return {
        token: `${keyId}.${expires}.${signature}`,
        expiresAt: new Date(expires * 1_000).toISOString(),
      };
    },
    sign(keyId, shown, { lastsS, maxAgeS }) {
      const expiresS = Math.floor(wallClockMs() / 1_000) + lastsS;
      return {
        token: signUntil(keyId, shown, expiresS, maxAgeS),
        expiresAt: new Date(expiresS * 1_000).toISOString(),
      };
    },
    signDay: (keyId, shown, maxAgeS) =>
      signUntil(keyId, shown, Math.ceil(wallClockMs() / 1_000 / HOUR_S) * HOUR_S + DAY_S, maxAgeS),
    read(token, shown) {
      const [, keyId, expires, maxAge, signature] = TOKEN.exec(token) ?? [];
      if (keyId === undefined || expires === undefined || signature === undefined) return { state: 'wrong' };
      const parts =
        maxAge === undefined ? toParts(keyId, expires) : toBoundParts(keyId, shown, { expires, maxAge });
      if (!signer.isValid(parts, signature)) return { state: 'wrong' };
      const leftS = Math.floor(Number(expires) - wallClockMs() / 1_000);
      if (leftS <= 0) return { state: 'expired' };
      return {
        state: 'valid',
        keyId,
        publicMaxAgeS: maxAge === undefined ? null : Math.min(Number(maxAge), leftS),
      };
    },
  };
}

/** What the address of a tile shows. */
export const readShownLayer = (
  { layer = '', style = '' }: Readonly<Record<string, string | undefined>>,
  query: Query,
): ShownLayer => ({ layer, style, time: query.get('TIME') ?? '' });
