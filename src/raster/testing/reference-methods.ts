import type { ResampleMethod } from '../resampler.ts';
import { resamplers } from '../resampler.ts';

/** A source pixel that counts for a target pixel. */
export interface Tap {
  readonly value: number;
  readonly weight: number;
}

/**
 * Weight of a tap by its signed distance from the position in kernel units, by the textbook definitions of the kernels.
 */
export function kernelWeight(method: ResampleMethod, distance: number): number {
  const d = Math.abs(distance);
  switch (method) {
    case 'bilinear':
      return Math.max(0, 1 - d);
    case 'cubic':
      if (d >= 2) return 0;
      return d < 1 ? 1.5 * d ** 3 - 2.5 * d ** 2 + 1 : -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2;
    case 'cubicspline':
      // GDAL's spline continues beyond +2.
      if (d >= 2) return distance > 2 ? (2 - d) ** 3 / 6 : 0;
      return d < 1 ? (3 * d ** 3 - 6 * d ** 2 + 4) / 6 : (2 - d) ** 3 / 6;
    default:
      return d < resamplers[method].radiusPx ? sinc(d) * sinc(d / 3) : 0;
  }
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** The result of a method for the source pixels under a target pixel. */
export function combineArea(method: ResampleMethod, taps: readonly Tap[]): number {
  const values = taps.map(({ value }) => value);
  const sorted = values.toSorted((a, b) => a - b);
  const quantile = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length - 1))]!;
  switch (method) {
    case 'max':
      return sorted.at(-1)!;
    case 'min':
      return sorted[0]!;
    case 'q1':
      return quantile(0.25);
    case 'med':
      return quantile(0.5);
    case 'q3':
      return quantile(0.75);
    case 'mode':
      return mostFrequent(values);
    default: {
      const total = taps.reduce((sum, { weight }) => sum + weight, 0);
      return taps.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
    }
  }
}

/** Of several, the one that first reached that count. */
function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  let [winner, max] = [Number.NaN, 0];
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > max) [winner, max] = [value, count];
  }
  return winner;
}
