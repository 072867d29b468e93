import { sunAt } from '../light/sun.ts';
import { angleOf, cos, power, sin, toRadians } from '../numbers/steady-math.ts';
import { DAY_MS, HOUR_MS } from '../setting.ts';

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

/** The sun over one day. */
interface DaySun {
  /** When it rises, in hours of the world's clock. */
  readonly riseHour: number;
  /** Radiation that would reach the ground without any air, MJ/m². */
  readonly extraterrestrialMj: number;
}

/** Latitude of the middle of the world (`light/sun.ts`): the sun is the same everywhere in it. */
const latitude = toRadians(48.25673);
const [sinLatitude, cosLatitude] = [sin(latitude), cos(latitude)];
/** When the sun is highest by the world's clock, but for the equation of time: 12 h and 2.26° of 15° an hour. */
const NOON_HOUR = 12.15;

/** The sun on a day, after FAO-56, equations 21 to 25. */
export function sunOn(day: number): DaySun {
  const newYear = Date.UTC(new Date(day * DAY_MS).getUTCFullYear(), 0, 1) / DAY_MS;
  const turn = (2 * Math.PI * (day - newYear + 1)) / 365;
  const nearness = 1 + 0.033 * cos(turn);
  const declination = 0.409 * sin(turn - 1.39);
  const [across, along] = [sinLatitude * sin(declination), cosLatitude * cos(declination)];
  const cosSunset = -across / along;
  const sinSunset = Math.sqrt(1 - cosSunset * cosSunset);
  const sunset = angleOf(sinSunset, cosSunset);
  return {
    riseHour: NOON_HOUR - (sunset * 12) / Math.PI,
    // 1,440 minutes of 0.0820 MJ/m².
    extraterrestrialMj: (1440 / Math.PI) * 0.082 * nearness * (sunset * across + along * sinSunset),
  };
}
