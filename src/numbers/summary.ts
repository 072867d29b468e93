import type { Moments } from './moments.ts';
import { makeMomentSums } from './moments.ts';
import type { Sample } from './order-statistics.ts';
import { makeSample } from './order-statistics.ts';
import { percentilesOf } from './percentiles.ts';

/** The statistics of an area that a task reports, under its names for them. */
export interface Summary {
  /** Pixels that counted: unmasked and finite. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  /** Of the population, not of a sample of it. */
  readonly std: number;
  readonly variance: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly p10: number;
  readonly p90: number;
}

/**
 * The summary of the values that are unmasked and finite; null when there are none. The result does not depend on the
 * order of the pixels; percentiles interpolate linearly, as in NumPy.
 */
export function summarize(values: Float32Array, mask: Uint8Array | null): Summary | null {
  const sums = makeMomentSums();
  sums.add(values, mask);
  const moments = sums.finish();
  return moments === null ? null : toSummary(moments, makeSample(values, mask));
}

/** The statistics of a sample whose moments are known. */
export function toSummary(moments: Moments, sample: Pick<Sample, 'count' | 'valuesAt'>): Summary {
  const { count, min, max, mean: average, std, variance } = moments;
  const found = percentilesOf(sample, [10, 25, 50, 75, 90]);
  const [p10, q1, median, q3, p90] = found as [number, number, number, number, number];
  return { count, min, max, average, std, variance, q1, median, q3, p10, p90 };
}
