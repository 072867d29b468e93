import { COUNTS, findClear, writeClear } from "./clear-block";
import { BLOCK, quarterOf } from "./clear-pixels";

/** For each number of clear scenes, up to 64: the row of the value below (u32), and how far the next one counts (f64). */
const RANKS = memory.data(65 * 16, 16);

/** Bytes of a row: a value of each pixel of a block. */
// @ts-ignore: decorator
@inline const ROW: usize = 64;

/**
 * A percentile of each pixel over the clear ones of up to 64 scenes, whose tables follow each other at `scenes`: between
 * two values by linear interpolation. `part` 0.5 is the median. `target` is a table like a scene's. `work` has room for
 * 84 bytes a scene.
 */
export function stackPercentile(
  scenes: usize, sceneCount: u32, target: usize, counts: usize, channelCount: u32, count: u32, part: f64, work: usize,
): void {
  for (let number: usize = 1; number <= <usize>sceneCount; number++) {
    const rank = <f64>(number - 1) * part;
    store<u32>(RANKS + (number << 4), <u32>rank);
    store<f64>(RANKS + (number << 4), rank - floor(rank), 8);
  }
  const rows = work;
  const clears = rows + <usize>sceneCount * ROW;
  const found = clears + (<usize>sceneCount << 4);
  const mask = <usize>load<u32>(target);
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const number = findClear(scenes, sceneCount, channelCount, first, count, found, clears);
    writeClear(mask, counts, first, count);
    // Mostly all pixels of a block have the same clear scenes.
    const isSame = count - first >= BLOCK && i8x16.all_true(i8x16.eq(v128.load(COUNTS), i8x16.splat(<i8>number)));
    for (let channel: usize = 4; channel <= <usize>channelCount << 2; channel += 4) {
      const to = <usize>load<u32>(target + channel) + (<usize>first << 2);
      if (isSame && number == 5 && part == 0.5) {
        medianOfFive(found, channel, <usize>first << 2, to);
        continue;
      }
      for (let i: usize = 0; i < <usize>number; i++) {
        const scene = <usize>load<u32>(found + (i << 2));
        copyClear(<usize>load<u32>(scene + channel) + (<usize>first << 2), rows + i * ROW, v128.load(clears + (i << 4)));
      }
      sortRows(rows, number);
      if (isSame && number > 0) {
        pickRow(rows, number, to);
        continue;
      }
      const end = <usize>min(BLOCK, count - first);
      for (let i: usize = 0; i < end; i++) store<f32>(to + (i << 2), pick(rows + (i << 2), load<u8>(COUNTS + i)));
    }
  }
}

/** The medians of sixteen pixels of five scenes that are all clear: of the middle three without their extremes. */
function medianOfFive(scenes: usize, channel: usize, offset: usize, to: usize): void {
  const a = <usize>load<u32>(<usize>load<u32>(scenes) + channel) + offset;
  const b = <usize>load<u32>(<usize>load<u32>(scenes, 4) + channel) + offset;
  const c = <usize>load<u32>(<usize>load<u32>(scenes, 8) + channel) + offset;
  const d = <usize>load<u32>(<usize>load<u32>(scenes, 12) + channel) + offset;
  const e = <usize>load<u32>(<usize>load<u32>(scenes, 16) + channel) + offset;
  for (let i: usize = 0; i < ROW; i += 16) {
    const va = v128.load(a + i);
    const vb = v128.load(b + i);
    const vc = v128.load(c + i);
    const vd = v128.load(d + i);
    const ve = v128.load(e + i);
    // The least of two pairs and the greatest of two pairs are not the median: three are left.
    const low = f32x4.pmax(f32x4.pmin(va, vb), f32x4.pmin(vc, vd));
    const high = f32x4.pmin(f32x4.pmax(va, vb), f32x4.pmax(vc, vd));
    const least = f32x4.pmin(low, high);
    const most = f32x4.pmax(low, high);
    v128.store(to + i, f32x4.pmax(least, f32x4.pmin(most, ve)));
  }
}

/** The percentiles of sixteen pixels that are clear in all scenes, whose values are sorted. */
function pickRow(rows: usize, number: usize, to: usize): void {
  const below = rows + <usize>load<u32>(RANKS + (number << 4)) * ROW;
  const part = load<f64>(RANKS + (number << 4), 8);
  if (part == 0.0) {
    memory.copy(to, below, ROW);
    return;
  }
  const parts = f64x2.splat(part);
  for (let i: usize = 0; i < ROW; i += 16) {
    const value = v128.load(below + i);
    const above = v128.load(below + i, 64);
    const low = between(value, above, parts);
    const high = between(v128.shuffle<i64>(value, value, 1, 0), v128.shuffle<i64>(above, above, 1, 0), parts);
    // Two infinities have no difference.
    v128.store(to + i, v128.bitselect(value, v128.shuffle<i64>(low, high, 0, 2), f32x4.eq(above, value)));
  }
}

