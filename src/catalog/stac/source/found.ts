import type { DocumentLocation } from '../scene/addresses.ts';

/** What a source yields. */
export type Found =
  /** JSON that should be an item. */
  | { readonly kind: 'item'; readonly value: unknown; readonly location: DocumentLocation }
  /** The number of items, as the source gives it. */
  | { readonly kind: 'total'; readonly total: number }
  /** A document that cannot be used; `ends` if nothing can follow it. */
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly code: string;
      readonly reason: string;
      readonly ends?: true;
      /** It was skipped, and is not broken. */
      readonly isSkipped?: true;
    };

/** Limits of sources. */
export interface SourceLimits {
  readonly maxPages: number;
  /** Catalogs, collections and items that are reached by links. */
  readonly maxDocuments: number;
  readonly maxDepth: number;
  /** Size of one document or page. */
  readonly maxBytes: number;
}

/**
 * A page of a hundred Sentinel-2 items has 5 MB. Ten thousand pages are a million items, which the catalog is designed
 * for; static catalogs need a request per item, so a hundred thousand already take hours.
 */
export const SOURCE_LIMITS: SourceLimits = {
  maxPages: 10_000,
  maxDocuments: 100_000,
  maxDepth: 20,
  maxBytes: 64 * 2 ** 20,
};
