import type { ColormapContent } from '../color/index.ts';
import { findPreset, parseColormap, toColormapId } from '../color/index.ts';
import { conflict, notAllowed } from './errors.ts';
import type { OwnedStore, Shelf, ShelfTimes } from './shelf.ts';
import { MAX_RECENT, makeShelf } from './shelf.ts';

/** Stores custom colormaps and finds them by their id; presets are found without being stored. */
export interface Colormaps extends Shelf<ColormapContent> {
  /**
   * Parses a colormap from untrusted JSON and stores it for its owner; the same content always gets the same id. Throws
   * `too-many-colormaps` when the owner has reached its limit.
   */
  create(untrusted: unknown, owner: string): Promise<string>;
  /** False for an unknown id and for one of another owner; throws `preset-colormap` for a preset. */
  remove(id: string, owner: string): Promise<boolean>;
}

/** A colormap on its way into the store. */
export interface NewColormap {
  /** A digest of the content: owners with equal colormaps share one. */
  readonly id: string;
  readonly content: ColormapContent;
  readonly owner: string;
}

/** What one owner has stored. */
export interface ColormapUsage {
  readonly colormaps: number;
  /** The size of the JSON texts as stored; a text that owners share counts for each of them. */
  readonly bytes: number;
}

/** Where custom colormaps are stored; owners of the same one share it. */
export interface ColormapStore extends OwnedStore<ColormapContent, ColormapUsage> {
  /**
   * Stores the colormap for its owner, and resolves to null when it has reached the disk. Resolves to the owner's usage
   * when one more would exceed the limit; this is counted in the same transaction.
   */
  put(colormap: NewColormap, maxColormaps: number): Promise<ColormapUsage | null>;
}

interface ColormapsDeps extends ShelfTimes {
  readonly store: ColormapStore;
  /** The max number of colormaps of one owner. */
  readonly maxPerOwner: number;
}

/**
 * Builds the service over a store. An id is a digest of the content, and a colormap has nothing else: a caller who can
 * compute the id already knows everything that a read would return.
 */
export function makeColormaps({ store, maxPerOwner, nowMs, outageMs, changes }: ColormapsDeps): Colormaps {
  const shelf = makeShelf<ColormapContent, ColormapContent>({
    name: 'colormaps',
    store,
    nowMs,
    outageMs,
    changes,
    toItem: (content) => content,
    // Of up to 64 KiB each.
    max: MAX_RECENT,
    sizeOf: () => 1,
  });
  return {
    async create(untrusted, owner) {
      const content = parseColormap(untrusted);
      const id = toColormapId(content);
      // A preset exists without being stored, and counts for no owner.
      if (findPreset(id) !== null) return id;
      const used = await store.put({ id, content, owner }, maxPerOwner);
      if (used === null) return id;
      throw conflict(
        'too-many-colormaps',
        `This key has ${used.colormaps} stored colormaps, and may have ${maxPerOwner}. DELETE colormaps that are no longer needed to make room.`,
      );
    },
    find: async (id) => findPreset(id) ?? shelf.find(id),
    async remove(id, owner) {
      if (findPreset(id) !== null) {
        throw notAllowed('preset-colormap', 'This colormap is a preset of Swath and cannot be deleted.');
      }
      return shelf.remove(id, owner);
    },
  };
}
