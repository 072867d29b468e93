import { sunAt } from '../light/sun.ts';
import { power, sin, toRadians } from '../numbers/steady-math.ts';
import { HOUR_MS } from './local-time.ts';

/** Share of the clear sky's radiation that comes through clouds (Kasten and Czeplak, 1980). */
export const passesClouds = (cloudiness: number): number =>
  cloudiness <= 0 ? 1 : 1 - 0.75 * power(cloudiness, 3.4);

/** Radiation of a day, from that outside of the air (FAO-56, equation 37, for the clear sky). */
export const dayRadiationMj = (extraterrestrialMj: number, heightM: number, cloudiness: number): number =>
  extraterrestrialMj * (0.75 + 2e-5 * heightM) * passesClouds(cloudiness);

/** Spreads the radiation of a day over its hours, by the height of the sun in their middle and their clouds. */
export function spreadRadiation(
  dayMj: number,
  { startMs, cloudiness }: { readonly startMs: number; readonly cloudiness: Float64Array },
): Float64Array {
  const hours = cloudiness.map((cover, hour) => {
    const { elevationDeg } = sunAt(startMs + (hour + 0.5) * HOUR_MS);
    return elevationDeg <= 0 ? 0 : sin(toRadians(elevationDeg)) * passesClouds(cover);
  });
  const scale = dayMj / hours.reduce((sum, share) => sum + share, 0);
  return hours.map((share) => share * scale);
}
