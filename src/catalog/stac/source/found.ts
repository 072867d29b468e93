import type { DocumentOrigin } from '../scene/addresses.ts';

/** What a source has brought up, one after the other. */
export type Found =
  /** JSON that should be an item. */
  | { readonly kind: 'item'; readonly value: unknown; readonly origin: DocumentOrigin }
  /** How many items the source says there are. */
  | { readonly kind: 'total'; readonly total: number }
  /** A document that cannot be used; `ends` when nothing can come after it. */
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly code: string;
      readonly reason: string;
      readonly ends?: true;
      /** It is not broken, only not looked at. */
      readonly isSkipped?: true;
    };

/** How far sources are followed. */
export interface SourceLimits {
  readonly maxPages: number;
  /** Catalogs, collections and items that are followed by links. */
  readonly maxDocuments: number;
  readonly maxDepth: number;
  /** Of one document or page. */
  readonly maxBytes: number;
}

/**
 * A page of a hundred Sentinel-2 items has 5 MB. Ten thousand pages are a million items, the most a catalog is made for;
 * static catalogs are read a document an item, so a hundred thousand take hours already.
 */
export const SOURCE_LIMITS: SourceLimits = {
  maxPages: 10_000,
  maxDocuments: 100_000,
  maxDepth: 20,
  maxBytes: 64 * 2 ** 20,
};
