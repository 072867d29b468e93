import type { RampPlan, StepsPlan } from './color-plan.ts';
import type { Stretch } from './curve.ts';
import { valueAt } from './curve.ts';
import { nextAbove } from './next-above.ts';
import type { PackedColors } from './rgb.ts';
import { countColors, reverseColors } from './rgb.ts';

/** Colours and the values between them, once the contrast of a picture is known. */
export interface ColorScale {
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
