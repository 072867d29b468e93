/** Equal bins over a range; values outside are not counted. */
export interface HistogramBins {
  readonly min: number;
  readonly max: number;
  readonly bins: number;
}

/**
 * Counts values in equal bins as NumPy does: a value on the edge of two counts for the upper one, except for the upper end
 * of the last bin. NaN and values outside are not counted.
 */
export function countBins(values: Float32Array, { min, max, bins }: HistogramBins): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  const scale = bins / (max - min);
  const edgeOf = (bin: number): number => (bin === bins ? max : min + bin * ((max - min) / bins));
  for (const value of values) {
    if (!(value >= min && value <= max)) continue;
    let bin = Math.min(bins - 1, Math.floor((value - min) * scale));
    // The product is rounded: the edges themselves decide.
    if (value < edgeOf(bin)) bin -= 1;
    else if (bin < bins - 1 && value >= edgeOf(bin + 1)) bin += 1;
    counts[bin]! += 1;
  }
  return counts;
}
