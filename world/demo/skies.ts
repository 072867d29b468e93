import type { Climate } from '../climate/climate.ts';
import type { SkyPlan } from '../light/exposure.ts';

/** Hardly a cloud. */
export const clearSky = (seed: number): SkyPlan => ({ seed, opaque: 0, cirrus: 0, haze: 0.1 });

/** Scattered clouds over fair weather. */
export const fairSky = (seed: number, opaque = 0.08): SkyPlan => ({ seed, opaque, cirrus: 0.05, haze: 0.15 });

/** The sky on a day of the world's weather; scattered clouds let more through than a report of cloudiness says. */
export function skyOf(climate: Climate, day: number): SkyPlan {
  const { cloudiness, humidity } = climate.dayAt(day);
  const cover = Math.max(0, (cloudiness - 0.15) / 0.85);
  const opaque = Math.min(0.97, cover * cover);
  return { seed: day, opaque, cirrus: 0.25 * cloudiness * (1 - opaque), haze: Math.min(0.6, 0.4 * humidity) };
}
