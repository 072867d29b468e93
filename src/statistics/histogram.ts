import type { HistogramBins } from './statistics-order.ts';

/** Counts values in equal bins; the last bin includes its upper end, as NumPy's does. NaN and values outside are not counted. */
export function countBins(values: Float32Array, { min, max, bins }: HistogramBins): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  const scale = bins / (max - min);
  for (const value of values) {
    if (!(value >= min && value <= max)) continue;
    counts[Math.min(bins - 1, Math.floor((value - min) * scale))]! += 1;
  }
  return counts;
}
