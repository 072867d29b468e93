import type { Stretch } from './curve.ts';
import type { PackedColors } from './rgb.ts';

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
