import { DAY_MS } from './calendar.ts';
import { spots } from './spots.ts';

const dayOf = (iso: string): number => Date.parse(iso) / DAY_MS;

/** The wildfire: it breaks out on one day, has burnt all it will by another, and greens again over years. */
export const fire = {
  x: spots.fire.x,
  y: spots.fire.y,
  /** Half the length of its perimeter's axes, before the wind and the valleys tear it: about 50 km². */
  radiusXM: 4500,
  radiusYM: 3700,
  fromDay: dayOf('2026-08-09'),
  burntDay: dayOf('2026-08-11'),
} as const;

/** The winter flood of the main river below the foothills, by days; its water stands deepest on the peak day. */
export const flood = {
  fromDay: dayOf('2025-12-08'),
  peakDay: dayOf('2025-12-11'),
  untilDay: dayOf('2025-12-22'),
  /** Metres above the river's normal level on the peak day. */
  peakM: 3.5,
  /** Box that it stays in, and how far it reaches from the river. */
  fromX: 30500,
  untilX: 56500,
  fromY: 46000,
  untilY: 67000,
  awayM: 6000,
} as const;

/** Metres that the main river stands above its normal level on a day; 0 outside of the flood. */
export function floodLevelM(day: number): number {
  if (day < flood.fromDay || day > flood.untilDay) return 0;
  if (day <= flood.peakDay) {
    return (flood.peakM * (day - flood.fromDay + 1)) / (flood.peakDay - flood.fromDay + 1);
  }
  const falling = (flood.untilDay + 1 - day) / (flood.untilDay + 1 - flood.peakDay);
  return flood.peakM * falling * (0.4 + 0.6 * falling);
}
