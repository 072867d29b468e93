import { writeFixedWholes } from "./fixed-positions";
import { colsOf, rowsOf, writeRowWholes } from "./row-positions";
import { areWanted, CellPart, cellPart, isRowWanted, WarpJob } from "./warp-job";

/** Positions this close to the next pixel belong to it: rounding noise of an exactly aligned grid (GDAL's value). */
const NOISE: f64 = 1e-10;

/** Nearest neighbour: the source pixel in which the target pixel's centre lies. */
export function near(job: WarpJob): void {
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    for (let row = part.minRow; row < part.maxRow; row++) {
      if (!isRowWanted(job, part, row)) continue;
      writeNearest(job, part, row);
      nearRow(job, part, row);
    }
  }
}

/** Writes the columns and rows of the source pixels in which the pixels of a target row lie. */
// @ts-ignore: decorator
@inline export function writeNearest(job: WarpJob, part: CellPart, row: i32): void {
  if (!writeFixedWholes(job, part, row, NOISE)) writeRowWholes(job, part, row, NOISE);
}

/** Lanes are four neighbouring target pixels. What the loop needs of the job is read once: a store may change any field. */
function nearRow(job: WarpJob, part: CellPart, row: i32): void {
  const width = i32x4.splat(job.windowWidth);
  const height = i32x4.splat(job.windowHeight);
  const mask = job.sourceMask;
  const wanted = job.wanted;
  const targetMask = job.targetMask;
  const planes = job.source;
  const planeBytes = job.sourcePlaneBytes;
  const end = planes + planeBytes * <usize>job.bandCount;
  const targetPlaneBytes = job.targetPlaneBytes;
  const count = part.maxCol - part.minCol;
  const whole = colsOf(job) + (<usize>(count & ~3) << 2);
  const toRows = rowsOf(job) - colsOf(job);
  let to = <usize>(row * job.targetWidth + part.minCol);
  let targets = job.target + (to << 2);
  for (let at = colsOf(job); at < whole; at += 16, to += 4, targets += 16) {
    if (!areWanted(wanted, to)) continue;
    const cols = v128.load(at);
    const rows = v128.load(at + toRows);
    // Unsigned, so that positions before the window are too large as well.
    if (!i32x4.all_true(v128.and(i32x4.lt_u(cols, width), i32x4.lt_u(rows, height)))) {
      nearFour(job, at, to);
      continue;
    }
    const from = i32x4.add(i32x4.mul(rows, width), cols);
    if (mask != 0 && !areSeen(mask, from)) {
      nearFour(job, at, to);
      continue;
    }
    store<u32>(targetMask + to, 0x01010101);
    const bytes = i32x4.shl(from, 2);
    const from0 = <usize>i32x4.extract_lane(bytes, 0);
    const from1 = <usize>i32x4.extract_lane(bytes, 1);
    const from2 = <usize>i32x4.extract_lane(bytes, 2);
    const from3 = <usize>i32x4.extract_lane(bytes, 3);
    let target = targets;
    for (let source = planes; source < end; source += planeBytes, target += targetPlaneBytes) {
      let values = v128.load32_zero(source + from0);
      values = v128.load_lane<u32>(source + from1, values, 1);
      values = v128.load_lane<u32>(source + from2, values, 2);
      values = v128.load_lane<u32>(source + from3, values, 3);
      v128.store(target, values);
    }
  }
  for (let j = count & ~3; j < count; j++, to++) nearPixel(job, j, to);
}

// @ts-ignore: decorator
@inline function areSeen(mask: usize, from: v128): bool {
  const found =
    load<u8>(mask + <usize>i32x4.extract_lane(from, 0)) & load<u8>(mask + <usize>i32x4.extract_lane(from, 1)) &
    load<u8>(mask + <usize>i32x4.extract_lane(from, 2)) & load<u8>(mask + <usize>i32x4.extract_lane(from, 3));
  return (found & 1) != 0;
}

function nearFour(job: WarpJob, at: usize, to: usize): void {
  const first = <i32>((at - colsOf(job)) >> 2);
  for (let lane = 0; lane < 4; lane++) nearPixel(job, first + lane, to + lane);
}

function nearPixel(job: WarpJob, j: i32, to: usize): void {
  const width = job.windowWidth;
  const height = job.windowHeight;
  const offset = <usize>j << 2;
  const col = load<i32>(colsOf(job) + offset);
  const row = load<i32>(rowsOf(job) + offset);
  if (<u32>col >= <u32>width || <u32>row >= <u32>height) return;
  const from = <usize>(row * width + col);
  if (job.sourceMask != 0 && (load<u8>(job.sourceMask + from) & 1) == 0) return;
  store<u8>(job.targetMask + to, 1);
  let source = job.source + (from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < job.bandCount; band++) {
    store<f32>(target, load<f32>(source));
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
}

/**
 * Nearest neighbours of flags: source and target mask are bytes, and the bits of the source are added to those of the
 * target. There is no source mask, and no band. Returns 1 if there was a bit to add.
 */
export function nearFlags(job: WarpJob): i32 {
  let added: u32 = 0;
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    for (let row = part.minRow; row < part.maxRow; row++) {
      if (!isRowWanted(job, part, row)) continue;
      writeNearest(job, part, row);
      added |= flagsRow(job, part, row);
    }
  }
  return i32(added != 0);
}

