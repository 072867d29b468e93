/** The statistics of an area that a task reports, under its names for them. */
export interface Summary {
  /** Pixels that counted: unmasked and finite. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  /** The deviation of the population, not of a sample of it. */
  readonly std: number;
  readonly variance: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly p10: number;
  readonly p90: number;
}

/**
 * The summary of the values that are unmasked and finite; null when there are none. The result does not depend on the
 * order of the pixels; percentiles interpolate linearly, as in NumPy.
 */
export function summarize(values: Float32Array, mask: Uint8Array | null): Summary | null {
  const sums = makeMomentSums();
  sums.add(values, mask);
  const moments = sums.finish();
  return moments === null ? null : toSummary(moments, makeSample(values, mask));
}

/** The statistics of a sample whose moments are known. */
export function toSummary(moments: Moments, sample: Pick<Sample, 'count' | 'valuesAt'>): Summary {
  const { count, min, max, mean: average, std, variance } = moments;
  const found = percentilesOf(sample, [10, 25, 50, 75, 90]);
  const [p10, q1, median, q3, p90] = found as [number, number, number, number, number];
  return { count, min, max, average, std, variance, q1, median, q3, p10, p90 };
}

/** Extent, mean and spread of the values that count. */
export interface Moments {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** The population's: the mean squared distance from the mean. */
  readonly variance: number;
  readonly std: number;
}

/** Sums over all planes added; the result does not depend on the order of the values, not even in the last bit. */
export interface MomentSums {
  /** Adds the values that are unmasked and finite; a null mask takes all. */
  add(values: Float32Array, mask: Uint8Array | null): void;
  /** Null as long as no value counted. */
  finish(): Moments | null;
}

/** Signs and exponents that a float32 can have, and the three sums of each. */
const KINDS = 512;
const SUMS = 3;
const HALF = 2 ** 24;
/** A float32 is a multiple of this, its smallest step. */
const UNIT_EXPONENT = -149;

/**
 * Sums numbers exactly. A float32 is a whole number below 2²⁴ times a power of two, so per sign and exponent the whole
 * numbers and the upper and lower halves of their squares are added without rounding, for up to 2²⁹ values; they are
 * combined only at the end. Areas can therefore be read in any pieces and by any number of threads.
 */
export function makeMomentSums(): MomentSums {
  const sums = new Float64Array(KINDS * SUMS);
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  return {
    add(values, mask) {
      const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
      for (let i = 0; i < values.length; i++) {
        if (mask !== null && mask[i] === 0) continue;
        const word = bits[i]!;
        const kind = word >>> 23;
        if ((kind & 0xff) === 0xff) continue; // NaN or infinite
        const value = values[i]!;
        if (value < min) min = value;
        if (value > max) max = value;
        const whole = (kind & 0xff) === 0 ? word & 0x7fffff : (word & 0x7fffff) | 0x800000;
        const square = whole * whole;
        const upper = (square / HALF) | 0;
        sums[SUMS * kind]! += whole;
        sums[SUMS * kind + 1]! += upper;
        sums[SUMS * kind + 2]! += square - upper * HALF;
        count++;
      }
    },
    finish: () => toMoments(sums, { count, min, max }),
  };
}

