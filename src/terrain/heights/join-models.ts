import type { Size } from '../../geo/index.ts';

/** Heights on a grid and where they are known. */
export interface KnownHeights extends Size {
  readonly values: Float32Array;
  /** 1 where the height is known. */
  readonly mask: Uint8Array;
}

/** How far from the border of a model the next one is shifted to meet it, in pixels. */
export const JOIN_REACH_PX = 12;

/**
 * Fills the voids of a model with the heights of the next one, in place. Two models differ by metres where they meet
 * (ground or treetops, other years, other geoids): a step that relief would show as a cliff. So the next one is shifted
 * by the difference along the border, and less and less so up to the reach ("delta surface fill", Grohman et al. 2006).
 * Heights of the first model stay as they are. Returns whether a void is left.
 */
export function joinModels(upper: KnownHeights, lower: KnownHeights): boolean {
  const { width, height, values, mask } = upper;
  const steps = stepsToKnown(upper);
  const isNew = new Uint8Array(values.length);
  let hasVoid = false;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (mask[i] === 1) continue;
      if (lower.mask[i] === 0) {
        hasVoid = true;
        continue;
      }
      isNew[i] = 1;
      const shift = (steps[i] as number) > JOIN_REACH_PX ? 0 : findShift(upper, lower, x, y);
      values[i] = lower.values[i]! + shift;
    }
  }
  for (let i = 0; i < mask.length; i++) mask[i]! |= isNew[i]!;
  return hasVoid;
}

/** Steps to the nearest known height, by rows, columns and diagonals; more than the reach counts as far. */
function stepsToKnown({ width, height, mask }: KnownHeights): Uint8Array {
  const far = JOIN_REACH_PX + 1;
  const steps = Uint8Array.from(mask, (known) => (known === 1 ? 0 : far));
  const relax = (i: number, other: number): void => {
    const next = (steps[other] as number) + 1;
    if (next < (steps[i] as number)) steps[i] = next;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (steps[i] === 0) continue;
      if (x > 0) relax(i, i - 1);
      if (y > 0) relax(i, i - width);
      if (x > 0 && y > 0) relax(i, i - width - 1);
      if (x < width - 1 && y > 0) relax(i, i - width + 1);
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const i = y * width + x;
      if (steps[i] === 0) continue;
      if (x < width - 1) relax(i, i + 1);
      if (y < height - 1) relax(i, i + width);
      if (x < width - 1 && y < height - 1) relax(i, i + width + 1);
      if (x > 0 && y < height - 1) relax(i, i + width - 1);
    }
  }
  return steps;
}

/** The mean difference of both models around a pixel, weighted by closeness, fading to nothing at the reach. */
function findShift(upper: KnownHeights, lower: KnownHeights, column: number, row: number): number {
  const { width, height } = upper;
  let [sum, weights, nearest] = [0, 0, Infinity];
  const [top, bottom] = [Math.max(0, row - JOIN_REACH_PX), Math.min(height - 1, row + JOIN_REACH_PX)];
  const [left, right] = [Math.max(0, column - JOIN_REACH_PX), Math.min(width - 1, column + JOIN_REACH_PX)];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const i = y * width + x;
      if (upper.mask[i] === 0 || lower.mask[i] === 0) continue;
      const squared = (x - column) ** 2 + (y - row) ** 2;
      if (squared >= JOIN_REACH_PX ** 2) continue;
      const weight = 1 / (squared * squared);
      sum += weight * (upper.values[i]! - lower.values[i]!);
      weights += weight;
      nearest = Math.min(nearest, squared);
    }
  }
  if (weights === 0) return 0;
  // Smooth at both ends: no bend where the shift begins, none where it ends.
  const near = 1 - (Math.sqrt(nearest) - 1) / (JOIN_REACH_PX - 1);
  return (sum / weights) * near * near * (3 - 2 * near);
}
