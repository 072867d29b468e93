/** The small texts over the map: where the pointer is, and how fast tiles come. */
import type { Texts } from '../texts/en.ts';

/** Five digits of a degree are about a metre; a far-out view does not need them. */
const digitsAt = (zoom: number): number => Math.max(1, Math.min(5, Math.round(zoom / 3)));

const toFixed = (value: number, digits: number, locale: string): string =>
  value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

const toHalf = (
  value: number,
  { digits, locale }: { readonly digits: number; readonly locale: string },
  halves: readonly [string, string],
): string => `${toFixed(Math.abs(value), digits, locale)}° ${value < 0 ? halves[1] : halves[0]}`;

interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

/** `42.61130° N  2.40130° E`; longitudes of a map dragged around the world are brought back. */
export const formatPoint = ({ lat, lon }: LatLon, { readout, locale }: Texts, digits = 5): string => {
  const wrapped = ((((lon + 180) % 360) + 360) % 360) - 180;
  const north = toHalf(lat, { digits, locale }, [readout.north, readout.south]);
  return `${north}  ${toHalf(wrapped, { digits, locale }, [readout.east, readout.west])}`;
};

/** `42.6113° N  2.4013° E · zoom 9.3`. */
export const formatPosition = (position: LatLon & { readonly zoom: number }, texts: Texts): string =>
  `${formatPoint(position, texts, digitsAt(position.zoom))} · ${texts.readout.zoom} ${toFixed(position.zoom, 1, texts.locale)}`;

/** `12 tiles · median 38 ms`; empty when no tile has come yet. */
export const formatTimings = (durationsMs: readonly number[], { readout, locale }: Texts): string => {
  if (durationsMs.length === 0) return '';
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return readout.tiles(sorted.length, toFixed(medianMs, medianMs < 10 ? 1 : 0, locale));
};
