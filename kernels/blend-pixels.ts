import { BLOCK, clearOf, insideOf, quarterOf } from "./clear-pixels";

/*
 * Scenes over each other, the front one first: each has what the opacities before it leave, times its own. Sums of values
 * by weight are planes of f64, one for each channel, whose addresses are in a table of u32. Doubles let a pixel that
 * only one scene has come out as it went in.
 */

/**
 * Adds a scene. `alphas` are float32, opaque from `opaqueAt` on. `weights` (f64) are the opacities so far, `greatest`
 * (f32) the greatest weight of a scene and `indexes` (u16) which one that is. Returns how many pixels became opaque.
 */
export function addBlend(
  scene: usize, alphas: usize, opaqueAt: f64, sums: usize, weights: usize, greatest: usize, indexes: usize,
  channelCount: u32, count: u32, index: u32,
): u32 {
  let closed: u32 = 0;
  for (let first: u32 = 0; first < count; first += BLOCK) {
    const clear = clearOf(scene, channelCount, <usize>first, insideOf(count - first));
    if (!v128.any_true(clear)) continue;
    for (let quarter: u32 = 0; quarter < 4; quarter++) {
      const lanes = quarterOf(clear, quarter);
      if (!v128.any_true(lanes)) continue;
      const pixel = <usize>(first + (quarter << 2));
      const alpha = v128.load(alphas + (pixel << 2));
      const before = weights + (pixel << 3);
      const low = weightOf(alpha, opaqueAt, before, v128.shuffle<i32>(lanes, lanes, 0, 0, 1, 1));
      const high = weightOf(upper(alpha), opaqueAt, before + 16, v128.shuffle<i32>(lanes, lanes, 2, 2, 3, 3));
      if (!v128.any_true(v128.or(low, high))) continue;
      closed += addWeight(before, low) + addWeight(before + 16, high);
      for (let channel: usize = 0; channel < <usize>channelCount << 2; channel += 4) {
        const values = v128.load(<usize>load<u32>(scene + channel, 4) + (pixel << 2));
        const sum = <usize>load<u32>(sums + channel) + (pixel << 3);
        addWeighed(sum, values, low);
        addWeighed(sum + 16, upper(values), high);
      }
      const both = v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
      markGreatest(greatest + (pixel << 2), indexes + (pixel << 1), both, index);
    }
  }
  return closed;
}

/** What the opacities before leave of two pixels, times their own; 0 where they are not clear. */
// @ts-ignore: decorator
@inline function weightOf(alphas: v128, opaqueAt: f64, before: usize, lanes: v128): v128 {
  const parts = f64x2.div(f64x2.promote_low_f32x4(alphas), f64x2.splat(opaqueAt));
  const opacity = f64x2.pmin(f64x2.splat(1.0), parts);
  const left = f64x2.sub(f64x2.splat(1.0), v128.load(before));
  const isSeen = v128.and(lanes, f64x2.gt(parts, f64x2.splat(0.0)));
  return v128.and(f64x2.mul(left, opacity), isSeen);
}

/** Adds weights of two pixels, and returns how many became opaque. */
// @ts-ignore: decorator
@inline function addWeight(at: usize, weight: v128): u32 {
  const one = f64x2.splat(1.0);
  const before = v128.load(at);
  const after = f64x2.add(before, weight);
  v128.store(at, after);
  return popcnt(<u32>i64x2.bitmask(v128.and(f64x2.lt(before, one), f64x2.ge(after, one))));
}

/** Adds two values times their weight; without one even infinity adds nothing. */
// @ts-ignore: decorator
@inline function addWeighed(sum: usize, values: v128, weight: v128): void {
  const has = f64x2.ne(weight, f64x2.splat(0.0));
  const part = v128.and(f64x2.mul(f64x2.promote_low_f32x4(values), weight), has);
  v128.store(sum, f64x2.add(v128.load(sum), part));
}

// @ts-ignore: decorator
@inline function markGreatest(greatest: usize, indexes: usize, weights: v128, index: u32): void {
  const before = v128.load(greatest);
  const isGreater = f32x4.gt(weights, before);
  if (!v128.any_true(isGreater)) return;
  v128.store(greatest, v128.bitselect(weights, before, isGreater));
  const marked = i16x8.narrow_i32x4_s(isGreater, isGreater);
  const words = v128.bitselect(i16x8.splat(<i16>index), v128.load64_zero(indexes), marked);
  v128.store64_lane(indexes, words, 0);
}

/** The upper two lanes of four. */
// @ts-ignore: decorator
@inline function upper(four: v128): v128 {
  return v128.shuffle<i32>(four, four, 2, 3, 2, 3);
}

/** Sums of one channel by their weight; 0 where there is none. */
export function finishBlend(sums: usize, weights: usize, to: usize, mask: usize, count: u32): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const weight = load<f64>(weights + (i << 3));
    store<f32>(to + (i << 2), weight > 0.0 ? <f32>(load<f64>(sums + (i << 3)) / weight) : 0.0);
    store<u8>(mask + i, <u8>(weight > 0.0));
  }
}
