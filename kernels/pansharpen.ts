/*
 * Sharpens planes of float32 with a panchromatic plane, in place; `mask` is a byte per pixel, 0 where nothing is
 * changed. Four pixels at a time: after the last one up to three more are computed, into the room between planes.
 */

/**
 * Weighted Brovey transform of `bandCount` planes with addresses at `bands` and weights at `weights`: each times the
 * ratio of `pan` to their weighted sum, clamped to `min` and `max`. Where that sum is 0 the mask becomes 0.
 */
export function sharpenComposite(
  bands: usize, weights: usize, bandCount: i32, pan: usize, mask: usize, count: i32, min: f32, max: f32,
): void {
  for (let i = 0; i < count; i += 4) {
    const offset = <usize>i << 2;
    let sum = f32x4.splat(0.0);
    for (let band: usize = 0; band < <usize>bandCount << 2; band += 4) {
      const values = v128.load(<usize>load<u32>(bands + band) + offset);
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weights + band), values));
    }
    const has = present(mask + <usize>i);
    const nothing = v128.and(has, f32x4.eq(sum, f32x4.splat(0.0)));
    if (v128.any_true(nothing)) unmask(mask + <usize>i, i32x4.bitmask(nothing));
    const seen = v128.andnot(has, nothing);
    const ratio = f32x4.div(v128.load(pan + offset), sum);
    for (let band: usize = 0; band < <usize>bandCount << 2; band += 4) {
      const at = <usize>load<u32>(bands + band) + offset;
      const values = v128.load(at);
      const sharp = within(f32x4.mul(values, ratio), f32x4.splat(min), f32x4.splat(max));
      v128.store(at, v128.bitselect(sharp, values, seen));
    }
  }
}

/** A band times the ratio of `pan` to its local mean `low`. */
export function sharpenBand(values: usize, pan: usize, low: usize, mask: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    const offset = <usize>i << 2;
    const before = v128.load(values + offset);
    const factor = f32x4.add(f32x4.splat(1.0), detail(pan + offset, low + offset));
    v128.store(values + offset, v128.bitselect(f32x4.mul(before, factor), before, present(mask + <usize>i)));
  }
}

/** An index plus `amount` times the detail of `pan`, within `min` to `max`. */
export function sharpenIndex(
  values: usize, pan: usize, low: usize, mask: usize, count: i32, amount: f32, min: f32, max: f32,
): void {
  for (let i = 0; i < count; i += 4) {
    const offset = <usize>i << 2;
    const before = v128.load(values + offset);
    const sharp = f32x4.add(before, f32x4.mul(f32x4.splat(amount), detail(pan + offset, low + offset)));
    // An index that is already outside stays unchanged.
    const clamped = within(sharp, f32x4.pmin(before, f32x4.splat(min)), f32x4.pmax(before, f32x4.splat(max)));
    v128.store(values + offset, v128.bitselect(clamped, before, present(mask + <usize>i)));
  }
}

/** Clamps values between two others. One instruction each, unlike min and max; in this order NaN stays NaN. */
// @ts-ignore: decorator
@inline function within(values: v128, min: v128, max: v128): v128 {
  return f32x4.pmin(f32x4.pmax(values, min), max);
}

/** How far `pan` lies above its local mean, relative to it; 0 where the mean is 0. */
// @ts-ignore: decorator
@inline function detail(pan: usize, low: usize): v128 {
  const mean = v128.load(low);
  const above = f32x4.sub(f32x4.div(v128.load(pan), mean), f32x4.splat(1.0));
  return v128.and(above, f32x4.ne(mean, f32x4.splat(0.0)));
}

/** All bits of a lane where its byte of the mask is not 0. */
// @ts-ignore: decorator
@inline function present(mask: usize): v128 {
  const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(mask));
  return i32x4.ne(i32x4.extend_low_i16x8_u(bytes), i32x4.splat(0));
}

function unmask(mask: usize, lanes: i32): void {
  for (let lane = 0; lane < 4; lane++) if ((lanes >> lane) & 1) store<u8>(mask + <usize>lane, 0);
}
