import { writeNearest } from "./near";
import { colsOf, rowsOf } from "./row-positions";
import { byteOf, HALF, LARGEST, SHIFT } from "./stretch";
import { areCellsWhole, CellPart, cellPart, WarpJob } from "./warp-job";
import { areClose, closeLanes, closeWords, wordsAt } from "./word-lanes";

/**
 * The nearest neighbours of three planes of 16-bit words as RGBA: `near` and `stretch` in one pass, without the floats
 * between them. `ranges` are those of `stretch`. All words of the window are data; what lies outside of it is
 * transparent. Returns 1 when no pixel is transparent.
 */
export function nearWords(job: WarpJob, red: usize, green: usize, blue: usize, rgba: usize, ranges: usize): i32 {
  let isOpaque = areCellsWhole(job);
  if (!isOpaque) memory.fill(rgba, 0, <usize>(job.targetWidth * job.targetHeight) << 2);
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    for (let row = part.minRow; row < part.maxRow; row++) {
      writeNearest(job, part, row);
      if (!paintRow(job, part, row, red, green, blue, rgba, ranges)) isOpaque = false;
    }
  }
  return i32(isOpaque);
}

/** Lanes are four neighbouring target pixels. Constants are read from memory, where V8 does not rebuild them. */
function paintRow(
  job: WarpJob, part: CellPart, row: i32, red: usize, green: usize, blue: usize, rgba: usize, ranges: usize,
): bool {
  const half = v128.load32_splat(HALF);
  const largest = v128.load32_splat(LARGEST);
  const shift = v128.load32_splat(SHIFT);
  const redLow = v128.load32_splat(ranges);
  const redTimes = v128.load32_splat(ranges, 4);
  const redBy = v128.load32_splat(ranges, 8);
  const greenLow = v128.load32_splat(ranges, 12);
  const greenTimes = v128.load32_splat(ranges, 16);
  const greenBy = v128.load32_splat(ranges, 20);
  const blueLow = v128.load32_splat(ranges, 24);
  const blueTimes = v128.load32_splat(ranges, 28);
  const blueBy = v128.load32_splat(ranges, 32);
  const width = i32x4.splat(job.windowWidth);
  const height = i32x4.splat(job.windowHeight);
  const count = part.maxCol - part.minCol;
  const end = colsOf(job) + (<usize>count << 2);
  const toRows = rowsOf(job) - colsOf(job);
  let isOpaque = true;
  let to = rgba + (<usize>(row * job.targetWidth + part.minCol) << 2);
  // Past the end of the row there are up to three unused positions, see fixed-positions.ts.
  for (let at = colsOf(job); at < end; at += 16, to += 16) {
    let cols = v128.load(at);
    let rows = v128.load(at + toRows);
    // Unsigned, so that positions before the window are too large as well.
    const inside = v128.and(i32x4.lt_u(cols, width), i32x4.lt_u(rows, height));
    const isWhole = at + 16 <= end && i32x4.all_true(inside);
    if (!isWhole) {
      cols = v128.and(cols, inside);
      rows = v128.and(rows, inside);
    }
    const bytes = i32x4.shl(i32x4.add(i32x4.mul(rows, width), cols), 1);
    let reds: v128;
    let greens: v128;
    let blues: v128;
    if (areClose(cols, rows)) {
      const lanes = closeLanes(cols);
      const from = <usize>i32x4.extract_lane(bytes, 0);
      reds = closeWords(red + from, lanes);
      greens = closeWords(green + from, lanes);
      blues = closeWords(blue + from, lanes);
    } else {
      reds = wordsAt(red, bytes);
      greens = wordsAt(green, bytes);
      blues = wordsAt(blue, bytes);
    }
    const r = byteOf(reds, redLow, redTimes, redBy, half, largest, shift);
    const g = byteOf(greens, greenLow, greenTimes, greenBy, half, largest, shift);
    const b = byteOf(blues, blueLow, blueTimes, blueBy, half, largest, shift);
    // The bits above the lowest byte of each are shifted out, or lie under the alpha.
    const pixels = v128.or(
      v128.or(r, i32x4.shl(g, 8)),
      v128.or(i32x4.shl(b, 16), i32x4.splat(0xff000000)),
    );
    if (isWhole) {
      v128.store(to, pixels);
      continue;
    }
    const seen = v128.and(pixels, inside);
    const left = <i32>min<usize>((end - at) >> 2, 4);
    for (let lane = 0; lane < left; lane++) {
      const pixel = laneOf(seen, lane);
      if (pixel == 0) isOpaque = false;
      store<u32>(to + (<usize>lane << 2), pixel);
    }
  }
  return isOpaque;
}

// @ts-ignore: decorator
@inline function laneOf(values: v128, lane: i32): u32 {
  if (lane == 0) return i32x4.extract_lane(values, 0);
  if (lane == 1) return i32x4.extract_lane(values, 1);
  return lane == 2 ? i32x4.extract_lane(values, 2) : i32x4.extract_lane(values, 3);
}
