import { makeMomentSums, makeSample, percentilesOf } from './summary.ts';

/** The range that the contrast of a band is cut to. */
export interface ContrastRange {
  readonly min: number;
  readonly max: number;
}

/** Values of a band or expression; only unmasked, finite values count. */
export interface IntensitySample {
  readonly values: Float32Array;
  /** 1 where there is data; null when everywhere. */
  readonly mask: Uint8Array | null;
}

/** The methods to find an intensity range. */
export type IntensityRule =
  /** Between two percentiles; the only one that corrects for clouds. Its percentage is 0 for no correction. */
  | {
      readonly method: 'cc';
      readonly lowPercent: number;
      readonly highPercent: number;
      readonly cloudPercent: number;
    }
  /** This many standard deviations around the mean; with 0 both ends are the mean. */
  | { readonly method: 'mean'; readonly multiplier: number }
  | { readonly method: 'minmax' }
  /** Min to max value without the thin tails of the histogram. */
  | { readonly method: 'histogram' };

/** Bins of the method "histogram", and the share of the sample below which a bin at an end is a tail. */
const BINS = 256;

const TAIL_SHARE = 0.0005;

/**
 * The intensity range of a sample, null when it is empty. Only "cc" widens a range without extent: the other methods
 * return what they found, and painting handles it.
 */
export function intensityRange(sample: IntensitySample, rule: IntensityRule): ContrastRange | null {
  const { values, mask } = sample;
  if (rule.method === 'cc') return cumulativeCut({ values, mask, ...rule });
  if (rule.method === 'mean') return aroundMean(sample, rule.multiplier);
  const extent = extentOf(sample);
  if (extent === null) return null;
  return rule.method === 'minmax' ? { min: extent.min, max: extent.max } : withoutTails(sample, extent);
}

function aroundMean({ values, mask }: IntensitySample, multiplier: number): ContrastRange | null {
  const sums = makeMomentSums();
  sums.add(values, mask);
  const moments = sums.finish();
  if (moments === null) return null;
  const { mean, std } = moments;
  return { min: mean - multiplier * std, max: mean + multiplier * std };
}

interface Extent extends ContrastRange {
  readonly count: number;
}

function extentOf({ values, mask }: IntensitySample): Extent | null {
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if ((mask !== null && mask[i] === 0) || value - value !== 0) continue; // masked, NaN or infinite
    if (value < min) min = value;
    if (value > max) max = value;
    count++;
  }
  return count === 0 ? null : { count, min: min + 0, max: max + 0 }; // no negative zero
}

function withoutTails({ values, mask }: IntensitySample, { count, min, max }: Extent): ContrastRange {
  if (min === max) return { min, max };
  const histogram = new Uint32Array(BINS);
  const span = max - min;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if ((mask !== null && mask[i] === 0) || value - value !== 0) continue;
    histogram[Math.min(BINS - 1, Math.floor(((value - min) / span) * BINS))]!++;
  }
  // Some bin holds a 256th of the sample, so both searches end.
  const isThick = (inBin: number) => inBin >= TAIL_SHARE * count;
  const edge = (bin: number) => (bin === BINS ? max : min + (span * bin) / BINS);
  return { min: edge(histogram.findIndex(isThick)), max: edge(histogram.findLastIndex(isThick) + 1) };
}

/** A band's sample and where to cut it. */
interface CumulativeCut {
  readonly values: Float32Array;
  /** 1 where there is data; null when everywhere. */
  readonly mask: Uint8Array | null;
  readonly lowPercent: number;
  readonly highPercent: number;
  /** Cloud cover of the scene, 0 to 100, to be corrected for; 0 for no correction. */
  readonly cloudPercent: number;
}

/** Clouds are the brightest part of a scene: the upper cut is lowered by this share of their percentage. */
const CLOUD_SHARE = 0.75;

/** A relative float32 step: it widens a range so far from zero that adding a small number changes nothing. */
const FLOAT32_STEP = 2 ** -23;

/**
 * The cumulative count cut ("cc"): the range between two percentiles of the sample. Cloud correction lowers the upper
 * percentile, but leaves it at least one percent above the lower one. A range without extent is widened upward, by 1
 * for whole numbers and by 1e-6 for others. Null when the sample is empty.
 */
export function cumulativeCut(cut: CumulativeCut): ContrastRange | null {
  const sample = makeSample(cut.values, cut.mask);
  if (sample.count === 0) return null;
  const highPercent = cut.highPercent - CLOUD_SHARE * cut.cloudPercent;
  const percents = [cut.lowPercent, Math.min(100, Math.max(cut.lowPercent + 1, highPercent))];
  const [min, max] = percentilesOf(sample, percents) as [number, number];
  if (max > min) return { min, max };
  const opened = min + (sample.isWhole ? 1 : 1e-6);
  return { min, max: opened > min ? opened : min + Math.abs(min) * FLOAT32_STEP };
}

/** A contrast looks the same from about a thousand pixels per side on. */
const SAMPLE_SIDE_PX = 1024;

/** Pixels of a good sample; QGIS uses as many. */
export const SAMPLE_MIN_PIXELS = 250_000;

/**
 * How many times smaller than the full image a sample may be read, at least 1: until its longer side has 1024 pixels,
 * but long strips not below 250,000 pixels.
 */
export function toSampleReduction({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): number {
  const bySide = Math.max(width, height) / SAMPLE_SIDE_PX;
  const byCount = Math.sqrt((width * height) / SAMPLE_MIN_PIXELS);
  return Math.max(1, Math.min(bySide, byCount));
}