/** How many values were added, and the ends of them. */
interface Extent {
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Moments from the sums of each sign and exponent (the upper 9 bits of a float32): whole numbers, upper halves of their
 * squares, lower halves. Null without values.
 */
export function toMoments(sums: Float64Array, { count, min, max }: Extent): Moments | null {
  // No negative zero.
  return count === 0 ? null : { count, min: min + 0, max: max + 0, ...combine(sums, BigInt(count)) };
}

/** Mean and variance from the exact sums, rounded once. */
function combine(sums: Float64Array, count: bigint) {
  let sum = 0n;
  let squares = 0n;
  for (let kind = 0; kind < KINDS; kind++) {
    const [first, upper, lower] = [sums[SUMS * kind]!, sums[SUMS * kind + 1]!, sums[SUMS * kind + 2]!];
    if (first === 0 && upper === 0 && lower === 0) continue;
    const whole = BigInt(first);
    // Exponent 0 marks the numbers without a leading 1; they have the step of exponent 1.
    const shift = BigInt(Math.max(1, kind & 0xff) - 1);
    sum += (kind >= 256 ? -whole : whole) << shift;
    const square = BigInt(upper) * BigInt(HALF) + BigInt(lower);
    squares += square << (2n * shift);
  }
  const mean = divide(sum, count, UNIT_EXPONENT);
  const variance = divide(count * squares - sum * sum, count * count, 2 * UNIT_EXPONENT);
  return { mean, variance, std: Math.sqrt(variance) };
}

/** `numerator / denominator · 2^exponent` to the precision of a double. */
function divide(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator < 0n) return -divide(-numerator, denominator, exponent);
  // Enough bits of a whole quotient for any double: 53 and a few for rounding.
  const shift = 64 - bitsOf(numerator) + bitsOf(denominator);
  const quotient =
    shift > 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift));
  return Number(quotient) * 2 ** (exponent - shift);
}

const bitsOf = (value: bigint): number => 4 * value.toString(16).length;

/**
 * The bits of float32 numbers as integers of the same order: those of negative numbers are inverted, the others moved
 * above them.
 */
export const toKey = (bits: number): number => (bits ^ ((bits >> 31) | 0x80000000)) >>> 0;

/** The inverse of `toKey`. */
export const fromKey = (key: number): number => (key >>> 31 === 1 ? key & 0x7fffffff : ~key) >>> 0;

/**
 * The k-th smallest values of a sample, exact and in linear time: float32 numbers sort like the 32-bit integers made of
 * their bits, so histograms of the upper 11, the middle 11 and the lower 10 bits find the values of all wanted ranks in
 * three passes. Nothing is sorted or rounded, and no order of the values makes it slow.
 */
interface Sample {
  /** How many values count: unmasked and finite. */
  readonly count: number;
  /** True when all of them are whole numbers. */
  readonly isWhole: boolean;
  /** The values of ranks, from 0 (the smallest) to `count - 1`. */
  valuesAt(ranks: readonly number[]): number[];
}

/** The bits that are all set in NaN and infinities. */
const EXPONENT = 0x7f800000;

const UPPER_SHIFT = 21;
const MIDDLE_SHIFT = 10;
const BINS = 1 << 11;
const LOWER_BINS = 1 << MIDDLE_SHIFT;

/** Takes the values that are unmasked and finite; a null mask takes all. Four bytes of work memory per value. */
export function makeSample(values: Float32Array, mask: Uint8Array | null): Sample {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const all = new Uint32Array(values.length);
  const upper = new Uint32Array(BINS);
  let count = 0;
  let isWhole = true;
  for (let i = 0; i < values.length; i++) {
    const word = bits[i]!;
    if ((mask !== null && mask[i] === 0) || (word & EXPONENT) === EXPONENT) continue; // masked, NaN or infinite
    const key = toKey(word);
    upper[key >>> UPPER_SHIFT]!++;
    all[count++] = key;
    if (isWhole) isWhole = Math.floor(values[i]!) === values[i];
  }
  const keys = all.subarray(0, count);
  return { count, isWhole, valuesAt: (ranks) => findValues(keys, upper, ranks) };
}

