// Words of four neighbouring target pixels, for the kernels that sample windows of 16-bit words.

/**
 * Whether one load holds the words of four pixels, as it mostly does: they lie in one row, and none more than seven
 * words to the right of the first.
 */
// @ts-ignore: decorator
@inline export function areClose(cols: v128, rows: v128): bool {
  const ahead = i32x4.sub(cols, v128.shuffle<i32>(cols, cols, 0, 0, 0, 0));
  const sameRow = i32x4.eq(rows, v128.shuffle<i32>(rows, rows, 0, 0, 0, 0));
  return i32x4.all_true(v128.and(sameRow, i32x4.lt_u(ahead, i32x4.splat(8))));
}

/** Which bytes after the first pixel's word each lane takes: its word, and zeros above it. */
// @ts-ignore: decorator
@inline export function closeLanes(cols: v128): v128 {
  const ahead = i32x4.sub(cols, v128.shuffle<i32>(cols, cols, 0, 0, 0, 0));
  return i32x4.add(v128.or(i32x4.shl(ahead, 1), i32x4.shl(ahead, 9)), i32x4.splat(0x80800100));
}

/** Four words as floats: those that are close. `at` is the address of the first; planes have room after them. */
// @ts-ignore: decorator
@inline export function closeWords(at: usize, lanes: v128): v128 {
  return f32x4.convert_i32x4_s(i8x16.swizzle(v128.load(at), lanes));
}

/** Four words as floats, each by its place in the plane in bytes. */
// @ts-ignore: decorator
@inline export function wordsAt(plane: usize, bytes: v128): v128 {
  let words = v128.load_lane<u16>(plane + <usize>i32x4.extract_lane(bytes, 0), i32x4.splat(0), 0);
  words = v128.load_lane<u16>(plane + <usize>i32x4.extract_lane(bytes, 1), words, 2);
  words = v128.load_lane<u16>(plane + <usize>i32x4.extract_lane(bytes, 2), words, 4);
  words = v128.load_lane<u16>(plane + <usize>i32x4.extract_lane(bytes, 3), words, 6);
  return f32x4.convert_i32x4_s(words);
}
