import type { PackedColors } from './rgb.ts';
import { countColors, reverseColors } from './rgb.ts';
import type { Stretch } from './stretch.ts';
import { nextAbove, valueAt } from './stretch.ts';

/** The default number of colours of a continuous map, and the max of any plan. */
export const MAX_COLORS = 256;

/** Equal intervals between two values, one colour each; values beyond take the first or last. */
export interface RampPlan {
  readonly kind: 'ramp';
  readonly colors: PackedColors;
  /** Null: the contrast of the picture. */
  readonly range: Stretch | null;
  readonly labels?: readonly string[];
}

/**
 * Colours before, between and after thresholds: the index of a colour is the number of thresholds not above the value.
 */
export interface StepsPlan {
  readonly kind: 'steps';
  readonly colors: PackedColors;
  /** Not decreasing, one fewer than the colours. */
  readonly thresholds: readonly number[];
  /** Whether thresholds are values, or fractions from 0 to 1 of the picture's contrast. */
  readonly thresholdsOf: 'values' | 'contrast';
  readonly labels?: readonly string[];
}

/** A colour for each of some whole numbers; all other values are transparent. */
export interface ValuesPlan {
  readonly kind: 'values';
  readonly colors: PackedColors;
  readonly values: readonly number[];
  readonly labels?: readonly string[];
}

/** Colours for bits: the first entry whose bits are all 1 in the value; other values are transparent. */
export interface BitsPlan {
  readonly kind: 'bits';
  readonly colors: PackedColors;
  readonly bits: readonly (readonly number[])[];
  readonly labels?: readonly string[];
}

/** How the values of one band become colours: complete, as plain JSON. */
export type ColorPlan = RampPlan | StepsPlan | ValuesPlan | BitsPlan;

/** Colours and the values between them, once the contrast of a picture is known. */
interface ColorScale {
  readonly colors: PackedColors;
  /**
   * Not decreasing, one fewer than the colours: a value takes the colour after all thresholds that are not above it.
   */
  readonly thresholds: readonly number[];
}

/** Resolves a plan to values: `contrast` is used where the plan leaves it open. With min above max it is reversed. */
export function toColorScale(plan: RampPlan | StepsPlan, contrast: Stretch): ColorScale {
  if (plan.kind === 'steps' && plan.thresholdsOf === 'values') return plan;
  const stretch = (plan.kind === 'ramp' ? plan.range : null) ?? contrast;
  const { min, max } = stretch;
  if (min > max) {
    const turned = plan.kind === 'ramp' ? { ...plan, range: null } : plan;
    const { colors, thresholds } = toColorScale(turned, { ...stretch, min: max, max: min });
    const thresholdsTurned = thresholds.map((value) => min + max - value).reverse();
    return { colors: reverseColors(colors), thresholds: thresholdsTurned };
  }
  const count = countColors(plan.colors);
  const parts =
    plan.kind === 'steps' ? plan.thresholds : Array.from({ length: count - 1 }, (_, i) => (i + 1) / count);
  // An empty range is a step, as in a grey stretch: only values above it take the last colour.
  const thresholds = parts.map((part) =>
    min === max ? nextAbove(valueAt(stretch, 0)) : valueAt(stretch, part),
  );
  return { colors: plan.colors, thresholds };
}
