import { BLOCK, clearOf, countWords, insideOf, quarterOf } from "./clear-pixels";

/*
 * Mean and standard deviation of each pixel over scenes that come one after the other. Sums are planes of f64, one for
 * each channel, whose addresses are in tables of u32; clear scenes are counted in a plane of u16.
 */

/** Counts the clear pixels of a scene. */
export function addCount(scene: usize, counts: usize, channelCount: u32, count: u32): void {
  for (let first: u32 = 0; first < count; first += BLOCK) {
    countWords(counts + (<usize>first << 1), clearOf(scene, channelCount, <usize>first, insideOf(count - first)));
  }
}

/** Adds the clear pixels of a scene to `sums`. */
export function addSums(scene: usize, counts: usize, sums: usize, channelCount: u32, count: u32): void {
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const clear = clearOf(scene, channelCount, <usize>first, insideOf(count - first));
    if (!v128.any_true(clear)) continue;
    countWords(counts + (<usize>first << 1), clear);
    const lanes0 = quarterOf(clear, 0);
    const lanes1 = quarterOf(clear, 1);
    const lanes2 = quarterOf(clear, 2);
    const lanes3 = quarterOf(clear, 3);
    for (let channel: usize = 0; channel < <usize>channelCount << 2; channel += 4) {
      const values = <usize>load<u32>(scene + channel, 4) + (<usize>first << 2);
      const at = <usize>load<u32>(sums + channel) + (<usize>first << 3);
      addFour(values, at, lanes0);
      addFour(values + 16, at + 32, lanes1);
      addFour(values + 32, at + 64, lanes2);
      addFour(values + 48, at + 96, lanes3);
    }
  }
}

// @ts-ignore: decorator
@inline function addFour(values: usize, sums: usize, lanes: v128): void {
  const four = v128.and(v128.load(values), lanes);
  v128.store(sums, f64x2.add(v128.load(sums), f64x2.promote_low_f32x4(four)));
  v128.store(sums, f64x2.add(v128.load(sums, 16), f64x2.promote_low_f32x4(upper(four))), 16);
}

/**
 * Adds the clear pixels of a scene to `means` and to `squares`, the sums of squared distances from the mean (Welford):
 * small deviations of large numbers keep their digits, which a sum of squares loses.
 */
export function addMoments(
  scene: usize, counts: usize, means: usize, squares: usize, channelCount: u32, count: u32,
): void {
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const clear = clearOf(scene, channelCount, <usize>first, insideOf(count - first));
    if (!v128.any_true(clear)) continue;
    const number = counts + (<usize>first << 1);
    countWords(number, clear);
    const lanes0 = quarterOf(clear, 0);
    const lanes1 = quarterOf(clear, 1);
    const lanes2 = quarterOf(clear, 2);
    const lanes3 = quarterOf(clear, 3);
    for (let channel: usize = 0; channel < <usize>channelCount << 2; channel += 4) {
      const values = <usize>load<u32>(scene + channel, 4) + (<usize>first << 2);
      const mean = <usize>load<u32>(means + channel) + (<usize>first << 3);
      const square = <usize>load<u32>(squares + channel) + (<usize>first << 3);
      moveFour(values, number, mean, square, lanes0);
      moveFour(values + 16, number + 8, mean + 32, square + 32, lanes1);
      moveFour(values + 32, number + 16, mean + 64, square + 64, lanes2);
      moveFour(values + 48, number + 24, mean + 96, square + 96, lanes3);
    }
  }
}

// @ts-ignore: decorator
@inline function moveFour(values: usize, counts: usize, means: usize, squares: usize, lanes: v128): void {
  const four = v128.load(values);
  const numbers = i32x4.extend_low_i16x8_u(v128.load64_zero(counts));
  moveTwo(four, numbers, means, squares, v128.shuffle<i32>(lanes, lanes, 0, 0, 1, 1));
  moveTwo(upper(four), upper(numbers), means + 16, squares + 16, v128.shuffle<i32>(lanes, lanes, 2, 2, 3, 3));
}

// @ts-ignore: decorator
@inline function moveTwo(floats: v128, numbers: v128, means: usize, squares: usize, lanes: v128): void {
  const values = f64x2.promote_low_f32x4(floats);
  const mean = v128.load(means);
  const above = f64x2.sub(values, mean);
  // Where the scene is not clear the number can be 0 and the value anything: only lanes of clear pixels count.
  const step = v128.and(f64x2.div(above, f64x2.convert_low_i32x4_u(numbers)), lanes);
  const moved = f64x2.add(mean, step);
  v128.store(means, moved);
  const more = v128.and(f64x2.mul(above, f64x2.sub(values, moved)), lanes);
  v128.store(squares, f64x2.add(v128.load(squares), more));
}

/** The upper two lanes of four. */
// @ts-ignore: decorator
@inline function upper(four: v128): v128 {
  return v128.shuffle<i32>(four, four, 2, 3, 2, 3);
}

/** Sums of one channel by their number, or with `isRoot` the roots of that; 0 where nothing is clear. */
export function finishMoments(sums: usize, counts: usize, to: usize, count: u32, isRoot: bool): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const number = load<u16>(counts + (i << 1));
    const mean = number == 0 ? 0.0 : load<f64>(sums + (i << 3)) / <f64>number;
    store<f32>(to + (i << 2), <f32>(isRoot ? sqrt(mean) : mean));
  }
}

/** A mask byte of 1 where a count is not 0. */
export function maskCounted(counts: usize, mask: usize, count: u32): void {
  for (let i: usize = 0; i < <usize>count; i++) store<u8>(mask + i, <u8>(load<u16>(counts + (i << 1)) != 0));
}

/** Counts as floats. */
export function countsToFloats(counts: usize, to: usize, count: u32): void {
  for (let i: usize = 0; i < <usize>count; i++) store<f32>(to + (i << 2), <f32>load<u16>(counts + (i << 1)));
}
