import { BLOCK, clearOf, copyFloats, insideOf, markWords, quarterOf } from "./clear-pixels";

/**
 * Copies a scene into the pixels of `target` that are empty and clear in the scene, and writes `index` into the plane of
 * u16 for them. The target is a table like the scene's, with a mask. Returns how many pixels it has filled.
 */
export function firstFit(
  scene: usize, target: usize, indexes: usize, channelCount: u32, count: u32, index: u32,
): u32 {
  const mask = <usize>load<u32>(target);
  const tableBytes = <usize>(channelCount << 2);
  let filled: u32 = 0;
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const seen = v128.load(mask + <usize>first);
    const empty = v128.and(i8x16.eq(seen, i8x16.splat(0)), insideOf(count - first));
    if (!v128.any_true(empty)) continue;
    const taken = clearOf(scene, channelCount, <usize>first, empty);
    if (!v128.any_true(taken)) continue;
    filled += popcnt(<u32>i8x16.bitmask(taken));
    v128.store(mask + <usize>first, v128.or(seen, v128.and(taken, i8x16.splat(1))));
    markWords(indexes + (<usize>first << 1), index, taken);
    for (let channel: usize = 4; channel <= tableBytes; channel += 4) {
      const from = <usize>load<u32>(scene + channel) + (<usize>first << 2);
      const to = <usize>load<u32>(target + channel) + (<usize>first << 2);
      if (i8x16.all_true(taken)) memory.copy(to, from, BLOCK << 2);
      else copyFloats(from, to, taken);
    }
  }
  return filled;
}

/**
 * Makes a scene the first one of a picture, in place: its mask becomes 1 where it is clear and 0 elsewhere, its channels 0
 * where it is not, and clear pixels get `index` in the plane of u16. The scene has a mask. Returns how many are clear.
 */
export function keepClear(scene: usize, indexes: usize, channelCount: u32, count: u32, index: u32): u32 {
  const mask = <usize>load<u32>(scene);
  let filled: u32 = 0;
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const clear = clearOf(scene, channelCount, <usize>first, insideOf(count - first));
    filled += popcnt(<u32>i8x16.bitmask(clear));
    v128.store(mask + <usize>first, v128.and(clear, i8x16.splat(1)));
    markWords(indexes + (<usize>first << 1), index, clear);
    if (i8x16.all_true(clear)) continue;
    for (let channel: usize = 1; channel <= <usize>channelCount; channel++) {
      clearFloats(<usize>load<u32>(scene + (channel << 2)) + (<usize>first << 2), clear);
    }
  }
  return filled;
}

/** Writes zeros over those of sixteen floats whose byte has no bits. */
// @ts-ignore: decorator
@inline function clearFloats(at: usize, bytes: v128): void {
  v128.store(at, v128.and(v128.load(at), quarterOf(bytes, 0)));
  v128.store(at, v128.and(v128.load(at, 16), quarterOf(bytes, 1)), 16);
  v128.store(at, v128.and(v128.load(at, 32), quarterOf(bytes, 2)), 32);
  v128.store(at, v128.and(v128.load(at, 48), quarterOf(bytes, 3)), 48);
}
