export type { ColormapStore, ColormapUsage, NewColormap } from './colormap-store.ts';
export { type Colormaps, makeColormaps } from './colormaps.ts';
export { toNamedContent } from './named-content.ts';
export { reverseColormap } from './reverse-colormap.ts';
