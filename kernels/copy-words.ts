/**
 * Copies rows of 16-bit samples; strides count samples. Returns 1 when a sample equals `nodata`, if there is one. Windows
 * that stay words take half the memory of floats, and nearest neighbours need no others.
 */
export function copyWords(
  from: usize, fromStride: i32, to: usize, toStride: i32, cols: i32, rows: i32, hasNodata: i32, nodata: i32,
): i32 {
  const empty = i16x8.splat(<i16>nodata);
  let equal = i16x8.splat(0);
  let found: u32 = 0;
  for (let row = 0; row < rows; row++) {
    let source = from + (<usize>(row * fromStride) << 1);
    let target = to + (<usize>(row * toStride) << 1);
    const end = source + (<usize>cols << 1);
    for (; source + 16 <= end; source += 16, target += 16) {
      const words = v128.load(source);
      equal = v128.or(equal, i16x8.eq(words, empty));
      v128.store(target, words);
    }
    for (; source < end; source += 2, target += 2) {
      const word = load<u16>(source);
      found |= u32(word == <u16>nodata);
      store<u16>(target, word);
    }
  }
  return i32(hasNodata != 0 && (found != 0 || v128.any_true(equal)));
}
