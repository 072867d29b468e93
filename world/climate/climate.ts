import { DAY_MS } from '../setting/calendar.ts';
import { makeSnowLadder } from './snow.ts';
import { makeSoilWater } from './soil.ts';
import type { ClimateDay } from './weather.ts';
import { makeWeather } from './weather.ts';

/** Weather and what it leaves behind, by day counted from 1970-01-01. */
export interface Climate {
  dayAt(day: number): ClimateDay;
  /** Volumetric water of the upper soil in the plain, 0.05..0.5. */
  soilWaterAt(day: number): number;
  /** Water held as snow at a height, in mm. */
  snowWaterMmAt(day: number, heightM: number): number;
}

/** From the autumn before Landsat 4 flew, so that its first snow has a winter behind it, to past the newest scenes. */
const firstDay = Date.UTC(1980, 8, 1) / DAY_MS;
const lastDay = Date.UTC(2029, 11, 31) / DAY_MS;

/** Twenty-eight years: the calendar repeats after them. */
const cycleDays = 10_227;

/**
 * Makes the weather of the world: mild and wet in winter, dry in summer, as around the Salish Sea. All years are
 * computed at the first call, so a result never depends on earlier calls.
 */
export function makeClimate(seed: number): Climate {
  let computed: ReturnType<typeof compute> | undefined;
  const series = () => {
    computed ??= compute(seed);
    return computed;
  };
  return {
    dayAt: (day) => series().weather(indexOf(day)),
    soilWaterAt: (day) => series().soilWater[indexOf(day)]!,
    snowWaterMmAt: (day, heightM) => series().snow(indexOf(day), heightM),
  };
}

function compute(seed: number) {
  const weather = makeWeather({ seed, firstDay, dayCount: lastDay - firstDay + 1 });
  return {
    weather: weather.at,
    soilWater: makeSoilWater(weather),
    snow: makeSnowLadder(weather),
  };
}

/** Index of a day in the series; days beyond it borrow the weather of 28 years earlier or later. */
function indexOf(day: number): number {
  let within = Math.floor(day);
  while (within < firstDay) within += cycleDays;
  while (within > lastDay) within -= cycleDays;
  return within - firstDay;
}
