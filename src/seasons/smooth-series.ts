/** From measurements on some days to a curve with a value for each day. */
import { SMOOTHNESS, smoothDays } from './smooth-days.ts';

/** One measurement. */
export interface Sample {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly value: number;
  /** How much it counts, above 0; 1 for a clear scene. */
  readonly weight: number;
}

/** A value for each day. */
export interface Curve {
  /** The day of the first value, in days since 1970-01-01. */
  readonly firstDay: number;
  /** NaN on days of a gap: nothing is known there. */
  readonly values: Float64Array;
}

/** How a curve is fitted. */
export interface SmoothOptions {
  /** λ of the Whittaker smoother, in days⁴. */
  readonly smoothness: number;
  /** Days between two measurements from which on the curve has a gap: a crop may be sown and up by then. */
  readonly maxGapDays: number;
  /**
   * Null for the plain fit. From 0.5 to 1, the weight of measurements above the curve against those below it: haze and
   * undetected clouds lower an index, so that the upper envelope is nearer to the plants.
   */
  readonly envelope: number | null;
}

export const DEFAULT_SMOOTHING: SmoothOptions = {
  smoothness: SMOOTHNESS,
  maxGapDays: 60,
  envelope: null,
};

/** Fits of the envelope; the sides of all measurements are settled after about five. */
const MAX_ENVELOPE_FITS = 10;

/** Longer spans are a mistake of the caller: 200 years, a value a day. */
const MAX_DAYS = 73_050;

/**
 * The weight of a scene with so many percent of clouds in its area: what is half hidden counts half, and nothing counts
 * less than a twentieth.
 */
export const toSampleWeight = (cloudPercent: number | null): number =>
  Math.max(0.05, 1 - (cloudPercent ?? 0) / 100);

/** The curve from the first to the last measurement; null with fewer than two days that have one. */
export function smoothSeries(samples: readonly Sample[], options: Partial<SmoothOptions> = {}): Curve | null {
  const { smoothness, maxGapDays, envelope } = { ...DEFAULT_SMOOTHING, ...options };
  const firstDay = samples.reduce((first, { day }) => Math.min(first, day), Number.POSITIVE_INFINITY);
  const lastDay = samples.reduce((last, { day }) => Math.max(last, day), Number.NEGATIVE_INFINITY);
  const count = lastDay - firstDay + 1;
  if (!(count > 1) || count > MAX_DAYS) return null;
  const sums = new Float64Array(count);
  const weights = new Float64Array(count);
  for (const { day, value, weight } of samples) {
    // Least squares of several values of a day are those of their weighted mean.
    sums[day - firstDay]! += weight * value;
    weights[day - firstDay]! += weight;
  }
  const points = sums.map((sum, i) => (weights[i] === 0 ? 0 : sum / weights[i]!));
  const values =
    envelope === null
      ? smoothDays(points, weights, smoothness)
      : fitEnvelope(points, weights, { smoothness, envelope });
  openGaps(values, weights, maxGapDays);
  return { firstDay, values };
}

/** Asymmetric least squares (Eilers and Boelens 2005): measurements above the line weigh p, those below 1 − p. */
function fitEnvelope(
  points: Float64Array,
  weights: Float64Array,
  { smoothness, envelope }: { readonly smoothness: number; readonly envelope: number },
): Float64Array {
  let line = smoothDays(points, weights, smoothness);
  let above = new Uint8Array(points.length);
  for (let fit = 0; fit < MAX_ENVELOPE_FITS; fit++) {
    const next = Uint8Array.from(points, (value, i) => Number(value > line[i]!));
    if (fit > 0 && next.every((side, i) => side === above[i] || weights[i] === 0)) break;
    above = next;
    const sided = weights.map((weight, i) => weight * (above[i] === 1 ? envelope : 1 - envelope));
    line = smoothDays(points, sided, smoothness);
  }
  return line;
}

/** Removes the values between measurements that are too far apart. */
function openGaps(values: Float64Array, weights: Float64Array, maxGapDays: number): void {
  let last = 0;
  for (let i = 1; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    if (i - last > maxGapDays) values.fill(Number.NaN, last + 1, i);
    last = i;
  }
}

/** The value of a day; null outside of the curve and in its gaps. */
export function valueOn({ firstDay, values }: Curve, day: number): number | null {
  const value = values[day - firstDay];
  return value === undefined || Number.isNaN(value) ? null : value;
}
