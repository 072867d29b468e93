/**
 * The k-th smallest values of a sample, exact and in linear time: float32 numbers sort like the 32-bit integers made of
 * their bits, so a histogram of the upper 16 bits finds the bin of each rank and one of the lower 16 bits the value.
 * Nothing is sorted or rounded, and no arrangement of the values makes it slow.
 */
export interface Sample {
  /** How many values count: unmasked and finite. */
  readonly count: number;
  /** True when all of them are whole numbers. */
  readonly isWhole: boolean;
  /** The value of a rank, from 0 (the smallest) to `count - 1`. */
  valueAt(rank: number): number;
}

const BINS = 65_536;

/** Takes the values whose mask is 1 and that are finite; null as mask takes all. */
export function makeSample(values: Float32Array, mask: Uint8Array | null): Sample {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const upper = new Uint32Array(BINS);
  let count = 0;
  let isWhole = true;
  for (let i = 0; i < values.length; i++) {
    if (mask !== null && mask[i] === 0) continue;
    const value = values[i]!;
    if (value - value !== 0) continue; // NaN or infinite
    const bin = toKey(bits[i]!) >>> 16;
    upper[bin] = upper[bin]! + 1;
    count++;
    isWhole &&= Number.isInteger(value);
  }

  const lowerOf = new Map<number, Uint32Array>();
  const countLower = (bin: number): Uint32Array => {
    const lower = new Uint32Array(BINS);
    for (let i = 0; i < values.length; i++) {
      const key = toKey(bits[i]!);
      if (key >>> 16 !== bin || (mask !== null && mask[i] === 0)) continue;
      const place = key & 0xffff;
      lower[place] = lower[place]! + 1;
    }
    return lower;
  };
  return {
    count,
    isWhole,
    valueAt: (rank) => {
      const [bin, before] = findBin(upper, rank);
      const lower = lowerOf.get(bin) ?? countLower(bin);
      lowerOf.set(bin, lower);
      const [place] = findBin(lower, rank - before);
      return fromKey(((bin << 16) | place) >>> 0) + 0; // no negative zero
    },
  };
}

/** The bin in which a rank falls, and how many values lie in the bins before it. */
function findBin(histogram: Uint32Array, rank: number): [bin: number, before: number] {
  let before = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    const inBin = histogram[bin]!;
    if (rank < before + inBin) return [bin, before];
    before += inBin;
  }
  throw new RangeError(`Rank ${rank} is outside the sample of ${before} values.`);
}

/** Bits of a float32 to an integer of the same order: negatives are turned round, the others moved above them. */
const toKey = (bits: number): number => (bits >>> 31 === 1 ? ~bits : bits | 0x80000000) >>> 0;

function fromKey(key: number): number {
  const word = new Uint32Array([key >>> 31 === 1 ? key & 0x7fffffff : ~key]);
  return new Float32Array(word.buffer)[0]!;
}
