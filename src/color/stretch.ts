import type { Allocate, KernelPlanes, Kernels } from '../raster/index.ts';
import { internal } from './errors.ts';
import { makeStepSearch, writeSearch } from './step-search.ts';

/**
 * The values of a band that become black and full brightness, and the way from one to the other: linear, unless there
 * is a curve.
 */
export interface Stretch {
  readonly min: number;
  readonly max: number;
  /** The fraction of the range is raised to 1 / gamma: above 1, dark ground becomes brighter. 1 when left out. */
  readonly gamma?: number;
  /** `min` and `max` are decibels, 10 log₁₀ of the values: the way between them is even in decibels. */
  readonly isDecibel?: boolean;
}

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
  const rangesAt = writeRanges(kernels, allocate, stretches);
  const isOpaque = kernels.run.stretch(red, green, blue, maskAt, rgbaAt, count, rangesAt) === 1;
  return { rgbaAt, isOpaque };
}

/** Words in the kernels' memory, of which a picture shows the nearest ones. */
interface NearestWords {
  /** Positions of the picture's pixels in the window of the words: `writePositions`. */
  readonly positionsAt: number;
  /** The words of red, green and blue; one plane is grey. */
  readonly wordsAt: readonly number[];
  /** Without curves. */
  readonly stretches: readonly Stretch[];
  /** Pixels of the picture. */
  readonly count: number;
}

/** Paints what `paintPlanes` would paint of the nearest neighbours of words, in one pass and without floats. */
export function paintNearest(
  kernels: Kernels,
  allocate: Allocate,
  { positionsAt, wordsAt, stretches, count }: NearestWords,
): PaintedPlanes {
  const rgbaAt = allocate(count * 4);
  const rangesAt = writeRanges(kernels, allocate, stretches);
  const [red, green = red, blue = red] = wordsAt as readonly [number, number?, number?];
  const isOpaque = kernels.run.nearWords(positionsAt, red, green, blue, rgbaAt, rangesAt) === 1;
  return { rgbaAt, isOpaque };
}

/** Writes the parameters of three channels; returns their address. */
function writeRanges(kernels: Kernels, allocate: Allocate, stretches: readonly Stretch[]): number {
  const rangesAt = allocate(3 * 3 * 4);
  const ranges = new Float32Array(kernels.buffer(), rangesAt, 9);
  for (const channel of [0, 1, 2]) ranges.set(toRange(stretches[channel] ?? stretches[0]!), channel * 3);
  return rangesAt;
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
  // The kernel of curves looks values up in another way, so that it needs no entries.
  const search = makeStepSearch(thresholds, CURVE_BUCKETS);
  return writeSearch(kernels, allocate, { search, slots, entries: null, hole: 0 });
}

/** Whether brightness is not linear in the value. */
export const isCurved = ({ gamma = 1, isDecibel = false }: Stretch): boolean => gamma !== 1 || isDecibel;

/** The value that is shown with a fraction of full brightness: the inverse of the stretch. */
export function valueAt({ min, max, gamma = 1, isDecibel = false }: Stretch, brightness: number): number {
  const value = min + (max - min) * (gamma === 1 ? brightness : brightness ** gamma);
  return isDecibel ? 10 ** (value / 10) : value;
}

const LEVELS = 256;

/** Thresholds between levels, ascending, and the level by the number of thresholds not above a value. */
interface CurveThresholds {
  readonly thresholds: readonly number[];
  readonly slots: Uint8Array;
}

/**
 * A curve as thresholds: levels are rounded half up, so each begins half a level before its value. A threshold is exact
 * whatever the curve, and looking it up costs the same for all of them.
 */
function toCurveThresholds(stretch: Stretch): CurveThresholds {
  const slots = Uint8Array.from({ length: LEVELS }, (_, level) => level);
  const thresholds = toLevelThresholds(stretch);
  if (stretch.min <= stretch.max) return { thresholds, slots };
  return { thresholds: thresholds.reverse(), slots: slots.reverse() };
}

/** The lowest value of each grey level from 1 on; an empty range is a step. */
export function toLevelThresholds(stretch: Stretch): number[] {
  const { min, max } = stretch;
  return Array.from({ length: LEVELS - 1 }, (_, i) =>
    min === max ? nextAbove(valueAt(stretch, 0)) : valueAt(stretch, (i + 0.5) / (LEVELS - 1)),
  );
}

/** The next float32 above a value, so that no float32 lies between. */
export function nextAbove(value: number): number {
  const float = new Float32Array([value]);
  if (float[0] === 0) return 2 ** -149;
  const bits = new Int32Array(float.buffer);
  bits[0]! += float[0]! > 0 ? 1 : -1;
  return float[0]!;
}
