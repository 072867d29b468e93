import { angleOf, arcSine, cos, sin, toDegrees, toRadians } from '../numbers/steady-math.ts';
import { DAY_MS } from '../setting.ts';
import type { SunPosition } from './exposure.ts';

/** The middle of the world's frame (`setting.ts`), from UTM zone 10 to degrees. */
const middle = { latitudeDeg: 48.25673, longitudeDeg: -122.26062 } as const;

/** Julian day of 1970-01-01 at midnight, and of the epoch J2000 that the sun's elements count from. */
const julianDayOf1970 = 2440587.5;
const julianDayOf2000 = 2451545;

/**
 * Where the sun stands above a location, after the equations of NOAA's solar calculator (from Meeus, "Astronomical
 * Algorithms"), without refraction: satellite products state the geometric sun too.
 */
export function sunAbove(atMs: number, latitudeDeg: number, longitudeDeg: number): SunPosition {
  const century = (atMs / DAY_MS + julianDayOf1970 - julianDayOf2000) / 36525;
  const meanLongitude = toRadians((280.46646 + century * (36000.76983 + century * 0.0003032)) % 360);
  const meanAnomaly = toRadians(357.52911 + century * (35999.05029 - century * 0.0001537));
  const eccentricity = 0.016708634 - century * (0.000042037 + century * 0.0000001267);
  const centre =
    sin(meanAnomaly) * (1.914602 - century * (0.004817 + century * 0.000014)) +
    sin(2 * meanAnomaly) * (0.019993 - century * 0.000101) +
    sin(3 * meanAnomaly) * 0.000289;
  const node = toRadians(125.04 - 1934.136 * century);
  const apparentLongitude = meanLongitude + toRadians(centre - 0.00569 - 0.00478 * sin(node));
  const obliquity = toRadians(23.4392911 - century * 0.0130042 + 0.00256 * cos(node));
  const declination = arcSine(sin(obliquity) * sin(apparentLongitude));

  const tanHalf = sin(obliquity / 2) / cos(obliquity / 2);
  const y = tanHalf * tanHalf;
  const equationOfTimeMin =
    4 *
    toDegrees(
      y * sin(2 * meanLongitude) -
        2 * eccentricity * sin(meanAnomaly) +
        4 * eccentricity * y * sin(meanAnomaly) * cos(2 * meanLongitude) -
        0.5 * y * y * sin(4 * meanLongitude) -
        1.25 * eccentricity * eccentricity * sin(2 * meanAnomaly),
    );
  const dayMinutes = (atMs - Math.floor(atMs / DAY_MS) * DAY_MS) / 60_000;
  const hourAngle = toRadians((dayMinutes + equationOfTimeMin) / 4 + longitudeDeg - 180);

  const latitude = toRadians(latitudeDeg);
  const up = sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle);
  const east = -cos(declination) * sin(hourAngle);
  const north = cos(latitude) * sin(declination) - sin(latitude) * cos(declination) * cos(hourAngle);
  const azimuthDeg = toDegrees(angleOf(east, north));
  return {
    elevationDeg: toDegrees(arcSine(up)),
    azimuthDeg: azimuthDeg < 0 ? azimuthDeg + 360 : azimuthDeg,
  };
}

/** Where the sun stands above the world's middle. */
export const sunAt = (atMs: number): SunPosition => sunAbove(atMs, middle.latitudeDeg, middle.longitudeDeg);

/** Hour of the sun's own day at the world's middle, 12 when it is highest but for the equation of time. */
export function solarHourAt(atMs: number): number {
  const hours = atMs / 3_600_000 + middle.longitudeDeg / 15;
  return hours - Math.floor(hours / 24) * 24;
}

/** Distance of the earth from the sun in astronomical units, as Landsat's users reckon it from the day of the year. */
export function earthSunDistanceAu(atMs: number): number {
  const newYearMs = Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1);
  const dayOfYear = Math.floor((atMs - newYearMs) / DAY_MS) + 1;
  return 1 - 0.01672 * cos(toRadians(0.9856 * (dayOfYear - 4)));
}

/** The sun's direction as arithmetic wants it. */
export interface SunRay {
  /** Unit vector on the ground towards the sun, east and south. */
  readonly toX: number;
  readonly toY: number;
  readonly cosZenith: number;
  readonly tanZenith: number;
}

/** Below this the sun counts as standing here: satellites take no pictures by less light. */
const lowestDeg = 4;

/** The ray of a sun's position. */
export function toSunRay({ elevationDeg, azimuthDeg }: SunPosition): SunRay {
  const elevation = toRadians(Math.max(lowestDeg, elevationDeg));
  const azimuth = toRadians(azimuthDeg);
  const cosZenith = sin(elevation);
  return { toX: sin(azimuth), toY: -cos(azimuth), cosZenith, tanZenith: cos(elevation) / cosZenith };
}
