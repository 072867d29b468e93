import type { Colormap, ColormapContent } from '../color/index.ts';
import { listColormaps, planColormap } from '../color/index.ts';

/** A named colormap in full: the content of a custom one that draws the same. */
export function toNamedContent(named: Extract<Colormap, { kind: 'named' }>): ColormapContent {
  const { colors } = planColormap(named, { colorsLimit: null, range: null });
  const { type } = listColormaps().find(({ name }) => name === named.name) ?? { type: 'continuous' };
  return {
    colors: (colors.match(/.{6}/g) ?? []).map((color) => `#${color}`),
    type,
    thresholds_type: 'relative',
  };
}
