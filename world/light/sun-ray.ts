import type { SunPlace } from './exposure.ts';
import { cos, sin, toRadians } from './steady-math.ts';

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

/** The ray of a sun place. */
export function toSunRay({ elevationDeg, azimuthDeg }: SunPlace): SunRay {
  const elevation = toRadians(Math.max(lowestDeg, elevationDeg));
  const azimuth = toRadians(azimuthDeg);
  const cosZenith = sin(elevation);
  return { toX: sin(azimuth), toY: -cos(azimuth), cosZenith, tanZenith: cos(elevation) / cosZenith };
}
