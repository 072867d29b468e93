import type { Sample } from './order-statistics.ts';

/**
 * Percentiles (0 to 100) of a sample that is not empty. Between two values of the sample it interpolates linearly, like
 * NumPy's default and Hyndman and Fan's type 7.
 */
export function percentilesOf(
  sample: Pick<Sample, 'count' | 'valuesAt'>,
  percents: readonly number[],
): number[] {
  const last = sample.count - 1;
  const positions = percents.map((percent) => (Math.min(100, Math.max(0, percent)) / 100) * last);
  const ranks = positions.flatMap((position) => [Math.floor(position), Math.ceil(position)]);
  const values = sample.valuesAt(ranks);
  return positions.map((position, i) => {
    const below = values[2 * i]!;
    return below + (position - Math.floor(position)) * (values[2 * i + 1]! - below);
  });
}
