import type { ColormapContent } from '../color/index.ts';

/** Where custom colormaps are kept. They never change: the id is of the content. */
export interface ColormapStore {
  /** Keeps the colormap, unless it is kept already; resolves when it has reached the disk. */
  put(id: string, content: ColormapContent): Promise<void>;
  find(id: string): Promise<ColormapContent | null>;
}
