/** Universal Transverse Mercator on WGS 84: scenes have their pixels in metres of it. */
import { fromLonLat, toLonLat } from './transverse-mercator.ts';

/** A zone of UTM. */
export interface UtmZone {
  readonly number: number;
  readonly isNorth: boolean;
}

const toProjection = ({ number, isNorth }: UtmZone) => ({
  centralMeridian: number * 6 - 183,
  latitudeOfOrigin: 0,
  scale: 0.9996,
  falseEasting: 500_000,
  falseNorthing: isNorth ? 0 : 10_000_000,
});

/** The zone that a longitude and latitude lie in. */
export const zoneAt = (lon: number, lat: number): UtmZone => ({
  number: Math.min(60, Math.floor(((((lon + 540) % 360) + 360) % 360) / 6) + 1),
  isNorth: lat >= 0,
});

/** The code of a zone's reference system. */
export const epsgOf = ({ number, isNorth }: UtmZone): number => (isNorth ? 32_600 : 32_700) + number;

/** Longitude and latitude in metres of a zone. */
export const toUtm = (zone: UtmZone, lon: number, lat: number): readonly [x: number, y: number] =>
  fromLonLat(toProjection(zone), [lon, lat]);

/** Metres of a zone in longitude and latitude. */
export const fromUtm = (zone: UtmZone, x: number, y: number): readonly [lon: number, lat: number] => {
  const [lon, lat] = toLonLat(toProjection(zone), [x, y]);
  return [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat];
};
