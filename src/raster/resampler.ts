import type { WarpKernel } from './kernels.ts';

/** What the planner and the warper must know of a method of resampling. */
export interface Resampler {
  readonly kernel: WarpKernel;
  /** How far the kernel reaches from a position, in source pixels, when not downsampling. */
  readonly radiusPx: number;
  /** Whether it reaches farther when downsampling, to take in every source pixel under a target pixel. */
  readonly isWidened: boolean;
}

/** The methods, by the names of GDAL. A further one is a line here and a file in `kernels/`. */
export const resamplers = {
  near: { kernel: 'near', radiusPx: 0, isWidened: false },
  bilinear: { kernel: 'bilinear', radiusPx: 1, isWidened: true },
} as const satisfies Readonly<Record<string, Resampler>>;

/** Name of a method of resampling. */
export type ResampleMethod = keyof typeof resamplers;

/** From GDAL: as long as target pixels are at most this many source pixels wide, nothing is widened. */
const WIDEN_FROM = 1 / 0.95;
/**
 * Widths are rounded to this part of a pixel. The true ratio changes smoothly over a scene; rounding makes it constant
 * over most tiles, so that neighbours are filtered alike, and keeps 2:1 and 3:1 exact.
 */
const STEPS_PER_PX = 64;

/** Half the width of the kernel in source pixels, x and y, where a target pixel spans this many source pixels. */
export function kernelSupport(
  resampler: Resampler,
  ratioX: number,
  ratioY: number,
): readonly [x: number, y: number] {
  if (!resampler.isWidened || (ratioX <= WIDEN_FROM && ratioY <= WIDEN_FROM)) {
    return [resampler.radiusPx, resampler.radiusPx];
  }
  const widen = (ratio: number): number =>
    (resampler.radiusPx * Math.max(STEPS_PER_PX, Math.round(ratio * STEPS_PER_PX))) / STEPS_PER_PX;
  return [widen(ratioX), widen(ratioY)];
}
