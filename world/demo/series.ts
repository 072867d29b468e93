import { toDate, toDay, worldYears } from '../calendar.ts';
import type { Climate } from '../climate.ts';
import type { DemoPart } from './demo-part.ts';
import type { Shots } from './shots.ts';
import { skyOf } from './skies.ts';

/** Sentinel-2 comes every five days; one of two passes in a fortnight is kept. */
const EVERY_DAYS = 14;
const REVISIT_DAYS = 5;

/** Two years over the same fields: of each pair of passes the clearer one, newest first. */
export function planSeries(shots: Shots, climate: Climate): DemoPart[] {
  const parts: DemoPart[] = [];
  const cloudinessOf = (day: number): number => climate.dayAt(day).cloudiness;
  for (let day = toDay(worldYears.last) - REVISIT_DAYS; day >= toDay(worldYears.first); day -= EVERY_DAYS) {
    const other = day + REVISIT_DAYS;
    const kept = cloudinessOf(day) <= cloudinessOf(other) ? day : other;
    parts.push(shots.sentinel2('l2a', toDate(kept), { area: shots.series, sky: skyOf(climate, kept) }));
  }
  return parts;
}
