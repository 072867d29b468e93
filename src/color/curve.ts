import { nextAbove } from './next-above.ts';

/**
 * The values of a band that become black and full brightness, and the way from one to the other: linear, unless there
 * is a curve.
 */
export interface Stretch {
  readonly min: number;
  readonly max: number;
  /** The fraction of the range is raised to 1 / gamma: above 1, dark ground becomes brighter. 1 when left out. */
  readonly gamma?: number;
  /** `min` and `max` are decibels, 10 log₁₀ of the values: the way between them is even in decibels. */
  readonly isDecibel?: boolean;
}

/** Whether brightness is not linear in the value. */
export const isCurved = ({ gamma = 1, isDecibel = false }: Stretch): boolean => gamma !== 1 || isDecibel;

/** The value that is shown with a fraction of full brightness: the inverse of the stretch. */
export function valueAt({ min, max, gamma = 1, isDecibel = false }: Stretch, brightness: number): number {
  const value = min + (max - min) * (gamma === 1 ? brightness : brightness ** gamma);
  return isDecibel ? 10 ** (value / 10) : value;
}

const LEVELS = 256;

/** Thresholds between levels, ascending, and the level by the number of thresholds not above a value. */
interface CurveThresholds {
  readonly thresholds: readonly number[];
  readonly slots: Uint8Array;
}

/**
 * A curve as thresholds: levels are rounded half up, so each begins half a level before its value. A threshold is exact
 * whatever the curve, and looking it up costs the same for all of them.
 */
export function toCurveThresholds(stretch: Stretch): CurveThresholds {
  const slots = Uint8Array.from({ length: LEVELS }, (_, level) => level);
  const thresholds = toLevelThresholds(stretch);
  if (stretch.min <= stretch.max) return { thresholds, slots };
  return { thresholds: thresholds.reverse(), slots: slots.reverse() };
}

/** The lowest value of each grey level from 1 on; an empty range is a step. */
export function toLevelThresholds(stretch: Stretch): number[] {
  const { min, max } = stretch;
  return Array.from({ length: LEVELS - 1 }, (_, i) =>
    min === max ? nextAbove(valueAt(stretch, 0)) : valueAt(stretch, (i + 0.5) / (LEVELS - 1)),
  );
}
