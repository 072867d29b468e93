// Division of whole numbers of 128 bits, as `divide` in src/numbers/summary.ts does it with those of any size.

/** The product of `multiply`: its upper and its lower 64 bits. */
export let leftBits: u64 = 0;
export let rightBits: u64 = 0;

/** Multiplies two numbers of 64 bits to one of 128. */
export function multiply(a: u64, b: u64): void {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const low = aLow * bLow;
  const middle = aHigh * bLow + (low >> 32);
  const crossed = aLow * bHigh + (middle & 0xffffffff);
  leftBits = aHigh * bHigh + (middle >> 32) + (crossed >> 32);
  rightBits = (crossed << 32) | (low & 0xffffffff);
}

/**
 * (`left`, `right`) · 2^`shift` / `denominator` · 2^`exponent` to the precision of a double. The numerator has up to 127
 * bits, the denominator 29. The quotient has 64 bits and a few: numbers count in steps of four bits, as hexadecimal digits.
 */
export function divide(left: u64, right: u64, denominator: u32, shift: i32, exponent: i32): f64 {
  if ((left | right) == 0) return 0;
  const bits = 128 - <i32>(left != 0 ? clz(left) : 64 + clz(right));
  const scale = 64 - ((bits + shift + 3) & ~3) + ((32 - <i32>clz(denominator) + 3) & ~3);
  const move = shift + scale;
  if (move >= 64) {
    left = right << (move - 64);
    right = 0;
  } else if (move > 0) {
    left = (left << move) | (right >> (64 - move));
    right <<= move;
  } else if (move <= -64) {
    right = left >> (-move - 64);
    left = 0;
  } else if (move < 0) {
    right = (right >> -move) | (left << (64 + move));
    left >>= -move;
  }
  const upper = left / denominator;
  let rest = ((left % denominator) << 32) | (right >> 32);
  const middle = rest / denominator;
  rest = ((rest % denominator) << 32) | (right & 0xffffffff);
  const lower = (middle << 32) | (rest / denominator);
  // a bit below the ones that count decides like all bits below it
  const quotient =
    upper == 0 ? <f64>lower : <f64>((upper << 56) | (lower >> 8) | u64((lower & 0xff) != 0)) * 256;
  return quotient * powerOfTwo(exponent - scale);
}

/** For exponents of normal numbers. */
// @ts-ignore: decorator
@inline function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>(<u64>(1023 + exponent) << 52);
}
