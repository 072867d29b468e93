import { normalDraw } from '../numbers/hashed-noise.ts';

/**
 * Adds a detector's noise to a plane, in place: `dark` is its standard deviation in the dark and `shot` the growth of
 * its variance with the signal. The same for the same seed.
 */
export function addNoise(
  plane: Float32Array,
  { dark, shot, seed }: { dark: number; shot: number; seed: number },
): void {
  const dark2 = dark * dark;
  for (let i = 0; i < plane.length; i++) {
    const value = plane[i]!;
    plane[i] = value + normalDraw(i, 0, seed) * Math.sqrt(dark2 + shot * (value > 0 ? value : 0));
  }
}
