/*
 * The shapes of the convolution kernels, as GDAL defines them. Weights depend on the distance in kernel units: source
 * pixels when not downsampling, and fewer the wider the kernel is stretched.
 */
export const TRIANGLE: i32 = 0;
/** Cubic convolution of Catmull and Rom (a = -1/2). */
export const CUBIC: i32 = 1;
/** The cubic B-spline: smooths, never overshoots. */
export const SPLINE: i32 = 2;
/** The sinc function under a window of three pixels on each side. */
export const LANCZOS: i32 = 3;

/** The radius of a shape in kernel units. */
// @ts-ignore: decorator
@inline export function radiusOf(shape: i32): f32 {
  return shape == TRIANGLE ? 1.0 : shape == LANCZOS ? 3.0 : 2.0;
}

/** Weights of four taps at these distances in source pixels; `squeeze` converts them to kernel units. */
// @ts-ignore: decorator
@inline export function shapeWeights(distances: v128, squeeze: f32, shape: i32): v128 {
  const scaled = f32x4.mul(distances, f32x4.splat(squeeze));
  const d = f32x4.abs(scaled);
  // One instruction, unlike max, and there is no NaN to handle.
  if (shape == TRIANGLE) return f32x4.pmax(f32x4.splat(0.0), f32x4.sub(f32x4.splat(1.0), d));
  if (shape == CUBIC) return cubicWeights(d);
  if (shape == SPLINE) return splineWeights(scaled, d);
  return lanczosWeights(d);
}

// @ts-ignore: decorator
@inline function cubicWeights(d: v128): v128 {
  const square = f32x4.mul(d, d);
  const inner = f32x4.add(f32x4.mul(square, f32x4.sub(f32x4.mul(d, f32x4.splat(1.5)), f32x4.splat(2.5))), f32x4.splat(1.0));
  const far = f32x4.sub(f32x4.splat(2.0), d);
  // -1/2 (d - 1) (d - 2)^2: as a product it loses no digits near its zeros.
  const outer = f32x4.mul(f32x4.mul(f32x4.splat(0.5), f32x4.sub(f32x4.splat(1.0), d)), f32x4.mul(far, far));
  return within(d, inner, outer);
}

// @ts-ignore: decorator
@inline function splineWeights(scaled: v128, d: v128): v128 {
  const square = f32x4.mul(d, d);
  const inner = f32x4.add(f32x4.mul(square, f32x4.sub(f32x4.mul(d, f32x4.splat(3.0)), f32x4.splat(6.0))), f32x4.splat(4.0));
  const far = f32x4.sub(f32x4.splat(2.0), d);
  const outer = f32x4.mul(far, f32x4.mul(far, far));
  // GDAL's formula lacks the piece that ends the spline at +2, so its last tap, when it lies beyond, has a small
  // weight. We do the same: the difference reaches a percent.
  const beyond = v128.and(outer, f32x4.gt(scaled, f32x4.splat(2.0)));
  return f32x4.mul(v128.or(within(d, inner, outer), beyond), f32x4.splat(<f32>(1.0 / 6.0)));
}

/** One piece up to 1, another up to 2, nothing beyond. */
// @ts-ignore: decorator
@inline function within(d: v128, inner: v128, outer: v128): v128 {
  const piece = v128.bitselect(inner, outer, f32x4.lt(d, f32x4.splat(1.0)));
  return v128.and(piece, f32x4.lt(d, f32x4.splat(2.0)));
}

/** Below this the quotient of two zeros is 1 to the last digit. */
const AT_CENTRE: f32 = 1e-6;

function lanczosWeights(d: v128): v128 {
  const waves = f32x4.mul(sinPi(d), sinPi(f32x4.mul(d, f32x4.splat(<f32>(1.0 / 3.0)))));
  const scaled = f32x4.mul(waves, f32x4.splat(<f32>(3.0 / (Math.PI * Math.PI))));
  const quotient = f32x4.div(scaled, f32x4.mul(d, d));
  const weights = v128.bitselect(f32x4.splat(1.0), quotient, f32x4.lt(d, f32x4.splat(AT_CENTRE)));
  return v128.and(weights, f32x4.lt(d, f32x4.splat(3.0)));
}

/** sin(pi x) by its series around the nearest whole number, to the precision of float32. */
// @ts-ignore: decorator
@inline function sinPi(x: v128): v128 {
  const whole = f32x4.nearest(x);
  const r = f32x4.sub(x, whole);
  const s = f32x4.mul(r, r);
  let sum = f32x4.splat(<f32>-0.00737043094571435);
  sum = f32x4.add(f32x4.mul(sum, s), f32x4.splat(<f32>0.08214588661112823));
  sum = f32x4.add(f32x4.mul(sum, s), f32x4.splat(<f32>-0.5992645293207921));
  sum = f32x4.add(f32x4.mul(sum, s), f32x4.splat(<f32>2.550164039877345));
  sum = f32x4.add(f32x4.mul(sum, s), f32x4.splat(<f32>-5.16771278004997));
  sum = f32x4.add(f32x4.mul(sum, s), f32x4.splat(<f32>3.141592653589793));
  const odd = i32x4.shl(i32x4.trunc_sat_f32x4_s(whole), 31);
  return v128.xor(f32x4.mul(sum, r), odd);
}

/**
 * Whether a kernel stays on whole source pixels: GDAL computes a widened Lanczos kernel once and ignores the fraction
 * of the position. We do the same, because GDAL is the reference for this method.
 */
// @ts-ignore: decorator
@inline export function isSnapped(support: f32, shape: i32): bool {
  return shape == LANCZOS && support > 3.0;
}

/**
 * Writes the weights of the taps within `radius` of a position that lies `part` after a pixel, in whole groups of four;
 * the first tap is `radius - 1` before that pixel. Returns the sum.
 */
export function writeWeights(weights: usize, part: f32, support: f32, shape: i32): f32 {
  const radius = <i32>ceil(support);
  const squeeze: f32 = radiusOf(shape) / support;
  const before: f32 = <f32>(radius - 1) + (isSnapped(support, shape) ? 0.0 : part);
  const befores = f32x4.splat(before);
  const taps = f32x4.splat(<f32>2.0 * <f32>radius);
  let positions = f32x4(0.0, 1.0, 2.0, 3.0);
  let sum = f32x4.splat(0.0);
  for (let left = 2 * radius; left > 0; left -= 4, weights += 16) {
    const w = v128.and(shapeWeights(f32x4.sub(positions, befores), squeeze, shape), f32x4.lt(positions, taps));
    v128.store(weights, w);
    sum = f32x4.add(sum, w);
    positions = f32x4.add(positions, f32x4.splat(4.0));
  }
  const half = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
  return f32x4.extract_lane(half, 0) + f32x4.extract_lane(half, 1);
}
