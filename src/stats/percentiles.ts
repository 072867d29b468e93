import type { Sample } from './order-statistics.ts';
import { makeSample } from './order-statistics.ts';

/**
 * Percentiles (0 to 100) of the unmasked, finite values; null when there are none. Between two values of the sample it
 * interpolates linearly, like NumPy's default and Hyndman and Fan's type 7.
 */
export function percentiles(
  values: Float32Array,
  mask: Uint8Array | null,
  percents: readonly number[],
): number[] | null {
  const sample = makeSample(values, mask);
  return sample.count === 0 ? null : percents.map((percent) => percentileOf(sample, percent));
}

/** One percentile of a sample that is not empty. */
export function percentileOf(sample: Sample, percent: number): number {
  const last = sample.count - 1;
  const place = (Math.min(100, Math.max(0, percent)) / 100) * last;
  const rank = Math.floor(place);
  const below = sample.valueAt(rank);
  if (rank === place) return below;
  return below + (place - rank) * (sample.valueAt(rank + 1) - below);
}
