import type { RampPlan, StepsPlan, ValuesPlan } from './color-plan.ts';
import { toColorScale } from './color-scale.ts';
import type { Stretch } from './curve.ts';
import { nextAbove } from './next-above.ts';
import type { PackedColors } from './rgb.ts';
import { countColors } from './rgb.ts';

/** A plan as thresholds: slot i is written where i of them are not above the value. */
export interface SlotPlan {
  readonly colors: PackedColors;
  readonly thresholds: readonly number[];
  /** Indexes in the list of colours; the one after the last is transparent, unless the list is full. */
  readonly slots: Uint8Array;
}

/** Resolves a plan to thresholds of stored values, which are `shift` below their meaning. */
export function planSlots(
  plan: RampPlan | StepsPlan | ValuesPlan,
  { contrast, shift }: { readonly contrast: Stretch; readonly shift: number },
): SlotPlan {
  if (plan.kind === 'values') return planValues(plan, shift);
  const { colors, thresholds } = toColorScale(plan, contrast);
  const slots = Uint8Array.from({ length: countColors(colors) }, (_, i) => i);
  return { colors, thresholds: shift === 0 ? thresholds : thresholds.map((value) => value - shift), slots };
}

/**
 * A whole number covers the interval from itself to the next float32, which has its colour; everything else is
 * transparent.
 */
function planValues({ colors, values }: ValuesPlan, shift: number): SlotPlan {
  const order = values.map((value, i) => ({ value: value - shift, i })).sort((a, b) => a.value - b.value);
  const transparent = countColors(colors);
  return {
    colors,
    thresholds: order.flatMap(({ value }) => [value, nextAbove(value)]),
    slots: Uint8Array.from([transparent, ...order.flatMap(({ i }) => [i, transparent])]),
  };
}
