import type { ColormapContent } from '../color/index.ts';
import { findPreset, parseColormap, toColormapId } from '../color/index.ts';
import type { ColormapStore } from './colormap-store.ts';

/** Keeps custom colormaps and finds them again. */
export interface Colormaps {
  /** Reads a colormap from untrusted JSON and keeps it; the same content always gets the same id. */
  create(untrusted: unknown): Promise<string>;
  /** Null for what is no id and for unknown ones alike. */
  find(id: string): Promise<ColormapContent | null>;
}

interface ColormapsDeps {
  readonly store: ColormapStore;
}

/** Colormaps remembered at most, of up to 64 KiB each: a map shows one or two, and asks for them tile by tile. */
const MAX_RECENT = 64;

/**
 * Builds the service over a store. An id is a digest of the content, and there is nothing else to a colormap: whoever can
 * work the id out knows all that a read would tell.
 */
export function makeColormaps({ store }: ColormapsDeps): Colormaps {
  // Colormaps never change, so what was found once stays right.
  const recent = new Map<string, ColormapContent>();
  const remember = (id: string, content: ColormapContent): void => {
    recent.set(id, content);
    for (const oldest of recent.keys()) {
      if (recent.size <= MAX_RECENT) break;
      recent.delete(oldest);
    }
  };
  return {
    async create(untrusted) {
      const content = parseColormap(untrusted);
      const id = toColormapId(content);
      await store.put(id, content);
      return id;
    },
    async find(id) {
      if (!/^[0-9a-f]{32}$/.test(id)) return null;
      const known = findPreset(id) ?? recent.get(id);
      if (known !== undefined) return known;
      const found = await store.find(id);
      if (found !== null) remember(id, found);
      return found;
    },
  };
}
