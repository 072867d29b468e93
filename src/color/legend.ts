import type { ColorPlan } from './color-plan.ts';
import { toColorScale } from './color-scale.ts';
import type { Stretch } from './curve.ts';
import { toLevelThresholds } from './curve.ts';
import { toHexList } from './rgb.ts';

/** The meaning of colours, as in the answer. */
export interface Legend {
  readonly colors: readonly string[];
  /** One fewer than the colours, between them; none when colours stand for single values. */
  readonly thresholds: readonly number[];
  /** What each colour of a palette stands for: whole numbers, or bits as PALETTE writes them. */
  readonly values?: readonly (number | string)[];
  readonly labels?: readonly string[];
}

const LEVELS = 256;

/** The legend of a picture once its contrast is known; without a plan it is grey. */
export function toLegend(plan: ColorPlan | null, contrast: Stretch): Legend {
  if (plan === null) return toGreyLegend(contrast);
  const named = plan.labels === undefined ? {} : { labels: plan.labels };
  if (plan.kind === 'values') {
    return { colors: toHexList(plan.colors), thresholds: [], values: plan.values, ...named };
  }
  if (plan.kind === 'bits') {
    const values = plan.bits.map((bits) => (bits.length === 1 ? `${bits[0]}` : `(${bits.join()})`));
    return { colors: toHexList(plan.colors), thresholds: [], values, ...named };
  }
  const { colors, thresholds } = toColorScale(plan, contrast);
  return { colors: toHexList(colors), thresholds, ...named };
}

/** Levels of a grey stretch are rounded, so each begins half a level before its value. */
function toGreyLegend(contrast: Stretch): Legend {
  const colors = Array.from(
    { length: LEVELS },
    (_, level) => `#${level.toString(16).padStart(2, '0').repeat(3)}`,
  );
  return { colors, thresholds: toLevelThresholds(contrast) };
}
