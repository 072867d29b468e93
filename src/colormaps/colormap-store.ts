import type { ColormapContent } from '../color/index.ts';

/** A colormap on its way into the store. */
export interface NewColormap {
  /** Of the content: owners with equal colormaps share one. */
  readonly id: string;
  readonly content: ColormapContent;
  /** Id of the key that stores the colormap, is charged for it and may delete it. */
  readonly owner: string;
}

/** What one owner has stored. */
export interface ColormapUsage {
  readonly colormaps: number;
  /** Of the JSON texts as stored; a text that owners share counts for each of them. */
  readonly bytes: number;
}

/** Where custom colormaps are stored. They never change, and exist until their last owner deletes them. */
export interface ColormapStore {
  /**
   * Stores the colormap for its owner, and resolves to null when it has reached the disk. Resolves to the owner's usage
   * when one more would exceed the limit; this is counted in the same transaction.
   */
  put(colormap: NewColormap, maxColormaps: number): Promise<ColormapUsage | null>;
  find(id: string): Promise<ColormapContent | null>;
  /** False when the owner has no such colormap, whether or not it exists. */
  remove(id: string, owner: string): Promise<boolean>;
  /** Removes all colormaps of an owner; resolves to their number. */
  removeAll(owner: string): Promise<number>;
  /** Usage by owner. Colormaps from before owners were recorded belong to no one. */
  usage(): Promise<ReadonlyMap<string, ColormapUsage>>;
}
