import type { Climate } from '../climate/climate.ts';
import { lapseCPerM } from '../climate/snow.ts';
import { cos } from '../numbers/steady-math.ts';

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

const swing = Float64Array.from({ length: 24 }, (_, hour) => cos((2 * Math.PI * (hour - 17)) / 24));

/** Share of the cold that snow holds off: half of it at 10 cm. */
const shelter = (snowDepthCm: number): number => snowDepthCm / (snowDepthCm + 10);
