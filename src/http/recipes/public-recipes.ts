/** Public recipes: their tokens, and how the addresses without a key name them. */

import { makeLinkSigner } from '../../keys/index.ts';
import { notFound } from '../errors.ts';
import { json } from '../kit/json-schema.ts';
import type { RecipeAccess } from './recipe-access.ts';
import { toPublicPath } from './recipe-fields.ts';

/** Makes the tokens of shares, and reads them. */
export interface ShareLinks {
  toToken(shareId: string): string;
  /** The share of a token; null for a token that is not ours. Nothing is looked up for it. */
  readToken(token: string): string | null;
}

const TOKEN = /^([0-9a-f]{32})([\w-]{43})$/;

/**
 * Builds them: a token is the id of a share, 128 random bits, and a signature of it with a secret of the service. So the
 * owner can read it again, guesses are refused before the store is asked, and a share that has ended takes its token along.
 */
export function makeShareLinks(secret: string): ShareLinks {
  const signer = makeLinkSigner(secret);
  const toParts = (shareId: string) => ['recipe', shareId];
  return {
    toToken: (shareId) => `${shareId}${signer.sign(toParts(shareId))}`,
    readToken(token) {
      const [, shareId, signature] = TOKEN.exec(token) ?? [];
      if (shareId === undefined || signature === undefined) return null;
      return signer.isValid(toParts(shareId), signature) ? shareId : null;
    },
  };
}

/** Anyone, by a token that the application has already checked. */
export const makePublicAccess = (now: () => Date): RecipeAccess => ({
  params: {
    token: { description: 'As the recipe has it.', schema: json.string({ pattern: TOKEN }) },
  },
  isOwner: false,
  async find({ recipe }) {
    if (recipe === null) throw notFound('unknown-map', 'There is no such public map.');
    return recipe;
  },
  toPath: (_, { params }) => toPublicPath(params.token ?? ''),
  // Nobody may show it longer than it is public, as far as that is known.
  toMaxAgeS({ share }, maxAgeS) {
    if (share?.expiresAt == null) return maxAgeS;
    const leftS = Math.floor((Date.parse(share.expiresAt) - now().getTime()) / 1000);
    return Math.max(0, Math.min(maxAgeS, leftS));
  },
});