function findValues(keys: Uint32Array, upper: Uint32Array, ranks: readonly number[]): number[] {
  const first = ranks.map((rank) => findBin(upper, rank));
  const upperSlots = numberBins(first, BINS);
  const middle = new Uint32Array(upperSlots.count * BINS);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const slot = upperSlots.of[key >>> UPPER_SHIFT]!;
    if (slot !== 0) middle[(slot - 1) * BINS + ((key >>> MIDDLE_SHIFT) & (BINS - 1))]!++;
  }

  const second = first.map(({ bin, rest }) => {
    const from = (upperSlots.of[bin]! - 1) * BINS;
    const found = findBin(middle.subarray(from, from + BINS), rest);
    return { bin: from + found.bin, rest: found.rest };
  });
  const middleSlots = numberBins(second, middle.length);
  const lower = new Uint32Array(middleSlots.count * LOWER_BINS);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const above = upperSlots.of[key >>> UPPER_SHIFT]!;
    if (above === 0) continue;
    const slot = middleSlots.of[(above - 1) * BINS + ((key >>> MIDDLE_SHIFT) & (BINS - 1))]!;
    if (slot !== 0) lower[(slot - 1) * LOWER_BINS + (key & (LOWER_BINS - 1))]!++;
  }

  return second.map(({ bin, rest }, i) => {
    const from = (middleSlots.of[bin]! - 1) * LOWER_BINS;
    const last = findBin(lower.subarray(from, from + LOWER_BINS), rest).bin;
    const key = (first[i]!.bin << UPPER_SHIFT) | ((bin % BINS) << MIDDLE_SHIFT) | last;
    return new Float32Array(Uint32Array.of(fromKey(key)).buffer)[0]! + 0; // no negative zero
  });
}

interface FoundBin {
  readonly bin: number;
  /** The rank within the bin. */
  readonly rest: number;
}

function findBin(histogram: Uint32Array, rank: number): FoundBin {
  let rest = rank;
  for (let bin = 0; bin < histogram.length; bin++) {
    const inBin = histogram[bin]!;
    if (rest < inBin) return { bin, rest };
    rest -= inBin;
  }
  throw new RangeError(`Rank ${rank} is outside the sample of ${rank - rest} values.`);
}

/** Numbers the bins that hold a wanted rank, from 1 on; 0 is for all others. */
function numberBins(found: readonly FoundBin[], bins: number) {
  const of = new Uint16Array(bins);
  let count = 0;
  for (const { bin } of found) if (of[bin] === 0) of[bin] = ++count;
  return { of, count };
}

/**
 * Percentiles (0 to 100) of a sample that is not empty. Between two values of the sample it interpolates linearly, like
 * NumPy's default and Hyndman and Fan's type 7.
 */
export function percentilesOf(
  sample: Pick<Sample, 'count' | 'valuesAt'>,
  percents: readonly number[],
): number[] {
  const last = sample.count - 1;
  const positions = percents.map((percent) => (Math.min(100, Math.max(0, percent)) / 100) * last);
  const ranks = positions.flatMap((position) => [Math.floor(position), Math.ceil(position)]);
  const values = sample.valuesAt(ranks);
  return positions.map((position, i) => {
    const below = values[2 * i]!;
    return below + (position - Math.floor(position)) * (values[2 * i + 1]! - below);
  });
}

/** Equal bins over a range; values outside are not counted. */
export interface HistogramBins {
  readonly min: number;
  readonly max: number;
  readonly bins: number;
}

/**
 * Counts values in equal bins as NumPy does: a value on the edge of two counts for the upper one, except for the upper end
 * of the last bin. NaN and values outside are not counted.
 */
export function countBins(values: Float32Array, { min, max, bins }: HistogramBins): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  const scale = bins / (max - min);
  const edgeOf = (bin: number): number => (bin === bins ? max : min + bin * ((max - min) / bins));
  for (const value of values) {
    if (!(value >= min && value <= max)) continue;
    let bin = Math.min(bins - 1, Math.floor((value - min) * scale));
    // The product is rounded: the edges themselves decide.
    if (value < edgeOf(bin)) bin -= 1;
    else if (bin < bins - 1 && value >= edgeOf(bin + 1)) bin += 1;
    counts[bin]! += 1;
  }
  return counts;
}
