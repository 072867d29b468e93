/**
 * Three planes of float32 to RGBA: `(value - low) * times / by`, rounded half up, clamped to 0..255. `ranges` holds
 * low, times and by of each channel. Alpha is 0 for masked pixels and where a value is NaN. Returns 1 when no pixel is
 * transparent. Multiplying before dividing leaves halves of whole numbers exact, so they round the same everywhere.
 */
export function stretch(red: usize, green: usize, blue: usize, mask: usize, rgba: usize, count: i32, ranges: usize): i32 {
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
    const pixel = v128.or(
      v128.or(channel(r, ranges), i32x4.shl(channel(g, ranges + 12), 8)),
      v128.or(i32x4.shl(channel(b, ranges + 24), 16), i32x4.splat(0xff000000)),
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

// @ts-ignore: decorator
@inline function channel(values: v128, range: usize): v128 {
  const low = v128.load32_splat(range);
  const times = v128.load32_splat(range + 4);
  const by = v128.load32_splat(range + 8);
  const scaled = f32x4.add(f32x4.div(f32x4.mul(f32x4.sub(values, low), times), by), f32x4.splat(0.5));
  // One instruction each, unlike min and max; in this order NaN (0 / 0 of an empty range) becomes 0.
  const clamped = f32x4.pmin(f32x4.pmax(f32x4.splat(0.0), scaled), f32x4.splat(255.0));
  // Above this number float32 has no fractions: the whole number is in the lowest bits.
  return v128.and(f32x4.add(f32x4.floor(clamped), f32x4.splat(8388608.0)), i32x4.splat(0xff));
}

function lane(value: f32, range: usize): u32 {
  return i32x4.extract_lane(channel(f32x4.splat(value), range), 0);
}
