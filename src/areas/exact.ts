import type { LonLat } from '../geo/index.ts';

/**
 * Degrees of drawn areas are multiples of 2^-40: a tenth of a micrometre on the ground. With that, differences of
 * longitudes up to 1080 degrees are exact in double precision and their products in two doubles, so that the sign of
 * `turn` never depends on rounding.
 */
const STEPS_PER_DEG = 2 ** 40;

/** The nearest number of degrees that `turn` computes with exactly; never -0. */
export const snapDegrees = (degrees: number): number =>
  Math.round(degrees * STEPS_PER_DEG) / STEPS_PER_DEG + 0;

/** An upper bound of the rounding error of the products and their difference, relative to the products. */
const ROUNDING = 4e-16;

/** Positive when the path from `a` over `b` to `c` turns left, negative when right, 0 when it is straight; exact. */
export function turn(a: LonLat, b: LonLat, c: LonLat): number {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const left = ux * vy;
  const right = uy * vx;
  const rough = left - right;
  if (Math.abs(rough) > ROUNDING * (Math.abs(left) + Math.abs(right))) return rough;
  // The products are so close to each other that their difference is exact, and so are their rounding errors.
  return rough + (tailOf(ux, vy, left) - tailOf(uy, vx, right));
}

/** The rounding error of `product` = `a * b` (Dekker). */
function tailOf(a: number, b: number, product: number): number {
  const aHigh = highHalf(a);
  const bHigh = highHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** The upper 26 of the 53 bits. */
function highHalf(value: number): number {
  const spread = value * 134_217_729;
  return spread - (spread - value);
}

/** Where a point lies relative to a closed ring of snapped positions; exact. */
export function locateInRing(point: LonLat, ring: readonly LonLat[]): 'inside' | 'edge' | 'outside' {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const from = ring[i - 1]!;
    const to = ring[i]!;
    if (from[1] > point[1] !== to[1] > point[1]) {
      const side = turn(from, to, point);
      if (side === 0) return 'edge';
      // To the left of an edge that goes up, to the right of one that goes down: the ray to the east crosses it.
      if (side > 0 === to[1] > from[1]) isInside = !isInside;
    } else if (from[1] === point[1] || to[1] === point[1]) {
      if (isOnEdge(point, from, to)) return 'edge';
    }
  }
  return isInside ? 'inside' : 'outside';
}

/** True when the point lies on the edge, ends included; exact. */
export function isOnEdge(point: LonLat, from: LonLat, to: LonLat): boolean {
  return (
    Math.min(from[0], to[0]) <= point[0] &&
    point[0] <= Math.max(from[0], to[0]) &&
    Math.min(from[1], to[1]) <= point[1] &&
    point[1] <= Math.max(from[1], to[1]) &&
    turn(from, to, point) === 0
  );
}

/** Twice the area that the ring encloses in square degrees: positive when it runs counter-clockwise. */
export function signedSize(ring: readonly LonLat[]): number {
  const [originLon, originLat] = ring[0]!;
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const from = ring[i - 1]!;
    const to = ring[i]!;
    sum += (from[0] - originLon) * (to[1] - originLat) - (to[0] - originLon) * (from[1] - originLat);
  }
  return sum;
}
