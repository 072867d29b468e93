import type { AreaGeometry, LonLat, Ring } from '../../geo/index.ts';
import { isObject } from '../../json.ts';

/** One or several polygons in any coordinates; null if there are none. A ring has at most 100,000 points. */
export function toArea(geometry: unknown): AreaGeometry | null {
  if (!isObject(geometry) || !Array.isArray(geometry.coordinates)) return null;
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return null;
  const parts = polygons.flatMap((rings: unknown) => {
    const known = Array.isArray(rings) ? rings.map(toRing) : [];
    return known.length > 0 && known.every((ring) => ring !== null) ? [known as Ring[]] : [];
  });
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: parts };
}

function toRing(positions: unknown): Ring | null {
  if (!Array.isArray(positions) || positions.length < 4 || positions.length > 100_000) return null;
  const ring: LonLat[] = [];
  for (const position of positions) {
    const [x, y] = Array.isArray(position) ? position : [];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    ring.push([x, y]);
  }
  return ring;
}
