import { median3 } from "./median-of-9";
import { paddedAt, paddedStride, repeatEdges } from "./padded-plane";
import { copyTaps } from "./unknown-taps";

/** Pixels of four windows, 16 bytes each. */
export const TAPS = memory.data(25 * 16, 16);
/** Bytes from one row of them to the next. */
const TAPS_ROW: usize = 5 * 16;

/**
 * The median of the 5 × 5 pixels around each pixel of a padded plane; of an even number of known ones the mean of the
 * middle two. Unknown pixels stay unknown. `columns` has room for six padded rows.
 */
export function medianOf25(from: usize, to: usize, width: i32, height: i32, columns: usize): void {
  for (let y: usize = 0; y < <usize>height; y++) {
    sortColumns(from, width, y, columns);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const own = v128.load(paddedAt(from, width, x, y));
      const isKnown = f32x4.eq(own, own);
      const median = v128.any_true(isKnown) ? medianAt(from, width, x, y, columns) : own;
      v128.store(paddedAt(to, width, x, y), v128.bitselect(median, own, isKnown));
    }
  }
  repeatEdges(to, width, height);
}

/**
 * Sorts the five pixels around a row in every column, which five windows share: five rows in `columns`, lowest first,
 * then a row of sums, which are NaN where a pixel is unknown.
 */
export function sortColumns(from: usize, width: i32, y: usize, columns: usize): void {
  const row = paddedStride(width) << 2;
  const at = from + y * row;
  for (let offset: usize = 0; offset < row; offset += 16) {
    const top = at + offset;
    const sum = f32x4.add(
      f32x4.add(f32x4.add(v128.load(top), v128.load(top + row)), f32x4.add(v128.load(top + 2 * row), v128.load(top + 3 * row))),
      v128.load(top + 4 * row),
    );
    v128.store(columns + 5 * rowOf(width) + offset, sum);
    sort5(top, row, columns + offset, rowOf(width));
  }
}

/** Bytes from one row of `columns` to the next: whole groups of four pixels, and one more to read. */
// @ts-ignore: decorator
@inline function rowOf(width: i32): usize {
  return ((paddedStride(width) + 7) & ~3) << 2;
}

/** The median of the windows of four pixels, of a row whose columns are sorted. */
// @ts-ignore: decorator
@inline export function medianAt(from: usize, width: i32, x: usize, y: usize, columns: usize): v128 {
  const at = columns + (x << 2);
  if (anyUnknown(at + 5 * rowOf(width))) return ofKnown(windowAt(from, width, x, y), paddedStride(width));
  return selectSorted(at, rowOf(width), 4);
}

/** The address of the first pixel of a window. */
// @ts-ignore: decorator
@inline export function windowAt(from: usize, width: i32, x: usize, y: usize): usize {
  return from + ((y * paddedStride(width) + x) << 2);
}

// @ts-ignore: decorator
@inline function anyUnknown(sums: usize): bool {
  const four = f32x4.add(f32x4.add(v128.load(sums), v128.load(sums, 4)), f32x4.add(v128.load(sums, 8), v128.load(sums, 12)));
  const sum = f32x4.add(four, v128.load(sums, 16));
  return v128.any_true(f32x4.ne(sum, sum));
}

function ofKnown(at: usize, stride: usize): v128 {
  copyTaps(at, stride, 5, TAPS, true);
  const upper = medianOfTaps();
  copyTaps(at, stride, 5, TAPS, false);
  return f32x4.mul(f32x4.add(upper, medianOfTaps()), f32x4.splat(0.5));
}

/** The median of the pixels in TAPS, which changes their order. */
export function medianOfTaps(): v128 {
  for (let col: usize = 0; col < TAPS_ROW; col += 16) sort5(TAPS + col, TAPS_ROW, TAPS + col, TAPS_ROW);
  return selectSorted(TAPS, TAPS_ROW, 16);
}

/** Sorts five pixels that are `row` bytes apart, lowest first. */
// @ts-ignore: decorator
@inline function sort5(at: usize, row: usize, to: usize, toRow: usize): void {
  let a = v128.load(at);
  let b = v128.load(at + row);
  let c = v128.load(at + 2 * row);
  let d = v128.load(at + 3 * row);
  let e = v128.load(at + 4 * row);
  let low = f32x4.pmin(a, d); d = f32x4.pmax(a, d); a = low;
  low = f32x4.pmin(b, e); e = f32x4.pmax(b, e); b = low;
  low = f32x4.pmin(a, c); c = f32x4.pmax(a, c); a = low;
  low = f32x4.pmin(b, d); d = f32x4.pmax(b, d); b = low;
  low = f32x4.pmin(a, b); b = f32x4.pmax(a, b); a = low;
  low = f32x4.pmin(c, e); e = f32x4.pmax(c, e); c = low;
  low = f32x4.pmin(b, c); c = f32x4.pmax(b, c); b = low;
  low = f32x4.pmin(d, e); e = f32x4.pmax(d, e); d = low;
  low = f32x4.pmin(c, d); d = f32x4.pmax(c, d); c = low;
  v128.store(to, a);
  v128.store(to + toRow, b);
  v128.store(to + 2 * toRow, c);
  v128.store(to + 3 * toRow, d);
  v128.store(to + 4 * toRow, e);
}

/**
 * The median of 25 pixels whose columns are sorted. Were the rows sorted too, every pixel would be at least as high as
 * all that are neither below nor right of it; counting those leaves the three diagonals from bottom left to top right.
 * The highest of the first, the five of the second and the lowest of the third have the same median as all.
 */
