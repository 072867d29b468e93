import { fade, gradientX, gradientY, hash } from './noise.ts';

/** A draw from a nearly normal distribution of mean 0 and deviation 1, never beyond 3.45. */
export function normalDraw(ix: number, iy: number, seed: number): number {
  const draw = hash(ix, iy, seed);
  // The sum of four random bytes: mean 510, standard deviation 147.8.
  return ((draw & 0xff) + ((draw >>> 8) & 0xff) + ((draw >>> 16) & 0xff) + (draw >>> 24) - 510) / 147.8;
}

/** Smooth noise along a line, wavelength about 2, mean 0 and deviation about 1. */
export function lineNoise(at: number, seed: number): number {
  const node = Math.floor(at);
  const part = at - node;
  const late = part * part * (3 - 2 * part);
  const early = 1 - late;
  const mixed = early * normalDraw(node, 0, seed) + late * normalDraw(node + 1, 0, seed);
  // Between two draws their mean would vary less than each: give back what the mixing took.
  return mixed / Math.sqrt(early * early + late * late);
}

/**
 * Smooth noise over the plane of wavelength 1, about in [-1, 1], mean 0. Costlier than the ground's noise but without a
 * table to shuffle, so good where the seed changes with every day.
 */
export function gradientNoise(x: number, y: number, seed: number): number {
  const col = Math.floor(x);
  const row = Math.floor(y);
  const fx = x - col;
  const fy = y - row;
  const corner = (right: number, down: number): number => {
    const turn = hash(col + right, row + down, seed) & 15;
    return gradientX[turn]! * (fx - right) + gradientY[turn]! * (fy - down);
  };
  const ux = fade(fx);
  const uy = fade(fy);
  const top = corner(0, 0) * (1 - ux) + corner(1, 0) * ux;
  const bottom = corner(0, 1) * (1 - ux) + corner(1, 1) * ux;
  return top + uy * (bottom - top);
}
