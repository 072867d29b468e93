// Finds the slot of a value by thresholds, for the kernels that paint. src/color/step-search.ts writes the job.

/** The bucket of each of four values; NaN (zero width times infinity) falls into the first. */
// @ts-ignore: decorator
@inline export function toBuckets(values: v128, low: v128, perUnit: v128, last: v128): v128 {
  const scaled = f32x4.pmin(f32x4.pmax(f32x4.splat(0.0), f32x4.mul(f32x4.sub(values, low), perUnit)), last);
  // Above this number float32 has no fractions: the whole number is in the lowest bits.
  return v128.and(f32x4.add(f32x4.floor(scaled), f32x4.splat(8388608.0)), i32x4.splat(0xffff));
}

/** The slot of a value of a bucket, by the number of thresholds not above it. */
// @ts-ignore: decorator
@inline export function findSlot(bucket: i32, value: f32, half: i32, starts: usize, thresholds: usize, slots: usize): u32 {
  let at = <i32>load<u16>(starts + (<usize>bucket << 1));
  if (half > 2) {
    for (let step = half; step > 2; step >>= 1) at = pass(at, step, value, thresholds);
  }
  if (half > 1) at = pass(at, 2, value, thresholds);
  return load<u8>(slots + <usize>pass(at, 1, value, thresholds));
}

/** Added rather than branched to: the branch would be unpredictable. */
// @ts-ignore: decorator
@inline function pass(at: i32, step: i32, value: f32, thresholds: usize): i32 {
  return at + step * i32(value >= load<f32>(thresholds + (<usize>(at + step - 1) << 2)));
}
