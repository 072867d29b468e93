import type { AreaGeometry } from '../../geo/index.ts';
import { toArea } from '../metadata/geojson.ts';

/** Outlines of products have tens of points; whether one crosses itself takes the square of that to find out. */
const MAX_POINTS = 5_000;

/** The polygons of an item's geometry; null when it has none, or one with more points than any product's. */
export function toItemArea(geometry: unknown): AreaGeometry | null {
  const area = toArea(geometry);
  if (area === null) return null;
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_POINTS ? area : null;
}
