import { WORLD_SEED } from '../ground/world.ts';
import { random } from '../numbers/noise.ts';

const SEEDS = { start: WORLD_SEED + 8_101, hour: WORLD_SEED + 8_102 } as const;

/** Spreads the rain of a day over hours in a row: the more it rains, the longer. Their sum is the day's. */
export function spreadRain(day: number, rainMm: number): Float64Array {
  const hours = new Float64Array(24);
  if (rainMm <= 0) return hours;
  // An hour of drizzle, five hours of 4 mm, a whole day of 110 mm.
  const count = Math.min(24, Math.max(1, Math.round(1 + 2.2 * Math.sqrt(rainMm))));
  const first = Math.floor(random(day, 0, SEEDS.start) * (25 - count));
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const fromMiddle = (2 * i + 1) / count - 1;
    const share = (0.25 + random(day, i, SEEDS.hour)) * (1 - 0.8 * fromMiddle * fromMiddle);
    hours[first + i] = share;
    sum += share;
  }
  for (let i = first; i < first + count; i++) hours[i] = (hours[i]! * rainMm) / sum;
  return hours;
}
