/*
 * Scenes of a stack, sixteen pixels at a time. A scene is a table of u32 addresses: its mask, then its float32 channels.
 * It is clear in a pixel where its mask is odd (an address of 0 stands for a mask of ones) and all channels are numbers.
 */

/** Pixels that are handled at a time: one vector of masks, four vectors of each channel. */
// @ts-ignore: decorator
@inline export const BLOCK: u32 = 16;

const LANES = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 16);

/** The bytes of the block's pixels that lie before the end of a plane: all bits of each, or none. */
// @ts-ignore: decorator
@inline export function insideOf(left: u32): v128 {
  return i8x16.lt_u(v128.load(LANES), i8x16.splat(<i8>min(left, BLOCK)));
}

/** All bits of each byte whose pixel is clear. */
// @ts-ignore: decorator
@inline export function clearOf(scene: usize, channelCount: u32, first: usize, inside: v128): v128 {
  let clear = inside;
  const mask = <usize>load<u32>(scene);
  if (mask != 0) {
    const odd = v128.and(v128.load(mask + first), i8x16.splat(1));
    clear = v128.and(clear, i8x16.eq(odd, i8x16.splat(1)));
    if (!v128.any_true(clear)) return clear;
  }
  for (let channel: usize = 1; channel <= <usize>channelCount; channel++) {
    clear = v128.and(clear, numbersOf(<usize>load<u32>(scene + (channel << 2)) + (first << 2)));
  }
  return clear;
}

/** All bits of each byte whose float is a number. */
// @ts-ignore: decorator
@inline export function numbersOf(values: usize): v128 {
  const a = v128.load(values);
  const b = v128.load(values, 16);
  const c = v128.load(values, 32);
  const d = v128.load(values, 48);
  return toBytes(f32x4.eq(a, a), f32x4.eq(b, b), f32x4.eq(c, c), f32x4.eq(d, d));
}

/** Sixteen lanes of all or no bits as bytes. */
// @ts-ignore: decorator
@inline export function toBytes(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
}

/** Bytes of all or no bits as the lanes of four floats: those of the quarter 0 to 3 of the block. */
// @ts-ignore: decorator
@inline export function quarterOf(bytes: v128, quarter: u32): v128 {
  if (quarter == 0) return i8x16.shuffle(bytes, bytes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  if (quarter == 1) return i8x16.shuffle(bytes, bytes, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7);
  if (quarter == 2) return i8x16.shuffle(bytes, bytes, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11);
  return i8x16.shuffle(bytes, bytes, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15);
}

/** Copies those of sixteen floats whose byte has all bits. */
// @ts-ignore: decorator
@inline export function copyFloats(from: usize, to: usize, bytes: v128): void {
  v128.store(to, v128.bitselect(v128.load(from), v128.load(to), quarterOf(bytes, 0)));
  v128.store(to, v128.bitselect(v128.load(from, 16), v128.load(to, 16), quarterOf(bytes, 1)), 16);
  v128.store(to, v128.bitselect(v128.load(from, 32), v128.load(to, 32), quarterOf(bytes, 2)), 32);
  v128.store(to, v128.bitselect(v128.load(from, 48), v128.load(to, 48), quarterOf(bytes, 3)), 48);
}

/** Writes a number over those of sixteen u16 whose byte has all bits. */
// @ts-ignore: decorator
@inline export function markWords(words: usize, value: u32, bytes: v128): void {
  const marks = i16x8.splat(<i16>value);
  v128.store(words, v128.bitselect(marks, v128.load(words), i16x8.extend_low_i8x16_s(bytes)));
  v128.store(words, v128.bitselect(marks, v128.load(words, 16), i16x8.extend_high_i8x16_s(bytes)), 16);
}

/** Adds one to those of sixteen u16 whose byte has all bits, which are -1. */
// @ts-ignore: decorator
@inline export function countWords(words: usize, bytes: v128): void {
  v128.store(words, i16x8.sub(v128.load(words), i16x8.extend_low_i8x16_s(bytes)));
  v128.store(words, i16x8.sub(v128.load(words, 16), i16x8.extend_high_i8x16_s(bytes)), 16);
}
