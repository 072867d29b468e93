/**
 * How often values occur, counted in a picture: drawn between two values without colours, each of its 256 levels of
 * brightness stands for a small range of values.
 */
import type { Contrast } from './picture.ts';

/** Counts of a channel in bins of equal width between two values. */
export interface Histogram extends Contrast {
  readonly counts: readonly number[];
}

/** Four levels a bin: whole numbers that fall between levels would show as gaps. */
const LEVELS_A_BIN = 4;
const BINS = 256 / LEVELS_A_BIN;

/** Counts the opaque pixels of a picture; `axes` are the values of its darkest and brightest level, by channel. */
export const countLevels = (rgba: Uint8ClampedArray, axes: readonly Contrast[]): readonly Histogram[] =>
  axes.map(({ min, max }, channel) => {
    const counts = new Array<number>(BINS).fill(0);
    for (let i = 0; i < rgba.length; i += 4) {
      const isOpaque = (rgba[i + 3] ?? 0) > 0;
      const bin = Math.floor((rgba[i + channel] ?? 0) / LEVELS_A_BIN);
      if (isOpaque) counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return { min, max, counts };
  });

/** Heights of the bins from 0 to 1. Square roots: a few bright roofs among fields are still to be seen. */
export const toHeights = ({ counts }: Histogram): readonly number[] => {
  const highest = Math.max(1, ...counts);
  return counts.map((count) => Math.sqrt(count / highest));
};

/** The value below which a part of the pixels lies, to a bin; `null` without pixels. */
export const valueAt = ({ min, max, counts }: Histogram, part: number): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    if (below + count >= part * total && count > 0) {
      const inside = (part * total - below) / count;
      return min + ((max - min) * (bin + inside)) / counts.length;
    }
    below += count;
  }
  return max;
};

/** The smallest range around several. */
export const toHull = (first: Contrast, ...others: readonly Contrast[]): Contrast => {
  const all = [first, ...others];
  return { min: Math.min(...all.map(({ min }) => min)), max: Math.max(...all.map(({ max }) => max)) };
};
