import { WGS84_RADIUS_M } from '../geo/index.ts';
/**
 * Web Mercator without the jump at the antimeridian: x goes on beyond the edge of the map, and so do longitudes. The
 * pixel next to the edge of a tile of the first column lies there.
 */
export const UNBOUNDED_MERCATOR = `+proj=merc +a=${WGS84_RADIUS_M} +b=${WGS84_RADIUS_M} +units=m +over +no_defs`;

const DEG = 180 / Math.PI;

/** From metres on the map to degrees; longitudes beyond the map exceed ±180. */
export function fromMercator(x: number, y: number): [lon: number, lat: number] {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return [Number.NaN, Number.NaN];
  return [(x / WGS84_RADIUS_M) * DEG, Math.atan(Math.sinh(y / WGS84_RADIUS_M)) * DEG];
}

/** From degrees to metres on the map; the poles have no position on it. */
export function toMercator(lon: number, lat: number): [x: number, y: number] {
  if (!Number.isFinite(lon) || !(Math.abs(lat) < 90)) return [Number.NaN, Number.NaN];
  return [(lon / DEG) * WGS84_RADIUS_M, Math.asinh(Math.tan(lat / DEG)) * WGS84_RADIUS_M];
}
