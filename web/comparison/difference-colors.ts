/** The colours of differences: one hue for less, another for more, and a pale middle for no change. */
import type { Legend } from '../api/legend.ts';
import type { ViewerColormap } from '../scenes/knowledge.ts';

/** Brown for less, green for more: the diverging map of ColorBrewer that colour-blind people tell apart. */
const COLORMAP = 'BrBG';
/** Its ends and middle, for a server that does not know it. */
const FALLBACK = ['#543005', '#f5f5f5', '#003c30'];
/** Odd, so that no change has a colour of its own. */
const STEPS = 255;

const toRgb = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Three bytes a colour, from the largest decrease to the largest increase. */
export const makeDifferenceColors = (colormaps: readonly ViewerColormap[]): Uint8ClampedArray => {
  const known = colormaps.find(({ name }) => name === COLORMAP)?.colors ?? FALLBACK;
  const stops = known.map(toRgb);
  const colors = new Uint8ClampedArray(STEPS * 3);
  for (let i = 0; i < STEPS; i++) {
    const at = (i / (STEPS - 1)) * (stops.length - 1);
    const index = Math.min(Math.floor(at), stops.length - 2);
    const [from = [], to = []] = [stops[index], stops[index + 1]];
    for (let channel = 0; channel < 3; channel++) {
      const [low = 0, high = 0] = [from[channel], to[channel]];
      colors[i * 3 + channel] = low + (high - low) * (at - index);
    }
  }
  return colors;
};

/** The legend of these colours. */
export const toDifferenceLegend = (colors: Uint8ClampedArray, limit: number): Legend => {
  const count = colors.length / 3;
  const hex = (value: number | undefined): string => (value ?? 0).toString(16).padStart(2, '0');
  return {
    kind: 'bar',
    colors: Array.from(
      { length: count },
      (_, i) => `#${[0, 1, 2].map((c) => hex(colors[i * 3 + c])).join('')}`,
    ),
    thresholds: Array.from({ length: count - 1 }, (_, i) => ((2 * (i + 0.5)) / (count - 1) - 1) * limit),
    min: -limit,
    max: limit,
  };
};
