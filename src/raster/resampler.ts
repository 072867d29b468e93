import type { WarpKernel } from './kernels.ts';

/** What the planner and the warper need to know about a resampling method. */
export interface Resampler {
  readonly kernel: WarpKernel;
  /** How far the kernel reaches from a position, in source pixels, when not downsampling. */
  readonly radiusPx: number;
  /** Whether it reaches farther when downsampling, to include every source pixel under a target pixel. */
  readonly isWidened: boolean;
  /** Whether it uses the source pixels under the whole target pixel instead of those around its centre. */
  readonly isArea: boolean;
  /** What it stores of the source pixels under a target pixel: nothing, their values, or how often each occurs. */
  readonly work: 'none' | 'values' | 'counts';
}

const point = (kernel: WarpKernel): Resampler => ({
  kernel,
  radiusPx: 0,
  isWidened: false,
  isArea: false,
  work: 'none',
});
const convolution = (kernel: WarpKernel, radiusPx: number): Resampler => ({
  kernel,
  radiusPx,
  isWidened: true,
  isArea: false,
  work: 'none',
});
const area = (kernel: WarpKernel, work: Resampler['work'] = 'none'): Resampler => ({
  kernel,
  radiusPx: 0,
  isWidened: false,
  isArea: true,
  work,
});

/** The methods, by their GDAL names. Another one is a line here and a file in `kernels/`. */
export const resamplers = {
  near: point('near'),
  bilinear: convolution('bilinear', 1),
  cubic: convolution('cubic', 2),
  cubicspline: convolution('cubicspline', 2),
  lanczos: convolution('lanczos', 3),
  average: area('average'),
  mode: area('mode', 'counts'),
  max: area('max'),
  min: area('min'),
  med: area('med', 'values'),
  q1: area('q1', 'values'),
  q3: area('q3', 'values'),
} as const satisfies Readonly<Record<string, Resampler>>;

/** Name of a resampling method. */
export type ResampleMethod = keyof typeof resamplers;

/** From GDAL: the kernel is not widened as long as target pixels are at most this many source pixels wide. */
const WIDEN_FROM = 1 / 0.95;
/**
 * Widths are rounded to this fraction of a pixel. The true ratio changes smoothly over a scene; rounding makes it
 * constant over most tiles, so that neighbours are filtered alike, and keeps 2:1 and 3:1 exact.
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
