import type { Climate } from '../../climate/climate.ts';
import { clamp, smoothStep } from '../../numbers/easing.ts';
import { DAY_MS } from '../../setting.ts';

/** What a day means to plants and waters. */
export interface Season {
  readonly day: number;
  readonly year: number;
  /** Day of the year, 0 on the 1st of January. */
  readonly yearDay: number;
  /** Water of the upper soil in the plain. */
  readonly soilWater: number;
  /** How much unwatered grass has dried out, 0..1: it lags behind the soil by weeks. */
  readonly drought: number;
  /** How swollen and muddy the rivers are, 0..1. */
  readonly flow: number;
}

/** Works out a day's season from its date and the weather before it. */
export function planSeason(day: number, climate: Climate): Season {
  const year = new Date(day * DAY_MS).getUTCFullYear();
  const yearDay = day - Date.UTC(year, 0, 1) / DAY_MS;
  const soilWater = climate.soilWaterAt(day);
  const past = (soilWater + climate.soilWaterAt(day - 12) + climate.soilWaterAt(day - 24)) / 3;
  const inSummer = smoothStep(150, 195, yearDay) * smoothStep(310, 270, yearDay);
  const drought = inSummer * smoothStep(0.3, 0.14, past);
  let rainMm = 0;
  for (let back = 0; back < 4; back++) rainMm += climate.dayAt(day - back).rainMm;
  // Snow melts in May and June; storms muddy the rivers at any time.
  const melt = 0.5 * smoothStep(110, 150, yearDay) * smoothStep(205, 170, yearDay);
  return { day, year, yearDay, soilWater, drought, flow: clamp(0.22 + melt + rainMm / 90, 0.15, 1) };
}