/** The values between the first two lanes of two vectors. */
// @ts-ignore: decorator
@inline function between(value: v128, above: v128, parts: v128): v128 {
  const from = f64x2.promote_low_f32x4(value);
  const step = f64x2.mul(f64x2.sub(f64x2.promote_low_f32x4(above), from), parts);
  return f32x4.demote_f64x2_zero(f64x2.add(from, step));
}

/** Copies sixteen floats; those that are not clear become infinite, which sorts them behind all others. */
// @ts-ignore: decorator
@inline function copyClear(from: usize, to: usize, clear: v128): void {
  const infinite = f32x4.splat(Infinity);
  v128.store(to, v128.bitselect(v128.load(from), infinite, quarterOf(clear, 0)));
  v128.store(to, v128.bitselect(v128.load(from, 16), infinite, quarterOf(clear, 1)), 16);
  v128.store(to, v128.bitselect(v128.load(from, 32), infinite, quarterOf(clear, 2)), 32);
  v128.store(to, v128.bitselect(v128.load(from, 48), infinite, quarterOf(clear, 3)), 48);
}

/** Sorts the values of each pixel, all pixels of the block in one go: Batcher's odd-even merge sort for any number. */
function sortRows(rows: usize, number: u32): void {
  if (number <= 5) {
    sortFew(rows, number);
    return;
  }
  for (let merged: u32 = 1; merged < number; merged <<= 1) {
    for (let apart = merged; apart >= 1; apart >>= 1) {
      for (let start = apart & (merged - 1); start + apart < number; start += apart << 1) {
        const end = min(apart, number - start - apart);
        for (let i: u32 = 0; i < end; i++) {
          const low = start + i;
          // Only rows of the same merged group are compared.
          if (((low ^ (low + apart)) & ~((merged << 1) - 1)) != 0) continue;
          const at = rows + <usize>low * ROW;
          exchange(at, at + <usize>apart * ROW);
        }
      }
    }
  }
}

/** The same for up to five scenes, which stay in registers. */
function sortFew(rows: usize, number: u32): void {
  if (number < 2) return;
  for (let at = rows; at < rows + ROW; at += 16) {
    let a = v128.load(at);
    let b = v128.load(at, 64);
    let c = number > 2 ? v128.load(at, 128) : f32x4.splat(Infinity);
    let d = number > 3 ? v128.load(at, 192) : f32x4.splat(Infinity);
    let e = f32x4.splat(Infinity);
    let low = f32x4.pmin(a, b);
    b = f32x4.pmax(a, b);
    a = low;
    if (number > 2) {
      low = f32x4.pmin(c, d);
      d = f32x4.pmax(c, d);
      c = low;
      low = f32x4.pmin(a, c);
      c = f32x4.pmax(a, c);
      a = low;
      low = f32x4.pmin(b, d);
      d = f32x4.pmax(b, d);
      b = low;
      low = f32x4.pmin(b, c);
      c = f32x4.pmax(b, c);
      b = low;
      if (number > 4) {
        // The fifth sinks to its place.
        e = v128.load(at, 256);
        low = f32x4.pmin(a, e);
        e = f32x4.pmax(a, e);
        a = low;
        low = f32x4.pmin(b, e);
        e = f32x4.pmax(b, e);
        b = low;
        low = f32x4.pmin(c, e);
        e = f32x4.pmax(c, e);
        c = low;
        low = f32x4.pmin(d, e);
        e = f32x4.pmax(d, e);
        d = low;
        v128.store(at, e, 256);
      }
      v128.store(at, c, 128);
      if (number > 3) v128.store(at, d, 192);
    }
    v128.store(at, a);
    v128.store(at, b, 64);
  }
}

// @ts-ignore: decorator
@inline function exchange(low: usize, high: usize): void {
  for (let i: usize = 0; i < ROW; i += 16) {
    const a = v128.load(low + i);
    const b = v128.load(high + i);
    v128.store(low + i, f32x4.pmin(a, b));
    v128.store(high + i, f32x4.pmax(a, b));
  }
}

// @ts-ignore: decorator
@inline function pick(column: usize, number: usize): f32 {
  if (number == 0) return 0.0;
  const below = column + <usize>load<u32>(RANKS + (number << 4)) * ROW;
  const part = load<f64>(RANKS + (number << 4), 8);
  const value = load<f32>(below);
  if (part == 0.0) return value;
  const above = load<f32>(below, 64);
  // Two infinities have no difference.
  if (above == value) return value;
  return <f32>(<f64>value + (<f64>above - <f64>value) * part);
}
