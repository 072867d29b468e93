import type { Rgb } from '../rgb.ts';

/** A table described by a uniform cubic B-spline for each channel. */
export interface PackedCurve {
  /** Entries of the table. */
  readonly entries: number;
  /** Control heights of the curve, at equal distances: four hexadecimal digits each, from -0.5 to 1.5. */
  readonly channels: readonly [red: string, green: string, blue: string];
}

const DIGITS = 4;
const LOW = -0.5;
const SPAN = 2;

/** The entries of the table. */
export function unpackCurve({ entries, channels }: PackedCurve): Rgb[] {
  const [red, green, blue] = channels.map(unpackHeights) as [Float64Array, Float64Array, Float64Array];
  return Array.from({ length: entries }, (_, i) => {
    const x = i / (entries - 1);
    return [heightAt(red, x), heightAt(green, x), heightAt(blue, x)];
  });
}

const unpackHeights = (text: string): Float64Array =>
  Float64Array.from({ length: text.length / DIGITS }, (_, i) => {
    const stored = Number.parseInt(text.slice(i * DIGITS, (i + 1) * DIGITS), 16);
    return LOW + (SPAN * stored) / 0xffff;
  });

/** The spline at a position from 0 to 1. */
function heightAt(heights: Float64Array, x: number): number {
  const pieces = heights.length - 3;
  const i = Math.min(pieces - 1, Math.floor(x * pieces));
  const t = x * pieces - i;
  const [t2, t3] = [t * t, t * t * t];
  return (
    ((1 - t) ** 3 * heights[i]! +
      (3 * t3 - 6 * t2 + 4) * heights[i + 1]! +
      (-3 * t3 + 3 * t2 + 3 * t + 1) * heights[i + 2]! +
      t3 * heights[i + 3]!) /
    6
  );
}
