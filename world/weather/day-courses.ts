import type { Climate } from '../climate/climate.ts';
import { lapseCPerM } from '../climate/climate.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { random } from '../numbers/noise.ts';
import { cos, sin } from '../numbers/steady-math.ts';

const CLOUD_SEEDS = { slow: WORLD_SEED + 8_111, fast: WORLD_SEED + 8_112 } as const;
const slowWave = toWave(24);
const fastWave = toWave(8);

/**
 * Clouds over the hours of a day: at noon, when scenes are taken, and on average what the day has; more of them while it
 * rains.
 */
export function cloudCourse(day: number, cloudiness: number, rain: Float64Array): Float64Array {
  // Waves no higher than this stay between a clear and a covered sky.
  const room = Math.min(cloudiness, 1 - cloudiness);
  const wetSide = rain.reduce((sum, mm, hour) => sum + mm * slowWave[hour]!, 0);
  const isMorning = wetSide === 0 ? random(day, 1, CLOUD_SEEDS.slow) < 0.5 : wetSide < 0;
  const slow = 0.65 * room * random(day, 0, CLOUD_SEEDS.slow) * (isMorning ? -1 : 1);
  const fast = 0.35 * room * (2 * random(day, 0, CLOUD_SEEDS.fast) - 1);
  return slowWave.map((wave, hour) =>
    Math.min(1, Math.max(0, cloudiness + slow * wave + fast * fastWave[hour]!)),
  );
}

/** Values of a wave at the hours of a day that sum up to 0, and are 0 at noon. */
function toWave(periodHours: number): Float64Array {
  return new Float64Array(24).map((_, hour) => sin((2 * Math.PI * (hour - 12)) / periodHours));
}

const RAIN_SEEDS = { start: WORLD_SEED + 8_101, hour: WORLD_SEED + 8_102 } as const;

/** Spreads the rain of a day over hours in a row: the more it rains, the longer. Their sum is the day's. */
export function spreadRain(day: number, rainMm: number): Float64Array {
  const hours = new Float64Array(24);
  if (rainMm <= 0) return hours;
  // An hour of drizzle, five hours of 4 mm, a whole day of 110 mm.
  const count = Math.min(24, Math.max(1, Math.round(1 + 2.2 * Math.sqrt(rainMm))));
  const first = Math.floor(random(day, 0, RAIN_SEEDS.start) * (25 - count));
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const fromMiddle = (2 * i + 1) / count - 1;
    const share = (0.25 + random(day, i, RAIN_SEEDS.hour)) * (1 - 0.8 * fromMiddle * fromMiddle);
    hours[first + i] = share;
    sum += share;
  }
  for (let i = first; i < first + count; i++) hours[i] = (hours[i]! * rainMm) / sum;
  return hours;
}

/** Coldest and warmest of a day. */
interface Range {
  readonly minC: number;
  readonly maxC: number;
}

interface Days {
  readonly before: Range;
  readonly today: Range;
  readonly after: Range;
  /** The whole hour at which it is coldest, about sunrise. */
  readonly coldestHour: number;
}

/** Air is warmest two to three hours after the sun is highest. */
const WARMEST_HOUR = 15;
/** Share of the fall from the warmest hour to the next coldest one that is done by midnight. */
const FALLEN_BY_MIDNIGHT = 0.7;

/**
 * Temperatures at the whole hours of a day: up in a half wave from the coldest hour to the warmest, down fast in the
 * evening and slowly in the night. No hour is colder or warmer than the day says.
 */
export function temperatureCourse({ before, today, after, coldestHour }: Days): Float64Array {
  const { minC, maxC } = today;
  const start = midnightC(before, today);
  const end = midnightC(today, after);
  return new Float64Array(24).map((_, hour) => {
    const celsius = at(hour);
    return Math.min(maxC, Math.max(minC, celsius));
  });

  function at(hour: number): number {
    if (hour <= coldestHour) {
      const part = hour / coldestHour;
      return start + (minC - start) * part * (2 - part);
    }
    if (hour <= WARMEST_HOUR) {
      const part = (hour - coldestHour) / (WARMEST_HOUR - coldestHour);
      return minC + (maxC - minC) * part * part * (3 - 2 * part);
    }
    const part = (hour - WARMEST_HOUR) / (24 - WARMEST_HOUR);
    return maxC + (end - maxC) * part * part * (2 - part);
  }
}

/** What two days can agree on between them. */
function midnightC(evening: Range, morning: Range): number {
  const falls = evening.maxC + FALLEN_BY_MIDNIGHT * (morning.minC - evening.maxC);
  const highest = Math.min(evening.maxC, morning.maxC);
  return Math.min(highest, Math.max(evening.minC, morning.minC, falls));
}

/** Days that the upper 10 cm of soil remember, each four fifths as well as the one after it. */
const MEMORY_DAYS = 12;
const FADING = 0.8;
const weights = new Float64Array(MEMORY_DAYS).fill(1);
// Powers may be rounded differently on other machines, products may not.
for (let back = 1; back < MEMORY_DAYS; back++) weights[back] = FADING * weights[back - 1]!;
const weightSum = weights.reduce((sum, weight) => sum + weight, 0);

/** Mean temperature of the upper soil on a day: that of the air of the last days, held near 0 °C by snow. */
export function soilMeanC(
  climate: Climate,
  { day, heightM, snowDepthCm }: { day: number; heightM: number; snowDepthCm: number },
): number {
  let sum = 0;
  for (let back = 0; back < MEMORY_DAYS; back++) {
    const { minC, maxC } = climate.dayAt(day - back);
    sum += (weights[back]! * (minC + maxC)) / 2;
  }
  const bareC = sum / weightSum - lapseCPerM * heightM;
  return bareC * (1 - shelter(snowDepthCm)) + 0.4 * shelter(snowDepthCm);
}

/** How far above its mean the soil is at an hour: a third of what the air does, two hours later. */
export const soilSwingC = (hour: number, rangeC: number, snowDepthCm: number): number =>
  ((0.35 * rangeC) / 2) * (1 - shelter(snowDepthCm)) * swing[hour]!;

const swing = new Float64Array(24).map((_, hour) => cos((2 * Math.PI * (hour - 17)) / 24));

/** Share of the cold that snow holds off: half of it at 10 cm. */
const shelter = (snowDepthCm: number): number => snowDepthCm / (snowDepthCm + 10);
