import type { Scene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import { DAY_MS } from '../../units.ts';

const DEGREE = Math.PI / 180;

/** Sine of the sun's elevation, which reflectance is divided by; refused where there is no such light. */
export function sineOfSun({ sunElevationDeg }: Scene, band: string): number {
  if (sunElevationDeg === null) {
    throw unsupported(
      'sun-unknown',
      `The band ${band} cannot be calibrated: this scene's metadata do not say how high the sun stood.`,
    );
  }
  if (sunElevationDeg <= 0) {
    throw unsupported(
      'sun-below-horizon',
      `The band ${band} cannot be calibrated to reflectance: its sun elevation is ${sunElevationDeg} degrees and must be above 0.`,
    );
  }
  return Math.sin(sunElevationDeg * DEGREE);
}

/** How far the sun was from the earth in astronomical units: as the product says it, else by the day. */
const sunDistanceAu = ({ calibration, acquiredAt }: Scene): number =>
  calibration?.earthSunDistanceAu ?? sunDistanceOfDay(toDayOfYear(acquiredAt));

/** Within 3e-4 of the table in Chander, Markham and Helder 2009. */
const sunDistanceOfDay = (day: number): number => 1 - 0.01672 * Math.cos(0.9856 * (day - 4) * DEGREE);

/** 1 on New Year's Day, in UTC. */
function toDayOfYear(time: string): number {
  const ms = Date.parse(time);
  const newYearMs = Date.UTC(new Date(ms).getUTCFullYear(), 0, 1);
  return Math.floor((ms - newYearMs) / DAY_MS) + 1;
}

/** From radiance to reflectance at the top of the atmosphere, as a factor: π d² / (ESUN sin(sun elevation)). */
export const reflectanceOfRadiance = (scene: Scene, band: string, esun: number): number =>
  (Math.PI * sunDistanceAu(scene) ** 2) / (esun * sineOfSun(scene, band));
