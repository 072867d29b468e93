/*
 * A padded plane is a plane of float32 heights with some pixels more on every side, so that kernels read the neighbours
 * of a pixel without asking where the edge is. Unknown heights are NaN in it.
 */
import { hasValue, toBytes } from "./paint-seen";

/** Pixels on every side of the planes of the median filters: as many as a window of 5 × 5 reaches. */
export const PAD: usize = 2;

/** Pixels from one row of such a plane to the next. */
// @ts-ignore: decorator
@inline export function paddedStride(width: i32): usize {
  return <usize>width + 2 * PAD;
}

/** The address of a pixel of such a plane. */
// @ts-ignore: decorator
@inline export function paddedAt(plane: usize, width: i32, x: usize, y: usize): usize {
  return plane + (((y + PAD) * paddedStride(width) + x + PAD) << 2);
}

/**
 * Writes heights to a plane with `pad` pixels of NaN on every side; unknown and infinite heights become NaN too. The
 * address of `mask` is 0 where all are known.
 */
export function padHeights(values: usize, mask: usize, width: i32, height: i32, to: usize, pad: i32): void {
  const stride = <usize>(width + 2 * pad);
  const bytes = (stride * <usize>(height + 2 * pad)) << 2;
  // All bits: NaN
  memory.fill(to, 0xff, bytes);
  for (let y = 0; y < height; y++) {
    const start = <usize>(y * width);
    const row = to + ((<usize>(y + pad) * stride + <usize>pad) << 2);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const values4 = v128.load(values + ((start + x) << 2));
      let isKnown = v128.and(f32x4.lt(f32x4.abs(values4), f32x4.splat(Infinity)), inRow(<usize>width - x));
      if (mask != 0) isKnown = v128.and(isKnown, hasValue(values4, mask + start + x));
      // Adding 0 makes 0 of -0, so that equal heights have equal bits. Beyond the row this writes NaN where NaN is.
      v128.store(row + (x << 2), v128.or(f32x4.add(values4, f32x4.splat(0.0)), v128.not(isKnown)));
    }
  }
}

/** All bits of those of four lanes that are among the first `count`. */
// @ts-ignore: decorator
@inline function inRow(count: usize): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>count));
}

/** Writes what is known of a padded plane to heights and mask, and leaves the other heights as they are. */
export function unpadHeights(from: usize, width: i32, height: i32, values: usize, mask: usize): void {
  for (let y: usize = 0; y < <usize>height; y++) {
    const start = y * <usize>width;
    const row = paddedAt(from, width, 0, y);
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const to = values + ((start + x) << 2);
      const values4 = v128.load(row + (x << 2));
      // The lanes beyond the row are pixels of the next one, which comes later.
      const isKnown = v128.and(f32x4.eq(values4, values4), inRow(<usize>width - x));
      v128.store(to, v128.bitselect(values4, v128.load(to), isKnown));
      if (mask != 0) store<u32>(mask + start + x, toBytes(isKnown) & 0x01010101);
    }
  }
}

/** Fills the sides of a padded plane with its edges, repeated. */
export function repeatEdges(plane: usize, width: i32, height: i32): void {
  const stride = paddedStride(width) << 2;
  for (let y: usize = 0; y < <usize>height; y++) {
    const first = paddedAt(plane, width, 0, y);
    const last = first + (<usize>(width - 1) << 2);
    for (let i: usize = 1; i <= PAD; i++) {
      store<u32>(first - (i << 2), load<u32>(first));
      store<u32>(last + (i << 2), load<u32>(last));
    }
  }
  const top = plane + PAD * stride;
  const bottom = top + <usize>(height - 1) * stride;
  for (let i: usize = 1; i <= PAD; i++) {
    memory.copy(top - i * stride, top, stride);
    memory.copy(bottom + i * stride, bottom, stride);
  }
}