// @ts-ignore: decorator
@inline function selectSorted(at: usize, row: usize, col: usize): v128 {
  // The two highest of the first row.
  let a = v128.load(at);
  let b = v128.load(at + col);
  let c = v128.load(at + 2 * col);
  let d = v128.load(at + 3 * col);
  let e = v128.load(at + 4 * col);
  let swap = f32x4.pmin(a, b); b = f32x4.pmax(a, b); a = swap;
  swap = f32x4.pmin(c, d); d = f32x4.pmax(c, d); c = swap;
  swap = f32x4.pmax(f32x4.pmin(b, d), f32x4.pmax(a, c));
  d = f32x4.pmax(b, d);
  const middle0 = f32x4.pmax(d, e);
  let low = f32x4.pmax(swap, f32x4.pmin(d, e));

  // The three highest of the second row.
  at += row;
  a = v128.load(at);
  b = v128.load(at + col);
  c = v128.load(at + 2 * col);
  d = v128.load(at + 3 * col);
  e = v128.load(at + 4 * col);
  swap = f32x4.pmin(a, d); d = f32x4.pmax(a, d); a = swap;
  swap = f32x4.pmin(b, e); e = f32x4.pmax(b, e); b = swap;
  swap = f32x4.pmin(a, c); c = f32x4.pmax(a, c); a = swap;
  swap = f32x4.pmin(b, d); d = f32x4.pmax(b, d); b = swap;
  b = f32x4.pmax(a, b);
  swap = f32x4.pmin(c, e); e = f32x4.pmax(c, e); c = swap;
  c = f32x4.pmax(b, c);
  swap = f32x4.pmin(d, e); e = f32x4.pmax(d, e); d = swap;
  const middle1 = f32x4.pmax(c, d);
  low = f32x4.pmax(low, f32x4.pmin(c, d));
  let high = e;

  // The three in the middle of the third row.
  at += row;
  a = v128.load(at);
  b = v128.load(at + col);
  c = v128.load(at + 2 * col);
  d = v128.load(at + 3 * col);
  e = v128.load(at + 4 * col);
  swap = f32x4.pmin(a, d); d = f32x4.pmax(a, d); a = swap;
  swap = f32x4.pmin(b, e); e = f32x4.pmax(b, e); b = swap;
  swap = f32x4.pmin(a, c); c = f32x4.pmax(a, c); a = swap;
  swap = f32x4.pmin(b, d); d = f32x4.pmax(b, d); b = swap;
  b = f32x4.pmax(a, b);
  swap = f32x4.pmin(c, e); e = f32x4.pmax(c, e); c = swap;
  swap = f32x4.pmin(b, c); c = f32x4.pmax(b, c); b = swap;
  d = f32x4.pmin(d, e);
  const middle2 = f32x4.pmin(c, d);
  low = f32x4.pmax(low, b);
  high = f32x4.pmin(high, f32x4.pmax(c, d));

  // The three lowest of the fourth row.
  at += row;
  a = v128.load(at);
  b = v128.load(at + col);
  c = v128.load(at + 2 * col);
  d = v128.load(at + 3 * col);
  e = v128.load(at + 4 * col);
  swap = f32x4.pmin(a, d); d = f32x4.pmax(a, d); a = swap;
  swap = f32x4.pmin(b, e); e = f32x4.pmax(b, e); b = swap;
  swap = f32x4.pmin(a, c); c = f32x4.pmax(a, c); a = swap;
  swap = f32x4.pmin(b, d); d = f32x4.pmax(b, d); b = swap;
  swap = f32x4.pmin(a, b); b = f32x4.pmax(a, b); a = swap;
  swap = f32x4.pmin(c, e); e = f32x4.pmax(c, e); c = swap;
  const middle3 = f32x4.pmin(b, c);
  c = f32x4.pmax(b, c);
  d = f32x4.pmin(d, e);
  low = f32x4.pmax(low, a);
  high = f32x4.pmin(high, f32x4.pmin(c, d));

  // The two lowest of the fifth row.
  at += row;
  a = v128.load(at);
  b = v128.load(at + col);
  c = v128.load(at + 2 * col);
  d = v128.load(at + 3 * col);
  e = v128.load(at + 4 * col);
  swap = f32x4.pmin(a, b); b = f32x4.pmax(a, b); a = swap;
  swap = f32x4.pmin(c, d); d = f32x4.pmax(c, d); c = swap;
  swap = f32x4.pmin(f32x4.pmax(a, c), f32x4.pmin(b, d));
  a = f32x4.pmin(a, c);
  const middle4 = f32x4.pmin(a, e);
  high = f32x4.pmin(high, f32x4.pmin(swap, f32x4.pmax(a, e)));

  return median7(low, middle0, middle1, middle2, middle3, middle4, high);
}

/** The lowest and highest of five are not the median of seven; nor are, with one of the others more, those of the rest. */
// @ts-ignore: decorator
@inline function median7(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128): v128 {
  let low = f32x4.pmin(a, b);
  const second = f32x4.pmax(a, b);
  const third = f32x4.pmin(c, d);
  let high = f32x4.pmax(c, d);
  // Of five: `first`, `fourth` and `fifth` are left.
  const first = f32x4.pmax(low, third);
  low = f32x4.pmin(low, third);
  const fourth = f32x4.pmin(second, high);
  high = f32x4.pmax(second, high);
  const fifth = f32x4.pmin(f32x4.pmax(low, e), high);
  // Of these and `f`: two are left.
  const lower = f32x4.pmax(f32x4.pmin(first, fourth), f32x4.pmin(fifth, f));
  const upper = f32x4.pmin(f32x4.pmax(first, fourth), f32x4.pmax(fifth, f));
  return median3(lower, upper, g);
}