/** Lanes are four neighbouring target pixels. */
function flagsRow(job: WarpJob, part: CellPart, row: i32): u32 {
  const source = job.source;
  const wanted = job.wanted;
  const width = i32x4.splat(job.windowWidth);
  const height = i32x4.splat(job.windowHeight);
  const colsAt = colsOf(job);
  const rowsAt = rowsOf(job);
  const count = part.maxCol - part.minCol;
  const first = <usize>(row * job.targetWidth + part.minCol);
  let to = job.targetMask + first;
  let added: u32 = 0;
  let j = 0;
  for (; j + 4 <= count; j += 4, to += 4) {
    if (!areWanted(wanted, first + <usize>j)) continue;
    const cols = v128.load(colsAt + (<usize>j << 2));
    const rows = v128.load(rowsAt + (<usize>j << 2));
    if (!i32x4.all_true(v128.and(i32x4.lt_u(cols, width), i32x4.lt_u(rows, height)))) {
      for (let lane = 0; lane < 4; lane++) added |= flagPixel(job, j + lane, to + lane);
      continue;
    }
    const from = i32x4.add(i32x4.mul(rows, width), cols);
    const flags =
      <u32>load<u8>(source + <usize>i32x4.extract_lane(from, 0)) |
      (<u32>load<u8>(source + <usize>i32x4.extract_lane(from, 1)) << 8) |
      (<u32>load<u8>(source + <usize>i32x4.extract_lane(from, 2)) << 16) |
      (<u32>load<u8>(source + <usize>i32x4.extract_lane(from, 3)) << 24);
    store<u32>(to, load<u32>(to) | flags);
    added |= flags;
  }
  for (; j < count; j++, to++) added |= flagPixel(job, j, to);
  return added;
}

function flagPixel(job: WarpJob, j: i32, to: usize): u32 {
  const col = load<i32>(colsOf(job) + (<usize>j << 2));
  const row = load<i32>(rowsOf(job) + (<usize>j << 2));
  if (<u32>col >= <u32>job.windowWidth || <u32>row >= <u32>job.windowHeight) return 0;
  const flags = load<u8>(job.source + <usize>(row * job.windowWidth + col));
  store<u8>(to, load<u8>(to) | flags);
  return flags;
}

/**
 * Writes where the nearest neighbour of each target pixel lies, a plane of u32 at `target`: its place in the window, or the
 * one after the last where there is none. Planes of the same window need it once.
 */
export function nearPlaces(job: WarpJob): void {
  const width = job.windowWidth;
  const height = job.windowHeight;
  const none = <u32>(width * height);
  // Cells without a position are left out. Planes have room after them.
  const end = job.target + (<usize>(job.targetWidth * job.targetHeight) << 2);
  for (let to = job.target; to < end; to += 16) v128.store(to, i32x4.splat(none));
  for (let i = 0; i < job.cellCount; i++) {
    const part = cellPart(job, i);
    const count = part.maxCol - part.minCol;
    for (let row = part.minRow; row < part.maxRow; row++) {
      writeNearest(job, part, row);
      let to = job.target + (<usize>(row * job.targetWidth + part.minCol) << 2);
      for (let j = 0; j < count; j++, to += 4) {
        const fromCol = load<u32>(colsOf(job) + (<usize>j << 2));
        const fromRow = load<u32>(rowsOf(job) + (<usize>j << 2));
        const isInside = fromCol < <u32>width && fromRow < <u32>height;
        store<u32>(to, isInside ? fromRow * <u32>width + fromCol : none);
      }
    }
  }
}

/**
 * Adds the flags at these places to those of the target, like `nearFlags`; there is a flag of 0 after the last of the
 * window. Returns 1 if there was a bit to add.
 */
export function gatherFlags(places: usize, source: usize, flags: usize, count: u32, wanted: usize): i32 {
  let added: u32 = 0;
  let i: usize = 0;
  for (; i + 4 <= <usize>count; i += 4) {
    if (!areWanted(wanted, i)) continue;
    const at = places + (i << 2);
    const found =
      <u32>load<u8>(source + <usize>load<u32>(at)) |
      (<u32>load<u8>(source + <usize>load<u32>(at, 4)) << 8) |
      (<u32>load<u8>(source + <usize>load<u32>(at, 8)) << 16) |
      (<u32>load<u8>(source + <usize>load<u32>(at, 12)) << 24);
    store<u32>(flags + i, load<u32>(flags + i) | found);
    added |= found;
  }
  for (; i < <usize>count; i++) {
    const found = load<u8>(source + <usize>load<u32>(places + (i << 2)));
    store<u8>(flags + i, load<u8>(flags + i) | found);
    added |= found;
  }
  return i32(added != 0);
}
