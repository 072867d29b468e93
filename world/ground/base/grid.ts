import { clamp } from '../../numbers/easing.ts';

/** A square grid of values at cell centres, in local metres. */
export interface GridPlan {
  readonly originM: number;
  readonly cellM: number;
  /** Cells along each side. */
  readonly size: number;
}

/** The grid that relief, shore and rivers are worked out on: the frame and 1.4 km around it. */
export const baseGrid: GridPlan = { originM: -1420, cellM: 220, size: 512 };

/** Makes zeroed numbers that threads share. */
export function sharedFloats(length: number): Float32Array<SharedArrayBuffer> {
  return new Float32Array(new SharedArrayBuffer(length * 4));
}

/** Makes zeroed whole numbers that threads share. */
export function sharedInts(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

/** Values between cell centres on straight lines; outside the grid, those of its edge. */
export function makeLinearSampler(
  values: Float32Array,
  { originM, cellM, size }: GridPlan,
): (x: number, y: number) => number {
  return (x, y) => {
    const u = clamp((x - originM) / cellM - 0.5, 0, size - 1.001);
    const v = clamp((y - originM) / cellM - 0.5, 0, size - 1.001);
    const col = Math.floor(u);
    const row = Math.floor(v);
    const at = row * size + col;
    const top = values[at]! + (values[at + 1]! - values[at]!) * (u - col);
    const bottom = values[at + size]! + (values[at + size + 1]! - values[at + size]!) * (u - col);
    return top + (bottom - top) * (v - row);
  };
}

/**
 * Values that make `makeSmoothSampler` pass close to the given ones: the spline alone would fill valleys and lower
 * ridges. Two rounds leave a few per cent of that.
 */
export function sharpen(values: Float32Array, { size }: GridPlan): Float32Array {
  const sharp = sharedFloats(values.length);
  sharp.set(values);
  const blurred = new Float32Array(values.length);
  for (let round = 0; round < 2; round++) {
    for (let row = 1; row < size - 1; row++) {
      for (let col = 1; col < size - 1; col++) {
        const at = row * size + col;
        const sides = sharp[at - 1]! + sharp[at + 1]! + sharp[at - size]! + sharp[at + size]!;
        const corners =
          sharp[at - size - 1]! + sharp[at - size + 1]! + sharp[at + size - 1]! + sharp[at + size + 1]!;
        blurred[at] = (16 * sharp[at]! + 4 * sides + corners) / 36;
      }
    }
    for (let row = 1; row < size - 1; row++) {
      for (let at = row * size + 1; at < (row + 1) * size - 1; at++) sharp[at]! += values[at]! - blurred[at]!;
    }
  }
  return sharp;
}

/** Values on a cubic B-spline over cell centres: smooth in height and slope, so that shading shows no cells. */
export function makeSmoothSampler(
  values: Float32Array,
  { originM, cellM, size }: GridPlan,
): (x: number, y: number) => number {
  return (x, y) => {
    const u = clamp((x - originM) / cellM - 0.5, 1, size - 3);
    const v = clamp((y - originM) / cellM - 0.5, 1, size - 3);
    const col = Math.floor(u);
    const row = Math.floor(v);
    const t = u - col;
    const s = 1 - t;
    const w0 = s * s * s;
    const w1 = 4 - 6 * t * t + 3 * t * t * t;
    const w2 = 4 - 6 * s * s + 3 * s * s * s;
    const w3 = t * t * t;
    const q = v - row;
    const r = 1 - q;
    let at = (row - 1) * size + col - 1;
    let sum =
      r * r * r * (w0 * values[at]! + w1 * values[at + 1]! + w2 * values[at + 2]! + w3 * values[at + 3]!);
    at += size;
    sum +=
      (4 - 6 * q * q + 3 * q * q * q) *
      (w0 * values[at]! + w1 * values[at + 1]! + w2 * values[at + 2]! + w3 * values[at + 3]!);
    at += size;
    sum +=
      (4 - 6 * r * r + 3 * r * r * r) *
      (w0 * values[at]! + w1 * values[at + 1]! + w2 * values[at + 2]! + w3 * values[at + 3]!);
    at += size;
    sum +=
      q * q * q * (w0 * values[at]! + w1 * values[at + 1]! + w2 * values[at + 2]! + w3 * values[at + 3]!);
    return sum / 36;
  };
}
