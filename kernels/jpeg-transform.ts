// The forward cosine transform of Loeffler, Ligtenberg and Moschytz with integers, with 13 fractional bits and 2 more
// retained between its halves: sums and roundings are those of libjpeg's accurate version, and so are the coefficients.

/**
 * Pairs of factors times 2^13, named below after the output they make. In memory, because V8 rebuilds a constant of 128
 * bits wherever it is used: a fifth of the time here.
 */
const FACTORS = memory.data<i16>([
  10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433, // 0.541196100 + 0.765366865, 0.541196100
  4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704, // 0.541196100, 0.541196100 - 1.847759065
  -6436, 9633, -6436, 9633, -6436, 9633, -6436, 9633, // 1.175875602 - 1.961570560, 1.175875602
  9633, 6437, 9633, 6437, 9633, 6437, 9633, 6437, // 1.175875602, 1.175875602 - 0.390180644
  -4927, -7373, -4927, -7373, -4927, -7373, -4927, -7373, // 0.298631336 - 0.899976223, -0.899976223
  -7373, 4926, -7373, 4926, -7373, 4926, -7373, 4926, // -0.899976223, 1.501321110 - 0.899976223
  -4176, -20995, -4176, -20995, -4176, -20995, -4176, -20995, // 2.053119869 - 2.562915447, -2.562915447
  -20995, 4177, -20995, 4177, -20995, 4177, -20995, 4177, // -2.562915447, 3.072711026 - 2.562915447
], 16);
/** Half of what is dropped after the first and the second half. */
const ROUNDS = memory.data<i32>([1024, 1024, 1024, 1024, 16384, 16384, 16384, 16384], 16);

/**
 * Transforms a block of samples to quantised coefficients; `inverses` and `halves` are of its table, see jpeg-job.ts.
 */
export function transform(block: usize, inverses: usize, halves: usize): void {
  half(block, false, 0, 0);
  half(block, true, inverses, halves);
}

/** Transposes the block, and transforms its columns; the second time these are the original's columns. */
// @ts-ignore: decorator
@inline function half(block: usize, isSecond: bool, inverses: usize, halves: usize): void {
  const r0 = v128.load(block);
  const r1 = v128.load(block, 16);
  const r2 = v128.load(block, 32);
  const r3 = v128.load(block, 48);
  const r4 = v128.load(block, 64);
  const r5 = v128.load(block, 80);
  const r6 = v128.load(block, 96);
  const r7 = v128.load(block, 112);
  const a0 = low16(r0, r1);
  const a1 = high16(r0, r1);
  const a2 = low16(r2, r3);
  const a3 = high16(r2, r3);
  const a4 = low16(r4, r5);
  const a5 = high16(r4, r5);
  const a6 = low16(r6, r7);
  const a7 = high16(r6, r7);
  const b0 = low32(a0, a2);
  const b1 = high32(a0, a2);
  const b2 = low32(a1, a3);
  const b3 = high32(a1, a3);
  const b4 = low32(a4, a6);
  const b5 = high32(a4, a6);
  const b6 = low32(a5, a7);
  const b7 = high32(a5, a7);
  const c0 = low64(b0, b4);
  const c1 = high64(b0, b4);
  const c2 = low64(b1, b5);
  const c3 = high64(b1, b5);
  const c4 = low64(b2, b6);
  const c5 = high64(b2, b6);
  const c6 = low64(b3, b7);
  const c7 = high64(b3, b7);

  const s0 = i16x8.add(c0, c7);
  const s1 = i16x8.add(c1, c6);
  const s2 = i16x8.add(c2, c5);
  const s3 = i16x8.add(c3, c4);
  const e0 = i16x8.add(s0, s3);
  const e3 = i16x8.sub(s0, s3);
  const e1 = i16x8.add(s1, s2);
  const e2 = i16x8.sub(s1, s2);
  put(block, 0, whole(i16x8.add(e0, e1), isSecond), isSecond, inverses, halves);
  put(block, 4, whole(i16x8.sub(e0, e1), isSecond), isSecond, inverses, halves);
  const evenLow = low16(e3, e2);
  const evenHigh = high16(e3, e2);
  const f2 = v128.load(FACTORS);
  const f6 = v128.load(FACTORS, 16);
  put(block, 2, turned(evenLow, evenHigh, f2, isSecond), isSecond, inverses, halves);
  put(block, 6, turned(evenLow, evenHigh, f6, isSecond), isSecond, inverses, halves);

  const d4 = i16x8.sub(c3, c4);
  const d5 = i16x8.sub(c2, c5);
  const d6 = i16x8.sub(c1, c6);
  const d7 = i16x8.sub(c0, c7);
  const z3 = i16x8.add(d4, d6);
  const z4 = i16x8.add(d5, d7);
  const zLow = low16(z3, z4);
  const zHigh = high16(z3, z4);
  const fz3 = v128.load(FACTORS, 32);
  const fz4 = v128.load(FACTORS, 48);
  const z3Low = rounded(zLow, fz3, isSecond);
  const z3High = rounded(zHigh, fz3, isSecond);
  const z4Low = rounded(zLow, fz4, isSecond);
  const z4High = rounded(zHigh, fz4, isSecond);
  const outerLow = low16(d4, d7);
  const outerHigh = high16(d4, d7);
  const f7 = v128.load(FACTORS, 64);
  const f1 = v128.load(FACTORS, 80);
  put(block, 7, joined(outerLow, outerHigh, f7, z3Low, z3High, isSecond), isSecond, inverses, halves);
  put(block, 1, joined(outerLow, outerHigh, f1, z4Low, z4High, isSecond), isSecond, inverses, halves);
  const innerLow = low16(d5, d6);
  const innerHigh = high16(d5, d6);
  const f5 = v128.load(FACTORS, 96);
  const f3 = v128.load(FACTORS, 112);
  put(block, 5, joined(innerLow, innerHigh, f5, z4Low, z4High, isSecond), isSecond, inverses, halves);
  put(block, 3, joined(innerLow, innerHigh, f3, z3Low, z3High, isSecond), isSecond, inverses, halves);
}

