/** What hardening needs to know of a day: °C and cm. */
export interface HardeningDay {
  readonly min: number;
  readonly max: number;
  /** Without a number the ground is taken as bare. */
  readonly snowDepth: number | null;
}

/** Winter wheat after a day: hardening from 0 to 2, and the temperature at its crown that kills it, in °C. */
export interface Hardening {
  readonly index: number;
  readonly criticalTemperature: number;
}

/** Deeper snow does not insulate better in this model. */
const DEEPEST_SNOW_CM = 15;

/** Temperature of the crown, below snow, of a temperature of the air, in °C. */
export function toCrownTemperature(air: number, snowDepth: number | null): number {
  if (air >= 0) return air;
  const snow = Math.min(DEEPEST_SNOW_CM, Math.max(0, snowDepth ?? 0));
  return 2 + air * (0.4 + 0.0018 * (snow - DEEPEST_SNOW_CM) ** 2);
}

/** Hardening after one more day: CERES-Wheat (Ritchie 1991, Agronomy Monograph 31, pages 40 to 52). */
export function harden(before: number, { min, max, snowDepth }: HardeningDay): Hardening {
  const [crownMin, crownMax] = [toCrownTemperature(min, snowDepth), toCrownTemperature(max, snowDepth)];
  const crown = (crownMin + crownMax) / 2;
  let index = before;
  if (before >= 1) {
    if (crown <= 0) index += 1 / 12;
  } else if (crown > -1 && crown < 8) index += 0.1 - (crown - 3.5) ** 2 / 506;
  if (crownMax > 10) index -= (before >= 1 ? 0.04 : 0.02) * (crownMax - 10);
  index = Math.min(2, Math.max(0, index));
  return { index, criticalTemperature: -6 * (1 + index) };
}

/** The day on which hardening starts from 0, at or before a day as 2026-05-02: 1 August, and 1 February in the south. */
export function toSeasonStart(day: string, latitude: number): string {
  const start = latitude >= 0 ? '08-01' : '02-01';
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) >= start ? year : year - 1}-${start}`;
}
