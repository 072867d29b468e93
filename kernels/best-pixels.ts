import {
  BLOCK, clearOf, copyFloats, countWords, insideOf, markWords, numbersOf, quarterOf, toBytes,
} from "./clear-pixels";

/**
 * Copies a scene into the pixels of `target` where its value in `values` is higher than the best so far, or with `sign`
 * -1 lower: equal ones stay. A value that is not a number makes the pixel unclear. `best` holds values times `sign`.
 */
export function keepBest(
  scene: usize, values: usize, target: usize, best: usize, indexes: usize, counts: usize, channelCount: u32, count: u32,
  index: u32, sign: f32,
): void {
  const mask = <usize>load<u32>(target);
  const tableBytes = <usize>(channelCount << 2);
  const signs = f32x4.splat(sign);
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const offset = <usize>first << 2;
    const inside = v128.and(insideOf(count - first), numbersOf(values + offset));
    const clear = clearOf(scene, channelCount, <usize>first, inside);
    if (!v128.any_true(clear)) continue;
    countWords(counts + (<usize>first << 1), clear);
    const seen = v128.load(mask + <usize>first);
    const empty = i8x16.eq(seen, i8x16.splat(0));
    const taken = v128.and(clear, v128.or(empty, higher(values + offset, best + offset, signs)));
    if (!v128.any_true(taken)) continue;
    v128.store(mask + <usize>first, v128.or(seen, v128.and(taken, i8x16.splat(1))));
    markWords(indexes + (<usize>first << 1), index, taken);
    keep(values + offset, best + offset, signs, quarterOf(taken, 0));
    keep(values + offset + 16, best + offset + 16, signs, quarterOf(taken, 1));
    keep(values + offset + 32, best + offset + 32, signs, quarterOf(taken, 2));
    keep(values + offset + 48, best + offset + 48, signs, quarterOf(taken, 3));
    for (let channel: usize = 4; channel <= tableBytes; channel += 4) {
      copyFloats(<usize>load<u32>(scene + channel) + offset, <usize>load<u32>(target + channel) + offset, taken);
    }
  }
}

// @ts-ignore: decorator
@inline function higher(values: usize, best: usize, signs: v128): v128 {
  return toBytes(
    f32x4.gt(f32x4.mul(v128.load(values), signs), v128.load(best)),
    f32x4.gt(f32x4.mul(v128.load(values, 16), signs), v128.load(best, 16)),
    f32x4.gt(f32x4.mul(v128.load(values, 32), signs), v128.load(best, 32)),
    f32x4.gt(f32x4.mul(v128.load(values, 48), signs), v128.load(best, 48)),
  );
}

// @ts-ignore: decorator
@inline function keep(values: usize, best: usize, signs: v128, taken: v128): void {
  v128.store(best, v128.bitselect(f32x4.mul(v128.load(values), signs), v128.load(best), taken));
}
