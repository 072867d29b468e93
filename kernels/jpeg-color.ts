// Converts red, green and blue to luma and two chroma differences as JFIF defines them, minus 128. The factors are
// those of libjpeg, with 16 fractional bits, so that its pictures and ours are the same. A word of two bytes splits
// into red and blue, and green and alpha: dot products of such pairs are half of the sum.

// Constants of 128 bits are in memory: V8 rebuilds literal ones wherever they are used, half of the time here.
const FACTORS = memory.data<i16>([
  19595, 7471, 19595, 7471, 19595, 7471, 19595, 7471, // 0.299 R, 0.114 B
  -27066, 0, -27066, 0, -27066, 0, -27066, 0, // (0.587 - 1) G
  11059, -32768, 11059, -32768, 11059, -32768, 11059, -32768, // 0.16874 R, -0.5 B
  21709, 0, 21709, 0, 21709, 0, 21709, 0, // 0.33126 G
  -32768, 5329, -32768, 5329, -32768, 5329, -32768, 5329, // -0.5 R, 0.08131 B
  27439, 0, 27439, 0, 27439, 0, 27439, 0, // 0.41869 G
], 16);
const LOW_BYTES = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
/**
 * A half minus 128; a half minus one unit of its last bit, because it is subtracted from; and the rounding of means of
 * four.
 */
const ROUNDS = memory.data<i32>([
  -8355840, -8355840, -8355840, -8355840, 32767, 32767, 32767, 32767, 1, 2, 1, 2,
], 16);

// @ts-ignore: decorator
@inline function redBlue(pixels: v128): v128 {
  return v128.and(pixels, v128.load(LOW_BYTES));
}

// @ts-ignore: decorator
@inline function greenAlpha(pixels: v128): v128 {
  return i16x8.shr_u(pixels, 8);
}

/**
 * 0.299 R + 0.587 G + 0.114 B; green's factor is too large for 16 bits, so it is reduced by one, and green is added.
 */
// @ts-ignore: decorator
@inline function brightness(rb: v128, ga: v128): v128 {
  const part = i32x4.add(
    i32x4.dot_i16x8_s(rb, v128.load(FACTORS)),
    i32x4.dot_i16x8_s(ga, v128.load(FACTORS, 16)),
  );
  const sum = i32x4.add(part, i32x4.shl(ga, 16));
  return i32x4.shr_s(i32x4.add(sum, v128.load(ROUNDS)), 16);
}

/** -0.1687 R - 0.3313 G + 0.5 B; computed with the opposite sign, since 16 bits hold -0.5 but not 0.5. */
// @ts-ignore: decorator
@inline function blueness(rb: v128, ga: v128): v128 {
  return difference(
    i32x4.dot_i16x8_s(rb, v128.load(FACTORS, 32)),
    i32x4.dot_i16x8_s(ga, v128.load(FACTORS, 48)),
  );
}

/** 0.5 R - 0.4187 G - 0.0813 B. */
// @ts-ignore: decorator
@inline function redness(rb: v128, ga: v128): v128 {
  return difference(
    i32x4.dot_i16x8_s(rb, v128.load(FACTORS, 64)),
    i32x4.dot_i16x8_s(ga, v128.load(FACTORS, 80)),
  );
}

// @ts-ignore: decorator
@inline function difference(a: v128, b: v128): v128 {
  return i32x4.shr_s(i32x4.sub(v128.load(ROUNDS, 16), i32x4.add(a, b)), 16);
}

/** Eight pixels per row, eight rows, to one block of luma and, unless `grey`, two of chroma after it. */
// @ts-ignore: decorator
@inline export function toFullBlocks(from: usize, rowBytes: usize, blocks: usize, grey: bool): void {
  for (let to = blocks; to < blocks + 128; to += 16, from += rowBytes) {
    const left = v128.load(from);
    const right = v128.load(from, 16);
    const rb0 = redBlue(left);
    const ga0 = greenAlpha(left);
    const rb1 = redBlue(right);
    const ga1 = greenAlpha(right);
    v128.store(to, i16x8.narrow_i32x4_s(brightness(rb0, ga0), brightness(rb1, ga1)));
    if (grey) continue;
    v128.store(to, i16x8.narrow_i32x4_s(blueness(rb0, ga0), blueness(rb1, ga1)), 128);
    v128.store(to, i16x8.narrow_i32x4_s(redness(rb0, ga0), redness(rb1, ga1)), 256);
  }
}

/** 16 x 16 pixels to four blocks of luma (upper left, upper right, lower left, lower right) and two of chroma. */
export function toHalvedBlocks(from: usize, rowBytes: usize, blocks: usize): void {
  for (let pair: usize = 0; pair < 8; pair++, from += 2 * rowBytes) {
    // After the first four pairs of rows come the lower blocks.
    const bright = blocks + (pair << 5) + ((pair & 4) << 5);
    const color = blocks + 512 + (pair << 4);
    halfPair(from, rowBytes, bright, color);
    halfPair(from + 32, rowBytes, bright + 128, color + 8);
  }
}

/** Eight pixels of two rows. */
// @ts-ignore: decorator
@inline function halfPair(upper: usize, rowBytes: usize, bright: usize, color: usize): void {
  const lower = upper + rowBytes;
  const p0 = v128.load(upper);
  const p1 = v128.load(upper, 16);
  const p2 = v128.load(lower);
  const p3 = v128.load(lower, 16);
  const rb0 = redBlue(p0);
  const rb1 = redBlue(p1);
  const rb2 = redBlue(p2);
  const rb3 = redBlue(p3);
  const ga0 = greenAlpha(p0);
  const ga1 = greenAlpha(p1);
  const ga2 = greenAlpha(p2);
  const ga3 = greenAlpha(p3);
  v128.store(bright, i16x8.narrow_i32x4_s(brightness(rb0, ga0), brightness(rb1, ga1)));
  v128.store(bright, i16x8.narrow_i32x4_s(brightness(rb2, ga2), brightness(rb3, ga3)), 16);
  const blues = i16x8.narrow_i32x4_s(
    i32x4.add(blueness(rb0, ga0), blueness(rb2, ga2)),
    i32x4.add(blueness(rb1, ga1), blueness(rb3, ga3)),
  );
  const reds = i16x8.narrow_i32x4_s(
    i32x4.add(redness(rb0, ga0), redness(rb2, ga2)),
    i32x4.add(redness(rb1, ga1), redness(rb3, ga3)),
  );
  const means = i16x8.narrow_i32x4_s(meanOfFour(blues), meanOfFour(reds));
  v128.store64_lane(color, means, 0);
  v128.store64_lane(color, means, 1, 128);
}

/** Sums of two pixels to means of four; halves and quarters are rounded down and up in turn, as in libjpeg. */
// @ts-ignore: decorator
@inline function meanOfFour(sums: v128): v128 {
  return i32x4.shr_s(i32x4.add(i32x4.extadd_pairwise_i16x8_s(sums), v128.load(ROUNDS, 32)), 2);
}
