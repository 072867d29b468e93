import type { PointGeometry } from '../../geo/index.ts';

/** A GeoJSON Point, or a Feature of one, with or without a height; null for anything else, `malformed` for a wrong one. */
export function toPoint(geometry: unknown): PointGeometry | 'malformed' | null {
  const given = (geometry ?? {}) as {
    readonly type?: unknown;
    readonly coordinates?: unknown;
    geometry?: unknown;
  };
  if (given.type === 'Feature') return toPoint(given.geometry);
  if (given.type !== 'Point') return null;
  const [lon, lat] = Array.isArray(given.coordinates) ? (given.coordinates as unknown[]) : [];
  const isPosition =
    typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
  return isPosition ? { type: 'Point', coordinates: [lon, lat] } : 'malformed';
}
