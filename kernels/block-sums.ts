/** Values of a block: as many as four lanes of 1,024 can add up without rounding. */
export const BLOCK_BYTES: usize = 4_096 << 2;
/**
 * Exponents between the smallest and the greatest value of a block. A value is then a whole number below 2⁴³ of steps of
 * the smallest exponent, and 1,024 of them are below 2⁵³: float64 numbers add them up exactly.
 */
export const MAX_SPAN: u32 = 19;
/**
 * Squares are below 2⁸⁶ square steps. They are added to a number of 2⁹⁶, where float64 numbers are multiples of 2⁴⁴, and
 * stay below twice of it; what each addition rounds off is at most 2⁴³, and is added up by itself.
 */
const START: u64 = 96;
const UPPER: u64 = 44;
/** The exponent of a float64 number and of the step of a float32, by how they are stored. */
const BIAS: u64 = 1023;
const STEP: u64 = 150;
/** Sums are split into digits of so many bits; those that remain go to the kind that is so many exponents above. */
const DIGIT: u64 = 24;
const DIGIT_MASK: u64 = (1 << 24) - 1;
/** Blocks with greater exponents have no such kind. */
export const MAX_BASE: u32 = 254 - 24;

/**
 * Adds up finite values of a block, whose number is a multiple of four, and their squares, exactly: into the sums of the kind
 * of `base`, the smallest exponent of a value that is not zero, and of the kind 24 exponents above it. `table` has
 * `kindBytes` for each kind: whole numbers, upper and lower halves of their squares. Counts the values in `bins` of their
 * upper halves, in the same loop: sums wait for sums, and bins for memory.
 */
export function addBlock(
  from: usize, end: usize, base: u32, table: usize, kindBytes: usize, bins: usize,
): void {
  const zero = f64x2.splat(0);
  const start = f64x2.splat(power(START + 2 * <u64>base - 2 * STEP));
  let sums0 = zero;
  let sums1 = zero;
  let upper0 = start;
  let upper1 = start;
  let lower0 = zero;
  let lower1 = zero;
  for (let at = from; at < end; at += 16) {
    const four = v128.load(at);
    const first = f64x2.promote_low_f32x4(four);
    const second = f64x2.promote_low_f32x4(v128.shuffle<i32>(four, four, 2, 3, 2, 3));
    sums0 = f64x2.add(sums0, first);
    sums1 = f64x2.add(sums1, second);
    const square0 = f64x2.mul(first, first);
    const square1 = f64x2.mul(second, second);
    const next0 = f64x2.add(upper0, square0);
    const next1 = f64x2.add(upper1, square1);
    lower0 = f64x2.add(lower0, f64x2.sub(square0, f64x2.sub(next0, upper0)));
    lower1 = f64x2.add(lower1, f64x2.sub(square1, f64x2.sub(next1, upper1)));
    upper0 = next0;
    upper1 = next1;
    countFour(at, bins);
  }
  const kind = table + <usize>base * kindBytes;
  const above = <usize>DIGIT * kindBytes;
  const sum = sumLanes(sums0, sums1, power(STEP - base));
  const size = <u64>(sum < 0 ? -sum : sum);
  const signed = sum < 0 ? kind + 256 * kindBytes : kind;
  addTo(signed, size & DIGIT_MASK);
  addTo(signed + above, size >>> DIGIT);

  // upper · 2⁴⁴ + lower, in 128 bits
  const upper = <u64>sumLanes(f64x2.sub(upper0, start), f64x2.sub(upper1, start), power(2 * STEP - 2 * base - UPPER));
  const lower = sumLanes(lower0, lower1, power(2 * STEP - 2 * base));
  const right = (upper << UPPER) + <u64>lower;
  const left = (upper >>> (64 - UPPER)) + <u64>(lower >> 63) + u64(right < <u64>lower);
  addTo(kind + 16, right & DIGIT_MASK);
  addTo(kind + 8, (right >>> DIGIT) & DIGIT_MASK);
  addTo(kind + above + 16, ((right >>> (2 * DIGIT)) | (left << (64 - 2 * DIGIT))) & DIGIT_MASK);
  addTo(kind + above + 8, left >>> (3 * DIGIT - 64));
}

/** Counts four values by their upper halves. */
// @ts-ignore: decorator
@inline export function countFour(at: usize, bins: usize): void {
  countOne(at, bins);
  countOne(at + 4, bins);
  countOne(at + 8, bins);
  countOne(at + 12, bins);
}

// @ts-ignore: decorator
@inline export function countOne(at: usize, bins: usize): void {
  const bin = bins + (<usize>load<u16>(at, 2) << 2);
  store<u32>(bin, load<u32>(bin) + 1);
}

/** Two to the power of an exponent, which wraps around below zero. */
// @ts-ignore: decorator
@inline function power(exponent: u64): f64 {
  return reinterpret<f64>((exponent + BIAS) << 52);
}

/** Four lanes as whole numbers of steps. */
// @ts-ignore: decorator
@inline function sumLanes(first: v128, second: v128, scale: f64): i64 {
  return <i64>(f64x2.extract_lane(first, 0) * scale) + <i64>(f64x2.extract_lane(first, 1) * scale)
    + <i64>(f64x2.extract_lane(second, 0) * scale) + <i64>(f64x2.extract_lane(second, 1) * scale);
}

// @ts-ignore: decorator
@inline function addTo(at: usize, more: u64): void {
  store<u64>(at, load<u64>(at) + more);
}
