import type { Settlement } from './layout.ts';
import { settlements } from './layout.ts';

const all: readonly Settlement[] = Object.values(settlements);

/** How settled a point is: 1 in the middle of a settlement, 0 at its edge, negative outside, never below -3. */
export function settledAt(x: number, y: number): number {
  let nearest = 16;
  for (const settlement of all) {
    const here = radii2(settlement, x, y);
    if (here < nearest) nearest = here;
  }
  return 1 - Math.sqrt(nearest);
}

/** The settlement that a point belongs to, or would if it grew. */
export function nearestSettlement(x: number, y: number): Settlement {
  return all.reduce((best, other) => (radii2(other, x, y) < radii2(best, x, y) ? other : best));
}

/** Square of the distance from a settlement's middle, in its radii. */
function radii2({ x, y, radiusM }: Settlement, atX: number, atY: number): number {
  const dx = (atX - x) / radiusM;
  const dy = (atY - y) / radiusM;
  return dx * dx + dy * dy;
}
