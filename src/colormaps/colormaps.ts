import { makeTtlCache } from '../async/index.ts';
import type { ColormapContent } from '../color/index.ts';
import { findPreset, parseColormap, toColormapId } from '../color/index.ts';
import { conflict, notAllowed } from '../errors.ts';
import type { ColormapStore } from './colormap-store.ts';

/** Stores custom colormaps and finds them. */
export interface Colormaps {
  /**
   * Parses a colormap from untrusted JSON and stores it for its owner; the same content always gets the same id. Throws
   * `too-many-colormaps` when the owner has reached its limit.
   */
  create(untrusted: unknown, owner: string): Promise<string>;
  /** Null for an invalid id and for an unknown one. */
  find(id: string): Promise<ColormapContent | null>;
  /** False for an unknown id and for one of another owner; throws `preset-colormap` for a preset. */
  remove(id: string, owner: string): Promise<boolean>;
}

interface ColormapsDeps {
  readonly store: ColormapStore;
  /** The max number of colormaps of one owner. */
  readonly maxPerOwner: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long cached colormaps stay in use while the store does not answer. */
  readonly outageMs: number;
}

/** The max number of cached colormaps, of up to 64 KiB each: a map shows one or two, and requests them tile by tile. */
const MAX_RECENT = 64;

/** After this the store is asked again: another node, or the command line, may have deleted the colormap. */
const FRESH_MS = 10_000;

/**
 * Builds the service over a store. An id is a digest of the content, and a colormap has nothing else: a caller who can
 * compute the id already knows everything that a read would return.
 */
export function makeColormaps({ store, maxPerOwner, nowMs, outageMs }: ColormapsDeps): Colormaps {
  const recent = makeTtlCache<ColormapContent | null>({
    nowMs,
    freshMs: FRESH_MS,
    outageMs,
    max: MAX_RECENT,
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
    async find(id) {
      if (!isId(id)) return null;
      return findPreset(id) ?? recent.find(id, () => store.find(id));
    },
    async remove(id, owner) {
      if (!isId(id)) return false;
      if (findPreset(id) !== null) {
        throw notAllowed('preset-colormap', 'This colormap is a preset of Swath and cannot be deleted.');
      }
      const isRemoved = await store.remove(id, owner);
      // Others may own it too: only the store knows whether it still exists.
      if (isRemoved) recent.forget(id);
      return isRemoved;
    },
  };
}

const isId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
