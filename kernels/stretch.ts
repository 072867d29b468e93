/** Constants of `byteOf`, in memory: V8 rebuilds literal ones wherever they are used. */
const CONSTANTS = memory.data<f32>([0.5, 255.0, 8388608.0], 16);
export const HALF: usize = CONSTANTS;
export const LARGEST: usize = CONSTANTS + 4;
/** Above this number float32 has no fractions: the whole number is in the lowest bits. */
export const SHIFT: usize = CONSTANTS + 8;

/**
 * Three planes of float32 to RGBA: `(value - low) * times / by`, rounded half up, clamped to 0..255. `ranges` holds
 * low, times and by of each channel. Alpha is 0 for masked pixels and where a value is NaN. Returns 1 when no pixel is
 * transparent. Multiplying before dividing leaves halves of whole numbers exact, so they round the same everywhere.
 */
export function stretch(red: usize, green: usize, blue: usize, mask: usize, rgba: usize, count: i32, ranges: usize): i32 {
  const half = v128.load32_splat(HALF);
  const largest = v128.load32_splat(LARGEST);
  const shift = v128.load32_splat(SHIFT);
  const redLow = v128.load32_splat(ranges);
  const redTimes = v128.load32_splat(ranges, 4);
  const redBy = v128.load32_splat(ranges, 8);
  const greenLow = v128.load32_splat(ranges, 12);
  const greenTimes = v128.load32_splat(ranges, 16);
  const greenBy = v128.load32_splat(ranges, 20);
  const blueLow = v128.load32_splat(ranges, 24);
  const blueTimes = v128.load32_splat(ranges, 28);
  const blueBy = v128.load32_splat(ranges, 32);
  let opaque = i32x4.splat(-1);
  const whole = count & ~3;
  for (let i = 0; i < whole; i += 4) {
    const offset = <usize>i << 2;
    const r = v128.load(red + offset);
    const g = v128.load(green + offset);
    const b = v128.load(blue + offset);
    const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(mask + <usize>i));
    const has = i32x4.ne(v128.and(i32x4.extend_low_i16x8_u(bytes), i32x4.splat(1)), i32x4.splat(0));
    const seen = v128.and(v128.and(has, f32x4.eq(r, r)), v128.and(f32x4.eq(g, g), f32x4.eq(b, b)));
    opaque = v128.and(opaque, seen);
    // The bits above the lowest byte of each are shifted out, or lie under the alpha.
    const pixel = v128.or(
      v128.or(
        byteOf(r, redLow, redTimes, redBy, half, largest, shift),
        i32x4.shl(byteOf(g, greenLow, greenTimes, greenBy, half, largest, shift), 8),
      ),
      v128.or(
        i32x4.shl(byteOf(b, blueLow, blueTimes, blueBy, half, largest, shift), 16),
        i32x4.splat(0xff000000),
      ),
    );
    v128.store(rgba + offset, v128.and(pixel, seen));
  }
  let isOpaque = i32x4.all_true(opaque);
  for (let i = whole; i < count; i++) {
    const offset = <usize>i << 2;
    const r = load<f32>(red + offset);
    const g = load<f32>(green + offset);
    const b = load<f32>(blue + offset);
    const seen = (load<u8>(mask + <usize>i) & 1) != 0 && r == r && g == g && b == b;
    isOpaque = isOpaque && seen;
    const pixel = lane(r, ranges) | (lane(g, ranges + 12) << 8) | (lane(b, ranges + 24) << 16) | 0xff000000;
    store<u32>(rgba + offset, seen ? pixel : 0);
  }
  return i32(isOpaque);
}

/** Four values stretched to whole numbers from 0 to 255, each in the lowest byte of its lane; 0x4b0000 is above it. */
// @ts-ignore: decorator
@inline export function byteOf(values: v128, low: v128, times: v128, by: v128, half: v128, largest: v128, shift: v128): v128 {
  const scaled = f32x4.add(f32x4.div(f32x4.mul(f32x4.sub(values, low), times), by), half);
  // One instruction each, unlike min and max; in this order NaN (0 / 0 of an empty range) becomes 0.
  const clamped = f32x4.pmin(f32x4.pmax(f32x4.splat(0.0), scaled), largest);
  return f32x4.add(f32x4.floor(clamped), shift);
}

function lane(value: f32, range: usize): u32 {
  const levels = byteOf(
    f32x4.splat(value),
    v128.load32_splat(range),
    v128.load32_splat(range, 4),
    v128.load32_splat(range, 8),
    v128.load32_splat(HALF),
    v128.load32_splat(LARGEST),
    v128.load32_splat(SHIFT),
  );
  return i32x4.extract_lane(levels, 0) & 0xff;
}
