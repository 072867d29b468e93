import type { WrittenArea } from './write-area.ts';

/** An area on its way into the store. */
export interface NewArea extends WrittenArea {
  /** Its ref, unless the same area is stored already. */
  readonly ref: string;
  /** Id of the key that stores the area, is charged for it and may delete it. */
  readonly owner: string;
}

/** An area read from the store. */
export type StoredArea = Pick<WrittenArea, 'feature' | 'geometry'>;

/** What one owner has stored. */
export interface AreaUsage {
  readonly areas: number;
  /** Of the JSON texts as stored. */
  readonly bytes: number;
}

/** The result of a put: stored (also if it already was), or refused because its owner has reached a limit. */
export type AreaPut =
  | { readonly kind: 'stored'; readonly ref: string }
  | { readonly kind: 'full'; readonly used: AreaUsage; readonly bytes: number };

/** Where areas are stored. They never change, and exist until their owner deletes them. */
export interface AreaStore {
  /**
   * Stores the area, unless one with this digest is stored already; resolves to the ref of the stored one when it has
   * reached the disk. Concurrent puts with the same digest get the same ref. Usage is counted in the same
   * transaction, so that many writers at once cannot exceed the limit together.
   */
  put(area: NewArea, limit: AreaUsage): Promise<AreaPut>;
  find(ref: string): Promise<StoredArea | null>;
  /** False when the owner has no such area, whether or not it exists. */
  remove(ref: string, owner: string): Promise<boolean>;
  /** Removes all areas of an owner; resolves to their number. */
  removeAll(owner: string): Promise<number>;
  /** Usage by owner. Areas from before owners were recorded belong to no one. */
  usage(): Promise<ReadonlyMap<string, AreaUsage>>;
}
