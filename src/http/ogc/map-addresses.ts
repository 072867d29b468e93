/** Addresses of maps for the links of STAC documents: they work without a key, because programs send keys to documents only. */
import { isSwathError } from '../../errors.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import { GUEST_ID } from '../kit/endpoint.ts';
import type { TileTokens } from './tile-tokens.ts';

/** What such addresses are signed with. */
export interface TileTokenDeps {
  readonly readTileTokens: () => Promise<TileTokens>;
}

/** How long anyone may cache a tile: a key that is revoked ends the address at once, and what is cached after an hour. */
const MAX_AGE_S = 3_600;

/**
 * Builds the function that makes what the addresses of a layer's map begin with: that layer in its default style at its
 * newest time, and nothing else, for a day. Null for guests, whose addresses need no key, and without a secret.
 */
export async function makeToMapAddress(
  { key, publicUrl }: Pick<ApiRequest, 'key' | 'publicUrl'>,
  { readTileTokens }: TileTokenDeps,
): Promise<((layer: string) => string) | null> {
  if (key === null || key.id === GUEST_ID) return null;
  const tokens = await readTileTokens().catch(withoutSecret);
  if (tokens === null) return null;
  return (layer) => {
    const token = tokens.signDay(key.id, { layer, style: 'default', time: '' }, MAX_AGE_S);
    return `${publicUrl}/ogc/xyz/${token}/${layer}/default`;
  };
}

/** Documents are answered without a secret too: a read-only store may have none, and cannot get one. */
function withoutSecret(error: unknown): null {
  if (isSwathError(error)) return null;
  throw error;
}
