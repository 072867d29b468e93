import { fromKey, toKey } from './float-keys.ts';

/**
 * The k-th smallest values of a sample, exact and in linear time: float32 numbers sort like the 32-bit integers made of
 * their bits, so histograms of the upper 11, the middle 11 and the lower 10 bits find the values of all wanted ranks in
 * three passes. Nothing is sorted or rounded, and no order of the values makes it slow.
 */
export interface Sample {
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
