/** A threshold between two groups of values, found in their histogram (Otsu 1979). */

/** The threshold, and how well it separates. */
export interface OtsuThreshold {
  readonly threshold: number;
  /** The variance between the two groups as a share of the whole: 1 for two single values, 0.64 for one normal distribution. */
  readonly separability: number;
}

/**
 * The edge between bins that maximises the variance between the values on its two sides; the middle of all edges that do,
 * which are those of the empty bins in a gap. Null if fewer than two bins have values.
 */
export function findOtsuThreshold(
  counts: readonly number[],
  { min, max }: { readonly min: number; readonly max: number },
): OtsuThreshold | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const moment = counts.reduce((sum, count, bin) => sum + count * bin, 0);
  const squares = counts.reduce((sum, count, bin) => sum + count * bin * bin, 0);
  let [best, first, last] = [0, -1, -1];
  let [below, belowMoment] = [0, 0];
  for (let edge = 1; edge < counts.length; edge++) {
    below += counts[edge - 1]!;
    belowMoment += counts[edge - 1]! * (edge - 1);
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const distance = belowMoment / below - (moment - belowMoment) / above;
    const between = below * above * distance * distance;
    if (between > best) [best, first, last] = [between, edge, edge];
    else if (between === best && last === edge - 1) last = edge;
  }
  if (first < 0) return null;
  const variance = total * squares - moment * moment;
  return {
    threshold: min + ((first + last) / 2 / counts.length) * (max - min),
    separability: Math.min(1, best / variance),
  };
}
