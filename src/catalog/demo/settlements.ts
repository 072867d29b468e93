import type { Place } from './polyline.ts';

/** A place people live in. */
export interface Settlement extends Place {
  readonly radiusM: number;
  /** 1 is round; above, longer from north to south. */
  readonly stretchY: number;
  readonly kind: 'town' | 'village' | 'resort';
}

/** The town on the river, the resorts on the beach, the villages of the plain and the foothills. */
export const settlements = {
  town: { x: 5150, y: 8750, radiusM: 1750, stretchY: 0.9, kind: 'town' },
  midBeach: { x: 13930, y: 10350, radiusM: 560, stretchY: 2.3, kind: 'resort' },
  northBeach: { x: 13990, y: 2950, radiusM: 400, stretchY: 2.2, kind: 'resort' },
  gate: { x: 11900, y: 9900, radiusM: 520, stretchY: 1, kind: 'village' },
  orchards: { x: 9250, y: 9500, radiusM: 470, stretchY: 0.8, kind: 'village' },
  northBank: { x: 8350, y: 5150, radiusM: 430, stretchY: 1.1, kind: 'village' },
  salt: { x: 11650, y: 4650, radiusM: 560, stretchY: 0.9, kind: 'village' },
  northPlain: { x: 10350, y: 1700, radiusM: 390, stretchY: 1, kind: 'village' },
  springs: { x: 2350, y: 4350, radiusM: 410, stretchY: 1.1, kind: 'village' },
  pines: { x: 6150, y: 900, radiusM: 330, stretchY: 0.8, kind: 'village' },
  westBank: { x: 1350, y: 8650, radiusM: 420, stretchY: 1, kind: 'village' },
  vines: { x: 8250, y: 12850, radiusM: 480, stretchY: 1.2, kind: 'village' },
  foothill: { x: 3500, y: 12900, radiusM: 300, stretchY: 0.9, kind: 'village' },
  slope: { x: 6450, y: 16350, radiusM: 290, stretchY: 1.1, kind: 'village' },
  south: { x: 10450, y: 17750, radiusM: 450, stretchY: 0.9, kind: 'village' },
  southBeach: { x: 12900, y: 18850, radiusM: 380, stretchY: 1.2, kind: 'village' },
  hamlet: { x: 1700, y: 16200, radiusM: 170, stretchY: 1, kind: 'village' },
} as const satisfies Readonly<Record<string, Settlement>>;

const all: readonly Settlement[] = Object.values(settlements);

/** How settled a place is: 1 in the middle of a settlement, 0 at its edge, negative outside, never below -3. */
export function settledAt(x: number, y: number): number {
  let nearest = 16;
  for (const settlement of all) {
    const here = radii2(settlement, x, y);
    if (here < nearest) nearest = here;
  }
  return 1 - Math.sqrt(nearest);
}

/** The settlement that a place belongs to, or would if it grew. */
export function nearestSettlement(x: number, y: number): Settlement {
  return all.reduce((best, other) => (radii2(other, x, y) < radii2(best, x, y) ? other : best));
}

/** Square of the distance from a settlement's middle, in its radii. */
function radii2({ x, y, radiusM, stretchY }: Settlement, atX: number, atY: number): number {
  const dx = (atX - x) / radiusM;
  const dy = (atY - y) / (radiusM * stretchY);
  return dx * dx + dy * dy;
}
