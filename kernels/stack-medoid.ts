import { findClear, writeClear } from "./clear-block";
import { BLOCK } from "./clear-pixels";

/** Bytes of a row: an f64 of each pixel of a block. */
// @ts-ignore: decorator
@inline const ROW: usize = 128;

/**
 * The medoid of each pixel over the clear ones of up to 64 scenes: the scene whose channels have the least sum of
 * Euclidean distances to those of the others, the first if several have. `indexes` gets its place in the stack, which
 * stays where no scene is clear. Distances are f64, in the order of scenes, so that they are the same everywhere.
 * `work` has room for 20 + 128 * (2 + channelCount) bytes a scene.
 */
export function stackMedoid(
  scenes: usize, sceneCount: u32, target: usize, indexes: usize, counts: usize, channelCount: u32, count: u32,
  work: usize,
): void {
  const sceneBytes = <usize>(channelCount + 1) << 2;
  const rows = work;
  const lanes = rows + <usize>sceneCount * <usize>channelCount * ROW;
  const sums = lanes + <usize>sceneCount * ROW;
  const clears = sums + <usize>sceneCount * ROW;
  const found = clears + (<usize>sceneCount << 4);
  const mask = <usize>load<u32>(target);
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const number = findClear(scenes, sceneCount, channelCount, first, count, found, clears);
    writeClear(mask, counts, first, count);
    memory.fill(sums, 0, <usize>number * ROW);
    for (let i: usize = 0; i < <usize>number; i++) {
      const scene = <usize>load<u32>(found + (i << 2));
      for (let channel: usize = 0; channel < <usize>channelCount; channel++) {
        const from = <usize>load<u32>(scene + (channel << 2), 4) + (<usize>first << 2);
        widen(from, rows + (i * <usize>channelCount + channel) * ROW);
      }
      widenLanes(v128.load(clears + (i << 4)), lanes + i * ROW);
    }
    if (channelCount == 1) sumDistances(rows, lanes, sums, number, 1);
    else if (channelCount == 2) sumDistances(rows, lanes, sums, number, 2);
    else if (channelCount == 3) sumDistances(rows, lanes, sums, number, 3);
    else sumDistances(rows, lanes, sums, number, 4);

    const end = <usize>min(BLOCK, count - first);
    for (let pixel: usize = 0; pixel < end; pixel++) {
      const scene = leastOf(clears + pixel, sums + (pixel << 3), found, number);
      const at = <usize>first + pixel;
      if (scene != 0) store<u16>(indexes + (at << 1), <u16>((scene - scenes) / sceneBytes));
      for (let channel: usize = 4; channel < sceneBytes; channel += 4) {
        const value: f32 = scene == 0 ? 0.0 : load<f32>(<usize>load<u32>(scene + channel) + (at << 2));
        store<f32>(<usize>load<u32>(target + channel) + (at << 2), value);
      }
    }
  }
}

/** The table of the scene with the least sum, 0 where none is clear. */
// @ts-ignore: decorator
@inline function leastOf(clears: usize, sums: usize, found: usize, number: u32): usize {
  let best: usize = 0;
  let least: f64 = Infinity;
  for (let i: usize = 0; i < <usize>number; i++) {
    if (load<u8>(clears + (i << 4)) == 0) continue;
    const sum = load<f64>(sums + i * ROW);
    // The first clear one stays if all sums are infinite or not a number.
    if (best != 0 && !(sum < least)) continue;
    best = <usize>load<u32>(found + (i << 2));
    least = sum == sum ? sum : Infinity;
  }
  return best;
}

/** Sixteen floats as f64. */
// @ts-ignore: decorator
@inline function widen(from: usize, to: usize): void {
  for (let i: usize = 0; i < 16; i += 2) {
    v128.store(to + (i << 3), f64x2.promote_low_f32x4(v128.load64_zero(from + (i << 2))));
  }
}

/** Sixteen bytes of all or no bits as lanes of 64 bits. */
// @ts-ignore: decorator
@inline function widenLanes(bytes: v128, to: usize): void {
  for (let i: usize = 0; i < 16; i += 2) {
    const two = i16x8.extend_low_i8x16_s(bytes);
    v128.store(to + (i << 3), i64x2.extend_low_i32x4_s(i32x4.extend_low_i16x8_s(two)));
    bytes = i8x16.shuffle(bytes, bytes, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1);
  }
}

/** Adds the distance of each two scenes to the sums of both, where both are clear. */
// @ts-ignore: decorator
@inline function sumDistances(rows: usize, lanes: usize, sums: usize, number: u32, channelCount: u32): void {
  const sceneRows = <usize>channelCount * ROW;
  for (let pixel: usize = 0; pixel < ROW; pixel += 16) {
    for (let i: u32 = 0; i < number; i++) {
      const one = rows + <usize>i * sceneRows + pixel;
      const a = v128.load(one);
      const b = channelCount > 1 ? v128.load(one, 128) : a;
      const c = channelCount > 2 ? v128.load(one, 256) : a;
      const d = channelCount > 3 ? v128.load(one, 384) : a;
      const isClear = v128.load(lanes + <usize>i * ROW + pixel);
      if (!v128.any_true(isClear)) continue;
      let sum = v128.load(sums + <usize>i * ROW + pixel);
      for (let j = i + 1; j < number; j++) {
        const other = rows + <usize>j * sceneRows + pixel;
        let square = squareOf(a, v128.load(other));
        if (channelCount > 1) square = f64x2.add(square, squareOf(b, v128.load(other, 128)));
        if (channelCount > 2) square = f64x2.add(square, squareOf(c, v128.load(other, 256)));
        if (channelCount > 3) square = f64x2.add(square, squareOf(d, v128.load(other, 384)));
        const both = v128.and(isClear, v128.load(lanes + <usize>j * ROW + pixel));
        const distance = v128.and(f64x2.sqrt(square), both);
        sum = f64x2.add(sum, distance);
        const to = sums + <usize>j * ROW + pixel;
        v128.store(to, f64x2.add(v128.load(to), distance));
      }
      v128.store(sums + <usize>i * ROW + pixel, sum);
    }
  }
}

// @ts-ignore: decorator
@inline function squareOf(a: v128, b: v128): v128 {
  const difference = f64x2.sub(a, b);
  return f64x2.mul(difference, difference);
}
