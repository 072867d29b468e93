import { makeLinkSigner } from '../../keys/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';

/** What the addresses of signed thumbnails begin with. */
const SIGNED_THUMBNAILS = `${RENDER_ROOT}thumbnails/`;

/** Makes addresses of thumbnails that work without a key, and checks them. */
export interface ThumbnailLinks {
  /** The path of the address, to be put behind that of the service. */
  sign(viewId: string): string;
  isValid(viewId: string, signature: string): boolean;
}

/**
 * Builds it. The signature is part of the path, so that an address still works when a client appends or removes a query.
 * Addresses do not expire: clients store the answers to searches. A new secret ends all of them.
 */
export function makeThumbnailLinks(secret: string): ThumbnailLinks {
  const signer = makeLinkSigner(secret);
  return {
    sign: (viewId) => `${SIGNED_THUMBNAILS}${signer.sign(['thumbnail', viewId])}/${viewId}.png`,
    isValid: (viewId, signature) => signer.isValid(['thumbnail', viewId], signature),
  };
}

/** The signature and view id of a signed address below the root of rendering; null if it is another address. */
export function parseSignedThumbnail(
  below: string,
): { readonly signature: string; readonly viewId: string } | null {
  const [, signature, viewId] = /^thumbnails\/([^/]*)\/(.+)\.png$/.exec(below) ?? [];
  return signature === undefined || viewId === undefined ? null : { signature, viewId };
}
