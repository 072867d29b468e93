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
    for (let channel: usize = 4; channel <= <usize>channelCount << 2; channel += 4) {
      for (let i: usize = 0; i < <usize>number; i++) {
        const scene = <usize>load<u32>(found + (i << 2));
        copyClear(<usize>load<u32>(scene + channel) + (<usize>first << 2), rows + i * ROW, v128.load(clears + (i << 4)));
      }
      sortRows(rows, number);
      const to = <usize>load<u32>(target + channel) + (<usize>first << 2);
      const end = <usize>min(BLOCK, count - first);
      for (let i: usize = 0; i < end; i++) store<f32>(to + (i << 2), pick(rows + (i << 2), load<u8>(COUNTS + i)));
    }
  }
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
