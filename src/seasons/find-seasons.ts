/** Seasons of a curve as TIMESAT defines them (Jönsson and Eklundh 2004): docs/use/seasons.md has the formulas. */
import type { Curve } from './smooth-series.ts';
import type { Peak, Span } from './turning-points.ts';
import { findPeaks, findSpans } from './turning-points.ts';

/** What counts as a season. */
export interface SeasonOptions {
  /** The fraction of the rise from the minimum before the peak at which a season starts: 0.2 or 0.5 as a rule. */
  readonly startFraction: number;
  /** The fraction of the fall to the minimum after the peak at which it ends. */
  readonly endFraction: number;
  /** Rises and falls below this are not a season, in units of the curve. */
  readonly minAmplitude: number;
  /** Nor are those below this fraction of the range of the whole curve. */
  readonly minRangeFraction: number;
}

export const DEFAULT_SEASONS: SeasonOptions = {
  startFraction: 0.2,
  endFraction: 0.2,
  minAmplitude: 0.1,
  minRangeFraction: 0.25,
};

/** One season. Days since 1970-01-01, with fractions; values in units of the curve. */
export interface Season {
  /** Null if the season began before the curve. */
  readonly startDay: number | null;
  readonly startValue: number | null;
  readonly peakDay: number;
  readonly peakValue: number;
  /** False as long as the curve may still rise, or may have been higher before it began. */
  readonly isPeakKnown: boolean;
  /** Null if the season has not ended. */
  readonly endDay: number | null;
  readonly endValue: number | null;
  readonly lengthDays: number | null;
  /** The mean of the minima before and after the peak; the only one if the other is not known; null without any. */
  readonly base: number | null;
  /** The peak above the base. */
  readonly amplitude: number | null;
  /** The integral from start to end above zero, in units of the curve times days. */
  readonly largeIntegral: number | null;
  /** The integral from start to end above the base. */
  readonly smallIntegral: number | null;
}

/** The seasons of a curve in the order of their peaks; a year may have several, or none. */
export function findSeasons(curve: Curve, options: Partial<SeasonOptions> = {}): readonly Season[] {
  const { values, firstDay } = curve;
  const whole = { ...DEFAULT_SEASONS, ...options };
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const minFall = Math.max(whole.minAmplitude, whole.minRangeFraction * (highest - lowest));
  // A curve without a range has no season, whatever the options say.
  if (!(minFall > 0)) return [];
  return findSpans(values).flatMap((span) =>
    findPeaks(values, span, minFall).map((peak) => toSeason(values, { span, peak, firstDay }, whole)),
  );
}

interface PlacedPeak {
  readonly span: Span;
  readonly peak: Peak;
  readonly firstDay: number;
}

function toSeason(
  values: Float64Array,
  { span, peak, firstDay }: PlacedPeak,
  { startFraction, endFraction }: SeasonOptions,
): Season {
  const peakValue = values[peak.at]!;
  const left = peak.left === null ? null : values[peak.left]!;
  const right = peak.right === null ? null : values[peak.right]!;
  const lowest = Math.min(left ?? Number.POSITIVE_INFINITY, right ?? Number.POSITIVE_INFINITY);
  /** A minimum on the edge of the span is one only if it is about as low as the other side's: the curve may go on falling. */
  const isLow = (at: number | null, edge: number, share: number): at is number =>
    at !== null && (at !== edge || values[at]! <= lowest + share * (peakValue - lowest));
  const before = isLow(peak.left, span.first, startFraction) ? left : null;
  const after = isLow(peak.right, span.last, endFraction) ? right : null;

  const startValue = before === null ? null : before + startFraction * (peakValue - before);
  const endValue = after === null ? null : after + endFraction * (peakValue - after);
  const start = startValue === null ? null : findCrossing(values, peak.at, -1, startValue);
  const end = endValue === null ? null : findCrossing(values, peak.at, 1, endValue);
  const minima = [before, after].filter((value) => value !== null);
  const base = minima.length === 0 ? null : minima.reduce((sum, value) => sum + value, 0) / minima.length;
  const lengthDays = start === null || end === null ? null : end - start;
  const largeIntegral = start === null || end === null ? null : integrate(values, start, end);
  return {
    startDay: start === null ? null : firstDay + start,
    startValue,
    peakDay: firstDay + peak.at,
    peakValue,
    isPeakKnown: peak.left !== null && peak.right !== null,
    endDay: end === null ? null : firstDay + end,
    endValue,
    lengthDays,
    base,
    amplitude: base === null ? null : peakValue - base,
    largeIntegral,
    smallIntegral:
      largeIntegral === null || base === null || lengthDays === null
        ? null
        : largeIntegral - base * lengthDays,
  };
}

/** The position at which the curve first meets a level on the way from the peak; between days it is a straight line. */
function findCrossing(values: Float64Array, peak: number, step: 1 | -1, level: number): number {
  let i = peak;
  while (values[i]! > level) i += step;
  if (i === peak) return peak;
  const [inside, outside] = [values[i - step]!, values[i]!];
  return i - (step * (level - outside)) / (inside - outside);
}

/** The integral of the straight lines between days. */
function integrate(values: Float64Array, from: number, to: number): number {
  const at = (position: number): number => {
    const below = Math.floor(position);
    const share = position - below;
    return share === 0 ? values[below]! : values[below]! + share * (values[below + 1]! - values[below]!);
  };
  let sum = 0;
  let left = from;
  while (left < to) {
    const right = Math.min(to, Math.floor(left) + 1);
    sum += ((at(left) + at(right)) / 2) * (right - left);
    left = right;
  }
  return sum;
}
