/** Own colormaps, stored in this browser. */
import type { OwnColormap } from '../scenes/own-colormap.ts';
import { parseOwnColormaps, toColormapBody } from '../scenes/own-colormap.ts';

const STORAGE_NAME = 'swath.colormaps';

/** Those of this browser; without storage there are none. */
export const readOwnColormaps = (): readonly OwnColormap[] => {
  try {
    return parseOwnColormaps(localStorage.getItem(STORAGE_NAME));
  } catch {
    return [];
  }
};

/** Stores those that were saved. */
export const storeOwnColormaps = (colormaps: readonly OwnColormap[]): void => {
  const saved = colormaps.filter(({ isSaved }) => isSaved);
  const list = saved.map((colormap) => ({
    id: colormap.id,
    name: colormap.name,
    ...toColormapBody(colormap),
  }));
  try {
    localStorage.setItem(STORAGE_NAME, JSON.stringify(list));
  } catch {
    // Storage can be full or switched off in the browser: they then last until the page is left.
  }
};
