/** The small texts over the map: where the pointer is, how fast tiles come, what day it was. */

/** Five digits of a degree are about a metre; a far-out view does not need them. */
const digitsAt = (zoom: number): number => Math.max(1, Math.min(5, Math.round(zoom / 3)));

const toHalf = (value: number, digits: number, halves: readonly [string, string]): string =>
  `${Math.abs(value).toFixed(digits)}° ${value < 0 ? halves[1] : halves[0]}`;

/** `42.6113° N  2.4013° E · zoom 9.3`; longitudes of a map dragged around the world are brought back. */
export const formatPosition = ({ lat, lon, zoom }: { lat: number; lon: number; zoom: number }): string => {
  const digits = digitsAt(zoom);
  const wrapped = ((((lon + 180) % 360) + 360) % 360) - 180;
  return `${toHalf(lat, digits, ['N', 'S'])}  ${toHalf(wrapped, digits, ['E', 'W'])} · zoom ${zoom.toFixed(1)}`;
};

/** `12 tiles · median 38 ms`; empty when no tile has come yet. */
export const formatTimings = (durationsMs: readonly number[]): string => {
  if (durationsMs.length === 0) return '';
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const shown = medianMs < 10 ? medianMs.toFixed(1) : Math.round(medianMs).toString();
  return `${sorted.length} ${sorted.length === 1 ? 'tile' : 'tiles'} · median ${shown} ms`;
};

/** `2026-06-21` → `21 Jun 2026`; anything else stays as it is. */
export const formatDate = (date: string): string => {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T00:00:00Z`) : null;
  if (parsed === null || Number.isNaN(parsed.getTime())) return date;
  // A fixed locale, because the rest of the page is in English too; UTC, because the day is the satellite's.
  return parsed.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
};
