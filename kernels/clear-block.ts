import { BLOCK, clearOf, insideOf } from "./clear-pixels";

/*
 * The scenes of a stack that are clear in at least one of sixteen pixels, which most scenes of a large picture are not.
 * Work memory for `sceneCount` scenes: their addresses (u32), their clear bytes (16 each).
 */

/** Clear scenes of each pixel of the block: sixteen bytes. */
export const COUNTS = memory.data(16, 16);

/** Finds them, counts the clear ones of each pixel, and returns their number. */
// @ts-ignore: decorator
@inline export function findClear(
  scenes: usize, sceneCount: u32, channelCount: u32, first: u32, count: u32, found: usize, clears: usize,
): u32 {
  const inside = insideOf(count - first);
  const sceneBytes = <usize>(channelCount + 1) << 2;
  let number: u32 = 0;
  let counts = i8x16.splat(0);
  for (let i: u32 = 0; i < sceneCount; i++, scenes += sceneBytes) {
    const clear = clearOf(scenes, channelCount, <usize>first, inside);
    if (!v128.any_true(clear)) continue;
    store<u32>(found + (<usize>number << 2), <u32>scenes);
    v128.store(clears + (<usize>number << 4), clear);
    // A byte of all bits is -1.
    counts = i8x16.sub(counts, clear);
    number++;
  }
  v128.store(COUNTS, counts);
  return number;
}

/** Writes the mask and the number of clear scenes of a block, only those before the end. */
// @ts-ignore: decorator
@inline export function writeClear(mask: usize, counts: usize, first: u32, count: u32): void {
  if (count - first >= BLOCK) {
    const numbers = v128.load(COUNTS);
    const at = counts + (<usize>first << 1);
    v128.store(mask + <usize>first, i8x16.min_u(numbers, i8x16.splat(1)));
    v128.store(at, i16x8.extend_low_i8x16_u(numbers));
    v128.store(at, i16x8.extend_high_i8x16_u(numbers), 16);
    return;
  }
  const end = <usize>(count - first);
  for (let i: usize = 0; i < end; i++) {
    const number = load<u8>(COUNTS + i);
    store<u8>(mask + <usize>first + i, <u8>(number != 0));
    store<u16>(counts + ((<usize>first + i) << 1), <u16>number);
  }
}
