/** Lengths and areas on the WGS 84 ellipsoid: what a map projection does to shapes does not enter them. */
import type { Outline } from '../scenes/footprint.ts';
import type { Position } from './shape.ts';
import { polygonsOf } from './shape.ts';

/** The ellipsoid: half axes in metres, flattening, and the squares of its eccentricities (NIMA TR8350.2). */
export const WGS84 = (() => {
  const a = 6_378_137;
  const f = 1 / 298.257223563;
  const e2 = f * (2 - f);
  return { a, f, b: a * (1 - f), e2, e: Math.sqrt(e2) };
})();

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Of the longitude on the auxiliary sphere, in radians: 0.06 mm on the ground. */
const CONVERGED = 1e-11;
const MAX_ROUNDS = 100;
/** The sphere with the volume of the ellipsoid. */
const MEAN_RADIUS_M = 6_371_000.8;

/** The shortest way on a sphere, for the pairs of opposite points for which Vincenty's rounds do not end. */
const sphereDistance = ([lonA, latA]: Position, [lonB, latB]: Position): number => {
  const [u, v] = [toRadians(latA), toRadians(latB)];
  const half = (radians: number): number => Math.sin(radians / 2) ** 2;
  const h = half(v - u) + Math.cos(u) * Math.cos(v) * half(toRadians(lonB - lonA));
  return 2 * MEAN_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
};

/** Metres between two points, by the inverse formula of T. Vincenty (1975). */
export const distanceM = (from: Position, to: Position): number => {
  const { a, b, f } = WGS84;
  const reduced = (lat: number): number => Math.atan((1 - f) * Math.tan(toRadians(lat)));
  const [u, v] = [reduced(from[1]), reduced(to[1])];
  const [sinU, cosU, sinV, cosV] = [Math.sin(u), Math.cos(u), Math.sin(v), Math.cos(v)];
  const dLon = toRadians(to[0] - from[0]);
  let lambda = dLon;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)];
    const sinS = Math.hypot(cosV * sinL, cosU * sinV - sinU * cosV * cosL);
    if (sinS === 0) return 0;
    const cosS = sinU * sinV + cosU * cosV * cosL;
    const sigma = Math.atan2(sinS, cosS);
    const sinA = (cosU * cosV * sinL) / sinS;
    const cos2A = 1 - sinA * sinA;
    // Along the equator the middle of the arc has no latitude of its own.
    const cos2M = cos2A < 1e-15 ? 0 : cosS - (2 * sinU * sinV) / cos2A;
    const c = (f / 16) * cos2A * (4 + f * (4 - 3 * cos2A));
    const last = lambda;
    lambda = dLon + (1 - c) * f * sinA * (sigma + c * sinS * (cos2M + c * cosS * (2 * cos2M * cos2M - 1)));
    if (Math.abs(lambda - last) > CONVERGED) continue;
    const u2 = (cos2A * (a * a - b * b)) / (b * b);
    const big = 1 + (u2 / 16384) * (4096 + u2 * (u2 * (320 - 175 * u2) - 768));
    const small = (u2 / 1024) * (256 + u2 * (u2 * (74 - 47 * u2) - 128));
    const lead = cosS * (2 * cos2M * cos2M - 1);
    const tail = (small / 6) * cos2M * (4 * sinS * sinS - 3) * (4 * cos2M * cos2M - 3);
    return b * big * (sigma - small * sinS * (cos2M + (small / 4) * (lead - tail)));
  }
  return sphereDistance(from, to);
};

/** Metres along a line. */
export const lengthM = (positions: readonly Position[]): number =>
  positions.reduce((sum, position, i) => {
    const before = positions[i - 1];
    return before === undefined ? 0 : sum + distanceM(before, position);
  }, 0);

/** Metres along all rings of an outline, those of holes included. */
export const perimeterM = (outline: Outline): number =>
  polygonsOf(outline)
    .flat()
    .reduce((sum, ring) => sum + lengthM(ring), 0);

/** Snyder's q of a latitude (Map Projections, 3-12): the area from the equator to it is proportional to it. */
const authalicQ = (sine: number): number => {
  const { e, e2 } = WGS84;
  return (1 - e2) * (sine / (1 - e2 * sine * sine) + Math.atanh(e * sine) / e);
};
const POLE_Q = authalicQ(1);
/** The square of the radius of the sphere with the area of the ellipsoid. */
const AUTHALIC_R2 = (WGS84.a ** 2 * POLE_Q) / 2;

/** The tangent of half the latitude on that sphere. */
const halfTangent = (lat: number): number => {
  const sine = Math.max(-1, Math.min(1, authalicQ(Math.sin(toRadians(lat))) / POLE_Q));
  return Math.tan(Math.asin(sine) / 2);
};

/**
 * Square metres inside a ring, positive if it runs counterclockwise. Latitudes go to the sphere of equal area, on which
 * each edge and the equator enclose a spherical excess.
 */
const ringM2 = (ring: readonly Position[]): number => {
  let excess = 0;
  for (let i = 1; i < ring.length; i++) {
    const [from, to] = [ring[i - 1], ring[i]];
    if (from === undefined || to === undefined) continue;
    const [u, v] = [halfTangent(from[1]), halfTangent(to[1])];
    excess += 2 * Math.atan2(Math.tan(toRadians(to[0] - from[0]) / 2) * (u + v), 1 + u * v);
  }
  return -excess * AUTHALIC_R2;
};

/** Square metres of an outline, without its holes. */
export const areaM2 = (outline: Outline): number =>
  polygonsOf(outline).reduce((sum, [outer, ...holes]) => {
    const inside = Math.abs(ringM2(outer ?? []));
    return sum + holes.reduce((left, hole) => left - Math.abs(ringM2(hole)), inside);
  }, 0);
