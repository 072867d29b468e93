import type { Ring } from '../../geo/index.ts';
import type { WeatherLocation } from './weather-provider.ts';

/** The middle of a location, in degrees. */
export interface Centre {
  readonly lon: number;
  readonly lat: number;
}

/** The centroid of an area, or a point itself. Longitudes are those of the area, which may go beyond 180°. */
export function toCentre(where: WeatherLocation): Centre {
  if (where.type === 'Point') return { lon: where.coordinates[0], lat: where.coordinates[1] };
  const polygons = where.type === 'Polygon' ? [where.coordinates] : where.coordinates;
  const [originLon, originLat] = polygons[0]?.[0]?.[0] ?? [0, 0];
  let [size, x, y] = [0, 0, 0];
  for (const rings of polygons) {
    for (const [i, ring] of rings.entries()) {
      const sums = measure(ring, originLon, originLat);
      // Holes are taken away, whichever way they turn.
      const sign = (i === 0 ? 1 : -1) * Math.sign(sums.size);
      size += sign * sums.size;
      x += sign * sums.x;
      y += sign * sums.y;
    }
  }
  return size > 0
    ? { lon: originLon + x / size, lat: originLat + y / size }
    : { lon: originLon, lat: originLat };
}

/** Size of a ring and its moments, relative to an origin. */
function measure(ring: Ring, originLon: number, originLat: number) {
  let [size, x, y] = [0, 0, 0];
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1]![0] - originLon, ring[i - 1]![1] - originLat];
    const [bx, by] = [ring[i]![0] - originLon, ring[i]![1] - originLat];
    const cross = ax * by - bx * ay;
    size += cross / 2;
    x += (cross * (ax + bx)) / 6;
    y += (cross * (ay + by)) / 6;
  }
  return { size, x, y };
}
