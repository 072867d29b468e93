import { DAY_MS } from '../setting.ts';
import type { ClimateDay, Weather } from './weather.ts';
import { makeWeather } from './weather.ts';

/** How much colder the air gets with height. */
export const lapseCPerM = 0.0065;

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

/** Heights the snow is computed at; between them it is interpolated. */
const stepM = 150;
const topM = 3600;
const rungs = topM / stepM + 1;

/** Ice flows off the summits: no more than this stays; otherwise the peaks would grow without end. */
const maxMm = 5000;

/** Water that falls per millimetre at sea level: the mountains wring the clouds out. */
const wringing = (heightM: number): number => 1 + Math.min(1.5, heightM / 900);

/** Snow by day and height: it falls when the air is near freezing and melts by the warmth of each day. */
function makeSnowLadder(weather: Weather): (index: number, heightM: number) => number {
  const { dayCount } = weather;
  const ladder = new Float32Array(dayCount * rungs);
  for (let rung = 0; rung < rungs; rung++) {
    const colderC = rung * stepM * lapseCPerM;
    const falls = wringing(rung * stepM);
    // The first autumn finds high ground under old snow.
    let held = rung * stepM > 2300 ? 2000 : 0;
    for (let i = 0; i < dayCount; i++) {
      const meanC = (weather.minC[i]! + weather.maxC[i]!) / 2 - colderC;
      const frozen = Math.min(1, Math.max(0, (2.2 - meanC) / 2.6));
      // Degree-days: 2 to 7 mm melt for each degree above freezing, more under the high sun of summer.
      const melts = Math.max(0, meanC - 0.3) * (4.6 + 2.8 * weather.warmth[i]!);
      held = Math.min(maxMm, Math.max(0, held + weather.rainMm[i]! * falls * frozen - melts));
      ladder[i * rungs + rung] = held;
    }
  }
  return (index, heightM) => {
    const position = Math.min(rungs - 1.001, Math.max(0, heightM / stepM));
    const rung = Math.floor(position);
    const low = ladder[index * rungs + rung]!;
    return low + (ladder[index * rungs + rung + 1]! - low) * (position - rung);
  };
}

/** Volumetric water of a loam: what plants cannot draw, what it holds against gravity, what fits in. */
const wilting = 0.11;
const fieldCapacity = 0.33;
const full = 0.48;

/** The layer that crops and radar know of. */
const layerMm = 300;

/** Water of the upper soil day by day: a bucket filled by rain, emptied by the sun, plants and drainage. */
function makeSoilWater(weather: Weather): Float32Array {
  const water = new Float32Array(weather.dayCount);
  let held = fieldCapacity;
  for (let i = 0; i < weather.dayCount; i++) {
    const meanC = (weather.minC[i]! + weather.maxC[i]!) / 2;
    const rangeC = Math.max(0, weather.maxC[i]! - weather.minC[i]!);
    // Hargreaves' estimate of what could evaporate; the sun's strength goes with the season.
    const sunMm = 7.6 + 6.4 * weather.warmth[i]!;
    const thirstMm = Math.max(0, 0.0023 * sunMm * (meanC + 17.8) * Math.sqrt(rangeC));
    // Dry soil gives its last water slowly.
    const ease = Math.min(1, Math.max(0, (held - wilting) / (0.75 * (fieldCapacity - wilting))));
    held += (weather.rainMm[i]! - thirstMm * (0.06 + 0.94 * ease)) / layerMm;
    if (held > fieldCapacity) held -= (held - fieldCapacity) * 0.35;
    held = Math.min(full, Math.max(0.07, held));
    water[i] = held;
  }
  return water;
}
