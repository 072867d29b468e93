/** Extent, mean and spread of the values that count. */
export interface Moments {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Of the population: the mean squared distance from the mean. */
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
    if (sums[SUMS * kind] === 0) continue;
    const whole = BigInt(sums[SUMS * kind]!);
    // Exponent 0 marks the numbers without a leading 1; they have the step of exponent 1.
    const shift = BigInt(Math.max(1, kind & 0xff) - 1);
    sum += (kind >= 256 ? -whole : whole) << shift;
    const square = BigInt(sums[SUMS * kind + 1]!) * BigInt(HALF) + BigInt(sums[SUMS * kind + 2]!);
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
