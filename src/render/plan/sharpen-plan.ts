import type { Grid } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import type { InputPlan } from './input-plan.ts';

/** What stored numbers can hold, where sharpened ones stay within; null for physical values. */
export type ValueLimits = { readonly min: number; readonly max: number } | null;

/** What becomes of a channel: a band takes on detail in proportion to its brightness, to what is computed it is added. */
export type SharpenedChannel =
  | { readonly kind: 'band'; readonly limits: ValueLimits }
  | { readonly kind: 'computed' };

/** The local mean of the panchromatic band: averaged onto the grid of the other bands, then warped as those are. */
export interface LowPlan {
  /** The pixels of the other bands that the picture needs. */
  readonly grid: Grid;
  /** From the panchromatic band to those pixels; reads the same window as the band itself. */
  readonly average: WarpPlan;
  /** From those pixels to the picture. */
  readonly warp: WarpPlan;
}

/** How a picture is sharpened: plain JSON, a part of its plan. */
export type SharpenPlan =
  | {
      /** Weighted Brovey transform of three bands. */
      readonly kind: 'composite';
      readonly pan: InputPlan;
      /** Of the channels, in their order. */
      readonly weights: readonly number[];
      readonly limits: ValueLimits;
    }
  | {
      readonly kind: 'pixelwise';
      readonly pan: InputPlan;
      /** Null when the panchromatic band has nothing to show here. */
      readonly low: LowPlan | null;
      readonly channels: readonly SharpenedChannel[];
    };
