import type { Summary } from '../numbers/index.ts';
import { toKey } from '../numbers/index.ts';

/** Values of a shape, and the share of each pixel that it covers. */
export interface WeightedValues {
  readonly values: Float32Array;
  readonly weights: Float32Array;
}

/** Positions in a sorted list take as many bits as a float64 leaves beside 32. */
const POSITIONS = 2 ** 21;

/** The max number of values that are measured together. */
export const MAX_WEIGHTED = POSITIONS;

/**
 * Statistics of weighted values, those that are finite; null when there are none. `count` is the sum of the weights.
 * Percentiles interpolate linearly between different values that stand for as much as their weights say; where all values
 * differ and weights are equal, they are those of NumPy. The method is that of exactextract, so that numbers can be compared.
 */
export function summarizeWeighted({ values, weights }: WeightedValues): Summary | null {
  const order = sortFinite(values);
  if (order.length === 0) return null;
  const sorted = order.map((position) => values[position] as number);
  const shares = order.map((position) => weights[position] as number);
  let [count, sum] = [0, 0];
  for (let i = 0; i < order.length; i += 1) {
    count += shares[i] as number;
    sum += (shares[i] as number) * (sorted[i] as number);
  }
  const average = sum / count;
  let squares = 0;
  for (let i = 0; i < order.length; i += 1)
    squares += (shares[i] as number) * ((sorted[i] as number) - average) ** 2;
  const variance = squares / count;
  const [p10, q1, median, q3, p90] = findQuantiles(mergeEqual(sorted, shares), [0.1, 0.25, 0.5, 0.75, 0.9]);
  return {
    count,
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
    average,
    std: Math.sqrt(variance),
    variance,
    q1: q1 as number,
    median: median as number,
    q3: q3 as number,
    p10: p10 as number,
    p90: p90 as number,
  };
}

/** Positions of the finite values, the smallest first; equal ones in their order. */
function sortFinite(values: Float32Array): Float64Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const keys = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (!Number.isFinite(values[i])) continue;
    // The two zeros are equal.
    keys[count] = toKey(values[i] === 0 ? 0 : (bits[i] as number)) * POSITIONS + i;
    count += 1;
  }
  return keys
    .subarray(0, count)
    .sort()
    .map((key) => key % POSITIONS);
}

/** Different values with the weights of all that are equal. */
function mergeEqual(sorted: Float64Array, shares: Float64Array): SortedValues {
  const [values, weights] = [new Float64Array(sorted.length), new Float64Array(sorted.length)];
  let [length, count] = [0, 0];
  for (let i = 0; i < sorted.length; i += 1) {
    if (length === 0 || values[length - 1] !== sorted[i]) {
      values[length] = sorted[i] as number;
      length += 1;
    }
    weights[length - 1] = (weights[length - 1] as number) + (shares[i] as number);
    count += shares[i] as number;
  }
  return { sorted: values.subarray(0, length), shares: weights.subarray(0, length), count };
}

interface SortedValues {
  readonly sorted: Float64Array;
  readonly shares: Float64Array;
  /** The sum of the shares. */
  readonly count: number;
}

/**
 * The i-th of n values stands at i · wᵢ + (n - 1) · (the weights before it); between two of them the quantile is
 * interpolated, and the last one stands at (n - 1) · (all weights).
 */
function findQuantiles(
  { sorted, shares, count }: SortedValues,
  wanted: readonly number[],
): readonly number[] {
  const last = sorted.length - 1;
  const found: number[] = [];
  let [i, before] = [0, 0];
  /** Where a value stands, by its position and the weights before it. */
  const placeOf = (position: number, earlier: number): number =>
    position * (shares[position] as number) + last * earlier;
  for (const quantile of wanted) {
    const place = quantile * count * last;
    while (i < last && placeOf(i + 1, before + (shares[i] as number)) <= place) {
      before += shares[i] as number;
      i += 1;
    }
    const value = sorted[i] as number;
    if (i === last) {
      found.push(value);
      continue;
    }
    const [here, next] = [placeOf(i, before), placeOf(i + 1, before + (shares[i] as number))];
    found.push(value + ((place - here) * ((sorted[i + 1] as number) - value)) / (next - here));
  }
  return found;
}
