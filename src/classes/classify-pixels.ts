/** From layers of values to a map of classes with their areas and a histogram: pure, and the work of a thread. */
import type { Grid } from '../geo/index.ts';
import { countBins, findOtsuThreshold, sieve } from '../numbers/index.ts';
import { GROUND_BLOCK_PX, makePixelHectares } from '../zonal/measuring.ts';
import { unsupported } from './errors.ts';

/** Values of an expression on the pixels around the area; NaN, or 0 in the mask, where a pixel has none. */
export interface ValueLayer {
  readonly values: Float32Array;
  readonly mask: Uint8Array | null;
}

/** What is classified. */
export interface ClassifyRequest {
  readonly layer: ValueLayer;
  /** Subtracted from the layer, pixel by pixel; null for none. */
  readonly minus: ValueLayer | null;
  readonly grid: Grid;
  /** 1 for pixels of the area. */
  readonly inside: Uint8Array;
  /** Ascending; `otsu` finds the one that separates two groups best. */
  readonly thresholds: readonly number[] | 'otsu';
  /** Bins of the histogram. */
  readonly bins: number;
  /** Its range; null for that of nearly all values. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** Smaller patches become part of their largest neighbour. */
  readonly minHectares: number;
}

/** One class: all pixels with values from one threshold up to the next. */
export interface MeasuredClass {
  /** From 1, for the lowest values. */
  readonly number: number;
  /** Null for no bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly pixels: number;
  readonly hectares: number;
  /** The percentage of the ground that has a value. */
  readonly percent: number;
  /** Null for a class without a pixel. */
  readonly mean: number | null;
}

/** The histogram of the values. */
export interface ValueHistogram {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
  /** Values outside of the range. */
  readonly below: number;
  readonly above: number;
}

/** A map of classes, and what is known about it. */
export interface ClassifiedPixels {
  /** The number of each pixel's class; 0 outside the area and where there is no value. */
  readonly classes: Uint8Array<ArrayBuffer>;
  readonly thresholds: readonly number[];
  /** How well Otsu's threshold separates; null for given thresholds. */
  readonly separability: number | null;
  readonly measured: readonly MeasuredClass[];
  readonly histogram: ValueHistogram;
  /** The whole area, with the pixels that have no value. */
  readonly area: { readonly pixels: number; readonly hectares: number };
  readonly clear: { readonly pixels: number; readonly hectares: number };
}

/** Bins in which Otsu's threshold is searched. */
const OTSU_BINS = 256;
/** Values that are sorted to find the range of nearly all of them. */
const SAMPLE = 50_000;
/** The part of the values at either end that a histogram leaves out: single pixels can have any value. */
const TAIL = 0.001;

/** Classifies and counts. */
export function classifyPixels(request: ClassifyRequest): ClassifiedPixels {
  const { grid, inside, minHectares } = request;
  const values = toValues(request);
  const range = request.range ?? findRange(values);
  if (range === null)
    throw unsupported(
      'no-clear-pixel',
      'No pixel of the area has a value: clouds hide it, or no data is there.',
    );
  const { thresholds, separability } = findThresholds(values, request);
  const found = assign(values, thresholds);
  const pixelHectares = makePixelHectares(grid);
  const middle = pixelHectares(
    Math.floor(grid.width / 2 / GROUND_BLOCK_PX),
    Math.floor(grid.height / 2 / GROUND_BLOCK_PX),
  );
  const minPixels = Math.ceil(minHectares / middle);
  const labels = minPixels > 1 ? sieve({ ...grid, labels: found }, minPixels) : found;
  const classes = labels as Uint8Array<ArrayBuffer>;
  const tallies = tally({ classes, values, inside, grid, count: thresholds.length + 1 }, pixelHectares);
  const [none, ...rest] = tallies as [Tally, ...Tally[]];
  const clear = {
    pixels: rest.reduce((sum, { pixels }) => sum + pixels, 0),
    hectares: rest.reduce((sum, { hectares }) => sum + hectares, 0),
  };
  return {
    classes,
    thresholds,
    separability,
    histogram: toHistogram(values, { ...range, bins: request.bins }),
    area: { pixels: clear.pixels + none.pixels, hectares: clear.hectares + none.hectares },
    clear,
    measured: rest.map(({ pixels, hectares, sum }, i) => ({
      number: i + 1,
      from: thresholds[i - 1] ?? null,
      to: thresholds[i] ?? null,
      pixels,
      hectares,
      percent: clear.hectares === 0 ? 0 : (100 * hectares) / clear.hectares,
      mean: pixels === 0 ? null : sum / pixels,
    })),
  };
}

