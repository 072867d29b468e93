import { hasValue, toBytes } from "./paint-seen";
import { findSlot, toBuckets } from "./step-slot";

/**
 * Three planes of float32 to RGBA, each by thresholds of its own: the byte of a channel is the slot by the number of
 * thresholds not above the value. `jobs` holds the addresses of three jobs as kernels/paint-steps.ts describes them.
 * Alpha is 0 for masked pixels and where a value is NaN. Returns 1 when no pixel is transparent. Three equal planes are
 * grey: the red one is looked up alone.
 */
export function paintCurves(red: usize, green: usize, blue: usize, mask: usize, rgba: usize, count: i32, jobs: usize): i32 {
  const redJob = <usize>load<u32>(jobs);
  const greenJob = <usize>load<u32>(jobs, 4);
  const blueJob = <usize>load<u32>(jobs, 8);
  // Buckets are mostly so fine that none has two thresholds: that loop has no bisection.
  const isFine = load<i32>(redJob, 12) == 1 && load<i32>(greenJob, 12) == 1 && load<i32>(blueJob, 12) == 1;
  if (isFine) return paint(red, green, blue, mask, rgba, count, redJob, greenJob, blueJob, true);
  return paint(red, green, blue, mask, rgba, count, redJob, greenJob, blueJob, false);
}

// @ts-ignore: decorator
@inline function paint(red: usize, green: usize, blue: usize, mask: usize, rgba: usize, count: i32, redJob: usize, greenJob: usize, blueJob: usize, isFine: bool): i32 {
  const isGrey = red == green && green == blue;
  let isOpaque = true;
  // The last group reads beyond its planes, which have room there, and writes only its own pixels.
  for (let i = 0; i < count; i += 4) {
    const offset = <usize>i << 2;
    const r = v128.load(red + offset);
    const g = v128.load(green + offset);
    const b = v128.load(blue + offset);
    const seen = v128.and(hasValue(r, mask + <usize>i), v128.and(f32x4.eq(g, g), f32x4.eq(b, b)));
    const low = four(r, redJob, isFine);
    const middle = isGrey ? low : four(g, greenJob, isFine);
    const high = isGrey ? low : four(b, blueJob, isFine);
    const colors = v128.or(v128.or(low, i32x4.shl(middle, 8)), i32x4.shl(high, 16));
    const pixels = v128.and(v128.or(colors, i32x4.splat(0xff000000)), seen);
    const rest = count - i;
    const shown = toBytes(seen);
    if (rest >= 4) {
      v128.store(rgba + offset, pixels);
      isOpaque = isOpaque && shown == 0xffffffff;
    } else {
      const own = (<u32>1 << (<u32>rest << 3)) - 1;
      isOpaque = isOpaque && (shown & own) == own;
      store<u32>(rgba + offset, i32x4.extract_lane(pixels, 0));
      if (rest > 1) store<u32>(rgba + offset, i32x4.extract_lane(pixels, 1), 4);
      if (rest > 2) store<u32>(rgba + offset, i32x4.extract_lane(pixels, 2), 8);
    }
  }
  return i32(isOpaque);
}

/** The bytes of four values, a lane each. */
// @ts-ignore: decorator
@inline function four(values: v128, job: usize, isFine: bool): v128 {
  const half = isFine ? 1 : load<i32>(job, 12);
  const starts = <usize>load<u32>(job, 16);
  const thresholds = <usize>load<u32>(job, 20);
  const slots = <usize>load<u32>(job, 24);
  const bucket = toBuckets(values, v128.load32_splat(job), v128.load32_splat(job, 4), v128.load32_splat(job, 8));
  let bytes = i32x4.splat(findSlot(i32x4.extract_lane(bucket, 0), f32x4.extract_lane(values, 0), half, starts, thresholds, slots));
  bytes = i32x4.replace_lane(bytes, 1, findSlot(i32x4.extract_lane(bucket, 1), f32x4.extract_lane(values, 1), half, starts, thresholds, slots));
  bytes = i32x4.replace_lane(bytes, 2, findSlot(i32x4.extract_lane(bucket, 2), f32x4.extract_lane(values, 2), half, starts, thresholds, slots));
  return i32x4.replace_lane(bytes, 3, findSlot(i32x4.extract_lane(bucket, 3), f32x4.extract_lane(values, 3), half, starts, thresholds, slots));
}
