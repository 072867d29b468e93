import type { PackedColors } from './rgb.ts';
import type { Stretch } from './stretch.ts';

/** Colours of a continuous map when nobody limits them, and the most that any plan has. */
export const MOST_COLORS = 256;

/** Equal intervals between two values, a colour each; values beyond take the first or last. */
export interface RampPlan {
  readonly kind: 'ramp';
  readonly colors: PackedColors;
  /** Null: the contrast of the picture. */
  readonly range: Stretch | null;
  readonly labels?: readonly string[];
}

/** A colour before, between and behind thresholds: its place in the list is how many of them are not above the value. */
export interface StepsPlan {
  readonly kind: 'steps';
  readonly colors: PackedColors;
  /** Not decreasing, one fewer than the colours. */
  readonly thresholds: readonly number[];
  /** Whether thresholds are values, or parts from 0 to 1 of the picture's contrast. */
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

/** A colour for bits: the first entry whose bits are all 1 in the value; others are transparent. */
export interface BitsPlan {
  readonly kind: 'bits';
  readonly colors: PackedColors;
  readonly bits: readonly (readonly number[])[];
  readonly labels?: readonly string[];
}

/** How the values of one band become colours: plain JSON, with everything that decides about it. */
export type ColorPlan = RampPlan | StepsPlan | ValuesPlan | BitsPlan;