/** The values that are classified; NaN where there is none. */
function toValues({ layer, minus, inside }: ClassifyRequest): Float32Array {
  const at = ({ values, mask }: ValueLayer, i: number): number =>
    mask !== null && mask[i] === 0 ? Number.NaN : values[i]!;
  // Loops, here and below: `from` and `filter` would copy millions of values into lists first.
  const values = new Float32Array(inside.length).fill(Number.NaN);
  for (let i = 0; i < values.length; i++) {
    if (inside[i] !== 1) continue;
    const value = minus === null ? at(layer, i) : at(layer, i) - at(minus, i);
    if (Number.isFinite(value)) values[i] = value;
  }
  return values;
}

/** The range of nearly all values, by every n-th of them; null if there are none. */
function findRange(values: Float32Array): { readonly min: number; readonly max: number } | null {
  let known = 0;
  for (const value of values) if (!Number.isNaN(value)) known++;
  const step = Math.max(1, Math.floor(known / SAMPLE));
  const sample = new Float32Array(Math.ceil(known / step));
  let seen = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (seen % step === 0) sample[seen / step] = value;
    seen++;
  }
  sample.sort();
  const cut = Math.floor(TAIL * sample.length);
  const [min, max] = [sample[cut], sample[sample.length - 1 - cut]];
  if (min === undefined || max === undefined) return null;
  return min < max ? { min, max } : { min: min - 0.5, max: max + 0.5 };
}

function findThresholds(
  values: Float32Array,
  { thresholds }: ClassifyRequest,
): Pick<ClassifiedPixels, 'thresholds' | 'separability'> {
  if (thresholds !== 'otsu') return { thresholds, separability: null };
  const range = findRange(values);
  const counts = range === null ? [] : countBins(values, { ...range, bins: OTSU_BINS });
  const found = range === null ? null : findOtsuThreshold(counts, range);
  if (found === null)
    throw unsupported('no-threshold', 'All values are alike, so no threshold separates them; pass one.');
  // As float32: what is said is what was compared.
  return { thresholds: [Math.fround(found.threshold)], separability: found.separability };
}

/** The class of each value: how many thresholds it has reached, from 1. */
function assign(values: Float32Array, thresholds: readonly number[]): Uint8Array {
  const bounds = Float64Array.from(thresholds);
  const classes = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    let number = 1;
    for (const bound of bounds) if (value >= bound) number++;
    classes[i] = number;
  }
  return classes;
}

interface Tally {
  readonly pixels: number;
  readonly hectares: number;
  readonly sum: number;
}

/** Pixels, ground and sum of the values of each class; class 0 is ground without a value. */
function tally(
  {
    classes,
    values,
    inside,
    grid: { width, height },
    count,
  }: {
    readonly classes: Uint8Array;
    readonly values: Float32Array;
    readonly inside: Uint8Array;
    readonly grid: Grid;
    readonly count: number;
  },
  pixelHectares: (blockColumn: number, blockRow: number) => number,
): readonly Tally[] {
  const pixels = new Float64Array(count + 1);
  const hectares = new Float64Array(count + 1);
  const sums = new Float64Array(count + 1);
  const inBlock = new Uint32Array(count + 1);
  for (let top = 0; top < height; top += GROUND_BLOCK_PX) {
    for (let left = 0; left < width; left += GROUND_BLOCK_PX) {
      inBlock.fill(0);
      const bottom = Math.min(height, top + GROUND_BLOCK_PX);
      const right = Math.min(width, left + GROUND_BLOCK_PX);
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          if (inside[i] !== 1) continue;
          const own = classes[i]!;
          inBlock[own]!++;
          // A pixel without a value has no class.
          if (own !== 0) sums[own]! += values[i]!;
        }
      }
      if (!inBlock.some((some) => some > 0)) continue;
      const each = pixelHectares(left / GROUND_BLOCK_PX, top / GROUND_BLOCK_PX);
      for (const [own, some] of inBlock.entries()) {
        pixels[own]! += some;
        hectares[own]! += some * each;
      }
    }
  }
  return Array.from(pixels, (number, own) => ({ pixels: number, hectares: hectares[own]!, sum: sums[own]! }));
}

function toHistogram(
  values: Float32Array,
  bins: { readonly min: number; readonly max: number; readonly bins: number },
): ValueHistogram {
  const { min, max } = bins;
  let [below, above] = [0, 0];
  for (const value of values) {
    if (value < min) below++;
    else if (value > max) above++;
  }
  return { min, max, counts: countBins(values, bins), below, above };
}
