import { internal } from '../errors.ts';
import type { Allocate, KernelPlanes, Kernels } from '../raster/index.ts';
import type { Stretch } from './curve.ts';
import { isCurved, toCurveThresholds } from './curve.ts';
import { makeStepSearch, writeSearch } from './step-search.ts';

/** Eight-bit pixels in the kernels' memory, four bytes each: red, green, blue, alpha. */
export interface PaintedPlanes {
  readonly rgbaAt: number;
  /** True when every alpha is 255, so that formats without alpha lose nothing. */
  readonly isOpaque: boolean;
}

/**
 * Paints one band grey or three bands red, green and blue: `(value - min) / (max - min) * 255`, clamped and rounded
 * half up, one stretch per band; a curve bends the fraction first. Masked pixels and NaN are transparent black; infinities are black or full. With `min`
 * above `max` the image is inverted; with both equal, values above are full and all others black.
 */
export function paintPlanes(
  kernels: Kernels,
  allocate: Allocate,
  { planes, stretches }: { readonly planes: KernelPlanes; readonly stretches: readonly Stretch[] },
): PaintedPlanes {
  const { width, height, bandsAt, maskAt } = planes;
  if ((bandsAt.length !== 1 && bandsAt.length !== 3) || stretches.length !== bandsAt.length) {
    throw internal('stretch-mismatch', 'A picture takes one or three bands and a stretch for each.');
  }
  const count = width * height;
  const rgbaAt = allocate(count * 4);
  const [red, green = red, blue = red] = bandsAt as readonly [number, number?, number?];
  if (stretches.some(isCurved)) {
    const jobsAt = allocate(3 * 4);
    const jobs = [0, 1, 2].map((channel) =>
      writeCurve(kernels, allocate, stretches[channel] ?? stretches[0]!),
    );
    new Uint32Array(kernels.buffer(), jobsAt, 3).set(jobs);
    const isOpaque = kernels.run.paintCurves(red, green, blue, maskAt, rgbaAt, count, jobsAt) === 1;
    return { rgbaAt, isOpaque };
  }
  const rangesAt = allocate(3 * 3 * 4);
  const buffer = kernels.buffer();
  const ranges = new Float32Array(buffer, rangesAt, 9);
  for (const channel of [0, 1, 2]) ranges.set(toRange(stretches[channel] ?? stretches[0]!), channel * 3);
  const isOpaque = kernels.run.stretch(red, green, blue, maskAt, rgbaAt, count, rangesAt) === 1;
  return { rgbaAt, isOpaque };
}

/** Beyond this, 255 times a value may overflow float32, so the factor goes into the divisor. */
const HUGE = 1e30;

/** The parameters of the kernel: an offset, a factor and a divisor, applied in this order. */
function toRange({ min, max }: Stretch): [low: number, times: number, by: number] {
  const span = max - min;
  return Math.abs(span) < HUGE ? [min, 255, span] : [min, 1, span / 255];
}

/** With four times as many, no bucket of a square root has two thresholds. */
const CURVE_BUCKETS = 8_192;

/** Writes the thresholds between the 256 levels of a channel; returns the address of the search. */
function writeCurve(kernels: Kernels, allocate: Allocate, stretch: Stretch): number {
  const { thresholds, slots } = toCurveThresholds(stretch);
  return writeSearch(kernels, allocate, {
    search: makeStepSearch(thresholds, CURVE_BUCKETS),
    slots,
    hole: 0,
  });
}
