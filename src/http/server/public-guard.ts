/** Who may see a public recipe or a shared group of fields: the check of tokens, and their rates. */

import type { MakeCounter } from '../../async/index.ts';
import type { Fields, SharedGroup } from '../../fields/index.ts';
import type { Recipe, Recipes } from '../../library/index.ts';
import { notAllowed, notFound } from '../errors.ts';
import type { ShareLinks } from '../recipes/public-recipes.ts';
import type { Auth, KnownCallers, RateHeaders } from './guard.ts';
import { toRateHeaders } from './guard.ts';

/** Decides what a token opens. */
export interface PublicAuth {
  /** The recipe or the group of a token, and the headers of the answer; throws 404, 410 or 429. */
  identify(call: { readonly token: string; readonly address: string }): Promise<PublicCaller>;
}

/** A caller without a key who has a token: it opens a recipe or a group of fields. */
export interface PublicCaller {
  readonly owner: string;
  readonly recipe: Recipe | null;
  readonly group: SharedGroup | null;
  readonly headers: RateHeaders;
}

interface PublicAuthDeps {
  readonly recipes: Pick<Recipes, 'findShared'>;
  readonly fields: Pick<Fields, 'findShared'>;
  readonly readShareLinks: () => Promise<ShareLinks>;
  /** Whether a key still works: what it has made public ends with it. */
  readonly isActiveKey: (id: string) => Promise<boolean>;
  /** Counts a wrong token as it counts a wrong key, so that guessing one is not cheaper. */
  readonly refuseWrongKey: Auth['refuseWrongKey'];
  readonly knownCallers: KnownCallers;
  /** The wall clock, for expiry. */
  readonly now: () => Date;
  /** Makes counters with windows of a minute. */
  readonly makeCounter: MakeCounter;
}

/** Builds the check. The rate of a share counts all its readers together. */
export function makePublicAuth(deps: PublicAuthDeps): PublicAuth {
  const requests = deps.makeCounter('maps');
  return {
    async identify({ token, address }) {
      const shareId = (await deps.readShareLinks()).readToken(token);
      if (shareId === null) {
        throw deps.refuseWrongKey(address, notFound('unknown-map', 'There is no such public map.'));
      }
      const recipe = await deps.recipes.findShared(shareId);
      // Both kinds have one space of ids, which are random.
      const group = recipe === null ? await deps.fields.findShared(shareId) : null;
      const { owner, share = null } = recipe ?? group ?? { owner: '' };
      if (share === null || !(await deps.isActiveKey(owner))) {
        throw notFound('link-revoked', 'This map is not public any more.');
      }
      if (share.expiresAt !== null && Date.parse(share.expiresAt) <= deps.now().getTime()) {
        throw notFound('link-expired', `This map was public until ${share.expiresAt}.`);
      }
      const { count, resetS } = requests.add(shareId, share.ratePerMinute);
      const limit = share.ratePerMinute;
      if (count > limit) {
        throw notAllowed('map-rate-limited', `This map's limit of ${limit} requests per minute is reached.`, {
          details: { retryAfterS: resetS, rateLimit: limit },
        });
      }
      deps.knownCallers.add(token, owner);
      return { owner, recipe, group, headers: toRateHeaders({ limit, remaining: limit - count, resetS }) };
    },
  };
}
