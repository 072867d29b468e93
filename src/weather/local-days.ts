import type { Ring } from '../geo/index.ts';
import { DAY_MS } from '../units.ts';
import { badInput } from './errors.ts';
import type { WeatherLocation } from './weather-provider.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as 2026-05-02 in days since 1970. */
export function parseDay(text: string): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A date such as 2026-02-30 is read as a day of March by some engines.
  if (Number.isNaN(ms) || toDay(ms / DAY_MS) !== text)
    throw badInput('bad-days', `"${text.slice(0, 40)}" is not a day such as 2026-05-02.`);
  return ms / DAY_MS;
}

/** Days as strings, cached: ten years of a field are 4,000 of them, the same ones in every request. */
const written = new Map<number, string>();
/** The max number of cached days: about 270 years. */
const MAX_WRITTEN = 100_000;

/** A number of days since 1970 as 2026-05-02. */
export function toDay(day: number): string {
  const known = written.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (written.size < MAX_WRITTEN) written.set(day, text);
  return text;
}

/** The day of the year from 1 to 366. */
export const toDayOfYear = (day: number): number => {
  const year = new Date(day * DAY_MS).getUTCFullYear();
  return day - Date.UTC(year, 0, 1) / DAY_MS + 1;
};

/** Hours that local midnight is ahead of UTC at a longitude: the zone of its meridian, without summer time. */
export const toUtcOffset = (longitude: number): number => {
  const turned = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return Math.round(turned / 15) + 0;
};

/** The middle of a location, in degrees. */
interface Centre {
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
