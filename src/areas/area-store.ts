import type { WrittenArea } from './write-area.ts';

/** An area on its way into the store. */
export interface NewArea extends WrittenArea {
  /** The name it gets unless the same one is known already. */
  readonly ref: string;
  /** Id of the key that stores the area, is charged for it and may delete it. */
  readonly owner: string;
}

/** An area that was found. */
export type StoredArea = Pick<WrittenArea, 'feature' | 'geometry'>;

/** What one owner has stored. */
export interface AreaUsage {
  readonly areas: number;
  /** Of the JSON texts as they lie in the store. */
  readonly bytes: number;
}

/** What became of an area that was put: stored, known already, or refused because its owner has too much. */
export type AreaPut =
  | { readonly kind: 'stored'; readonly ref: string }
  | { readonly kind: 'full'; readonly used: AreaUsage; readonly bytes: number };

/** Where areas are kept. They never change, and go when their owner deletes them. */
export interface AreaStore {
  /**
   * Keeps the area, unless one with this digest is kept already; resolves to the ref of the one that is, when it has
   * reached the disk. Of many at once with the same digest all get the same ref. Usage is counted in the same
   * transaction, so that many writers at once cannot exceed the limit together.
   */
  put(area: NewArea, limit: AreaUsage): Promise<AreaPut>;
  find(ref: string): Promise<StoredArea | null>;
  /** False when the owner has no such area, whether or not it exists. */
  remove(ref: string, owner: string): Promise<boolean>;
  /** Removes all areas of an owner; resolves to their number. */
  removeAll(owner: string): Promise<number>;
  /** Usage by owner. Areas from before owners were recorded count for nobody. */
  usage(): Promise<ReadonlyMap<string, AreaUsage>>;
}
