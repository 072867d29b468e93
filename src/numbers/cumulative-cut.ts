import { makeSample } from './order-statistics.ts';
import { percentilesOf } from './percentiles.ts';

/** The range that the contrast of a band is cut to. */
export interface ContrastRange {
  readonly min: number;
  readonly max: number;
}

/** A band's sample and where to cut it. */
export interface CumulativeCut {
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
