/**
 * Adds the flags of a coarser plane to those of a finer one: each pixel of it is `times` × `times` finer ones, the first of
 * which lies `startCol` columns and `startRow` rows before those of the finer plane.
 */
export function repeatFlags(
  from: usize, fromWidth: u32, to: usize, width: u32, height: u32, times: u32, startCol: u32, startRow: u32,
): void {
  for (let row: u32 = 0; row < height; row++) {
    let source = from + <usize>((row + startRow) / times * fromWidth);
    let done = startCol;
    let at = to + <usize>(row * width);
    const end = at + <usize>width;
    while (at < end) {
      if (times == 2 && done == 0 && at + 16 <= end) {
        const eight = v128.load64_zero(source);
        const twice = i8x16.shuffle(eight, eight, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        v128.store(at, v128.or(v128.load(at), twice));
        at += 16;
        source += 8;
        continue;
      }
      store<u8>(at, load<u8>(at) | load<u8>(source));
      at++;
      if (++done == times) {
        done = 0;
        source++;
      }
    }
  }
}
