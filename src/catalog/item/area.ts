import type { AreaGeometry } from '../../geo/index.ts';
import { toArea } from '../metadata/geojson.ts';

/** Outlines of products have tens of points; the check for crossing edges takes quadratic time. */
const MAX_POINTS = 5_000;

/** The polygons of an item's geometry; null if there are none, or more points than any product has. */
export function toItemArea(geometry: unknown): AreaGeometry | null {
  const area = toArea(geometry);
  if (area === null) return null;
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_POINTS ? area : null;
}
