import type { LonLatBounds } from '../../geo/index.ts';

/**
 * Landsat's reference system: 233 paths of a cycle of 16 days, 248 rows around the Earth of which the first 122 are in
 * daylight. Centres follow from the orbit.
 */
const INCLINATION = (98.2 * Math.PI) / 180;
const PATHS = 233;
const DAY_ROWS = 122;
const ROW_DEG = 360 / 248;
const PATH_DEG = 360 / PATHS;
/** Where path 1 crosses the equator southwards, in row 60. */
const FIRST_PATH_DEG = -64.6;
const EQUATOR_ROW = 60;
/** How far the Earth turns during one orbit, of which there are 233 in 16 days. */
const TURN_DEG = (360 * 16) / PATHS;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;
const toLongitude = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** How far west of its path's crossing of the equator a row lies. */
function shiftOf(row: number): { readonly lat: number; readonly shiftDeg: number } {
  const along = toRadians((row - EQUATOR_ROW) * ROW_DEG);
  const lat = -toDegrees(Math.asin(Math.sin(INCLINATION) * Math.sin(along)));
  const turned = toDegrees(Math.atan2(-Math.cos(INCLINATION) * Math.sin(along), -Math.cos(along)));
  return { lat, shiftDeg: toLongitude(turned - 180) - (toDegrees(along) / 360) * TURN_DEG };
}

/** The centre of a scene. */
export function wrsCentre(path: number, row: number): readonly [lon: number, lat: number] {
  const { lat, shiftDeg } = shiftOf(row);
  return [toLongitude(FIRST_PATH_DEG - (path - 1) * PATH_DEG + shiftDeg), lat];
}

/** Half of a scene in degrees of latitude, and some more. */
const REACH_DEG = 1.3;

/** The scenes that may meet a box, at most `max`. */
export function listWrsScenes(
  { west, south, east, north }: LonLatBounds,
  max: number,
): readonly { readonly path: number; readonly row: number }[] {
  const found: { path: number; row: number }[] = [];
  const widthDeg = ((east - west + 360) % 360) + (east - west >= 360 ? 360 : 0);
  for (let row = 1; row <= DAY_ROWS; row++) {
    const { lat } = shiftOf(row);
    if (lat > north + REACH_DEG || lat < south - REACH_DEG) continue;
    const reachDeg = Math.min(180, REACH_DEG / Math.cos(toRadians(Math.min(88, Math.abs(lat)))));
    for (let path = 1; path <= PATHS; path++) {
      const fromWest = (wrsCentre(path, row)[0] - (west - reachDeg) + 720) % 360;
      if (fromWest <= widthDeg + 2 * reachDeg) found.push({ path, row });
      if (found.length >= max) return found;
    }
  }
  return found;
}

/** Whether a satellite passes a path on a day: every 16 days, and Landsat 9 eight days after Landsat 8. */
export function isPassed(path: number, day: string, satellite: 8 | 9): boolean {
  const dayNumber = Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  // The path to the west is seen seven days later.
  return (((dayNumber - 7 * (path - 1) - (satellite === 9 ? 8 : 0)) % 16) + 16) % 16 === 0;
}
