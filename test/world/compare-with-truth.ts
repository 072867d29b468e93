import type { PixelArray } from '../../src/raster/index.ts';
import type { Noise } from './stated-noise.ts';

/** A band of a product compared with what an ideal instrument would have seen. */
interface Comparison {
  readonly stored: PixelArray;
  /** Physical values of the stored numbers, and of numbers half a unit below and above. */
  readonly values: Float32Array;
  readonly below: Float32Array;
  readonly above: Float32Array;
  readonly truth: Float32Array;
  readonly noise: Noise;
  /** The number of pixels that were not measured; null when all were. */
  readonly nodata: number | null;
  /** The smallest and the largest number that can be stored: what is darker or brighter gets them too. */
  readonly limits: readonly [number, number];
}

/** How a band differs from the truth, in deviations that noise and rounding together have. */
export interface Difference {
  /** Pixels whose number no limit has touched; all measured ones. */
  readonly count: number;
  readonly measured: number;
  readonly mean: number;
  readonly deviation: number;
  /** Measured pixels that are further off than noise and rounding can be. */
  readonly outliers: number;
  /** By pixel; not a number where a limit is near. */
  readonly offs: Float32Array;
}

/** The writers' noise is never beyond 3.45 deviations. */
const FARTHEST = 3.46;

/** Compares every measured pixel with the truth. */
export function compareWithTruth(comparison: Comparison): Difference {
  const { stored, values, below, above, truth, noise, nodata, limits } = comparison;
  const offs = new Float32Array(stored.length).fill(Number.NaN);
  let [count, measured, sum, squares, outliers] = [0, 0, 0, 0, 0];
  const [min, max] = limits;
  // values at the limits, where some pixel has them; otherwise nothing was clipped
  const valueFor = (number: number, without: number) => {
    const at = stored.indexOf(number as never);
    return at < 0 ? without : values[at]!;
  };
  const [dark, bright] = [valueFor(min, -Infinity), valueFor(max, Infinity)];
  for (let i = 0; i < stored.length; i++) {
    const number = stored[i]!;
    if (number === nodata) continue;
    measured++;
    const is = truth[i]!;
    const step = above[i]! - below[i]!;
    const spread = Math.sqrt(noise.dark ** 2 + noise.shot * Math.max(0, is));
    // float32 numbers of kelvin have steps of 3e-5
    const slack = FARTHEST * spread + 0.501 * step + 1e-6 + 2e-7 * Math.abs(is);
    const off = values[i]! - is;
    const isCut = (number === min && off > 0) || (number === max && off < 0);
    if (!(Math.abs(off) <= slack) && !isCut) outliers++;
    // chosen by the truth: choosing by the stored value would prefer one sign of the noise
    if (is < dark + slack + step || is > bright - slack - step) continue;
    const share = off / Math.sqrt(spread ** 2 + step ** 2 / 12);
    offs[i] = share;
    count++;
    sum += share;
    squares += share * share;
  }
  const mean = sum / count;
  return { count, measured, mean, deviation: Math.sqrt(squares / count - mean * mean), outliers, offs };
}
