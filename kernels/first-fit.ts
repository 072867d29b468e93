import { BLOCK, clearOf, copyFloats, insideOf, markWords } from "./clear-pixels";

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