/** The two outputs without a factor: two bits more the first time, and both sets of two dropped the second. */
// @ts-ignore: decorator
@inline function whole(sum: v128, isSecond: bool): v128 {
  return isSecond ? i16x8.shr_s(i16x8.add(sum, i16x8.splat(2)), 2) : i16x8.shl(sum, 2);
}

// @ts-ignore: decorator
@inline function turned(low: v128, high: v128, factors: v128, isSecond: bool): v128 {
  return dropped(rounded(low, factors, isSecond), rounded(high, factors, isSecond), isSecond);
}

// @ts-ignore: decorator
@inline function joined(low: v128, high: v128, factors: v128, addLow: v128, addHigh: v128, isSecond: bool): v128 {
  return dropped(
    i32x4.add(i32x4.dot_i16x8_s(low, factors), addLow),
    i32x4.add(i32x4.dot_i16x8_s(high, factors), addHigh),
    isSecond,
  );
}

/** With half of what will be dropped. */
// @ts-ignore: decorator
@inline function rounded(values: v128, factors: v128, isSecond: bool): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(values, factors), v128.load(ROUNDS + (isSecond ? 16 : 0)));
}

/** 13 bits minus 2 the first time, 13 plus 2 the second. */
// @ts-ignore: decorator
@inline function dropped(low: v128, high: v128, isSecond: bool): v128 {
  const bits = isSecond ? 15 : 11;
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, bits), i32x4.shr_s(high, bits));
}

// @ts-ignore: decorator
@inline function put(block: usize, row: usize, values: v128, isSecond: bool, inverses: usize, halves: usize): void {
  const offset = row << 4;
  v128.store(block + offset, isSecond ? quantised(values, inverses + (offset << 1), halves + offset) : values);
}

/**
 * Divided by 8 times the step and rounded half away from zero. A magnitude is at most 1024 steps of 1 and half of 255
 * more, so with 20 bits the error of the inverse, less than a step in 2^20, has no effect: the quotient is exact.
 */
// @ts-ignore: decorator
@inline function quantised(values: v128, inverses: usize, halves: usize): v128 {
  const eighths = i16x8.shr_u(i16x8.add(i16x8.abs(values), v128.load(halves)), 3);
  const low = i32x4.mul(i32x4.extend_low_i16x8_u(eighths), v128.load(inverses));
  const high = i32x4.mul(i32x4.extend_high_i16x8_u(eighths), v128.load(inverses, 16));
  const sizes = i16x8.narrow_i32x4_s(i32x4.shr_u(low, 20), i32x4.shr_u(high, 20));
  const sign = i16x8.shr_s(values, 15);
  return i16x8.sub(v128.xor(sizes, sign), sign);
}

// @ts-ignore: decorator
@inline function low16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline function high16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @ts-ignore: decorator
@inline function low32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}

// @ts-ignore: decorator
@inline function high32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}

// @ts-ignore: decorator
@inline function low64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}

// @ts-ignore: decorator
@inline function high64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}
