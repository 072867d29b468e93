import type { AreaGeometry, LonLat, Ring } from './geometry.ts';

/** WGS 84: semi-minor axis in kilometres, and eccentricity. */
const SEMI_MINOR_KM = 6356.752314245179;
const ECCENTRICITY = 0.0818191908426215;
const RAD = Math.PI / 180;

/**
 * Edges are measured in segments no longer than this; five points per segment are then accurate to a millionth of a
 * percent.
 */
const PIECE_DEG = 2;
/** Nodes and weights of Gauss-Legendre quadrature with five points on 0..1. */
const GAUSS: readonly (readonly [node: number, weight: number])[] = [
  [0.04691007703066802, 0.11846344252809454],
  [0.23076534494715845, 0.23931433524968324],
  [0.5, 0.28444444444444444],
  [0.7692346550528415, 0.23931433524968324],
  [0.953089922969332, 0.11846344252809454],
];

/** The area on the ellipsoid, in square kilometres; edges are straight in degrees, holes are subtracted. */
export function areaKm2(area: AreaGeometry): number {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return polygons.reduce((sum, [outer, ...holes]) => {
    const ofHoles = holes.reduce((total, hole) => total + ringKm2(hole), 0);
    return sum + ringKm2(outer!) - ofHoles;
  }, 0);
}

function ringKm2(ring: Ring): number {
  // Relative to a parallel of the ring itself: from the equator a small field would be a difference of large numbers.
  const base = belowParallel(ring[0]![1]);
  let sum = 0;
  for (let i = 1; i < ring.length; i++) sum += belowEdge(ring[i - 1]!, ring[i]!, base);
  return Math.abs(sum) * SEMI_MINOR_KM ** 2;
}

/** Signed area between an edge and the parallel of `base`, with the semi-minor axis as 1. */
function belowEdge(from: LonLat, to: LonLat, base: number): number {
  const [lon, lat] = [to[0] - from[0], to[1] - from[1]];
  const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(lon), Math.abs(lat)) / PIECE_DEG));
  let mean = 0;
  for (let piece = 0; piece < pieces; piece++) {
    for (const [node, weight] of GAUSS) {
      mean += (weight * (belowParallel(from[1] + ((piece + node) / pieces) * lat) - base)) / pieces;
    }
  }
  return mean * lon * RAD;
}

/** Area between the equator and a parallel, for one radian of longitude (Snyder, Map Projections, 3-12 and 3-13). */
function belowParallel(lat: number): number {
  const sine = Math.sin(lat * RAD);
  const part = ECCENTRICITY * sine;
  return (sine / (1 - part * part) + Math.atanh(part) / ECCENTRICITY) / 2;
}
