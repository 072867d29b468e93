import type { Climate } from '../climate/climate.ts';
import { saturationHpa } from '../climate/weather.ts';
import { gradientNoise } from '../numbers/noise.ts';

/** A location of the weather. */
export interface WeatherLocation {
  /** Local metres (`setting.ts`). */
  readonly x: number;
  readonly y: number;
  readonly heightM: number;
}

/** The weather of a day at a location. */
export interface LocalDay {
  readonly minC: number;
  readonly maxC: number;
  readonly rainMm: number;
  /** At 10 m above the ground. */
  readonly windMs: number;
  /** Relative, 0..1. */
  readonly humidity: number;
  readonly vapourPressureHpa: number;
  readonly snowDepthCm: number;
  /** Volumetric, of the upper soil. */
  readonly soilWater: number;
  readonly cloudiness: number;
}

/** Air cools by 6.5 K per kilometre of height (International Standard Atmosphere). */
const COOLING_PER_M = 0.0065;
/** Mountains here get about three times the rain of the coast at 2,000 m. */
const RAIN_PER_M = 0.001;
const WIND_PER_M = 0.0008;
/** Weather differs over some 40 km, and from day to day. */
const PATCH_M = 40_000;

/** How warm, wet and windy it is at one location on one day, from what the day is like at sea level. */
export function localDay(climate: Climate, day: number, { x, y, heightM }: WeatherLocation): LocalDay {
  const sea = climate.dayAt(day);
  // The day is the noise's seed, so that each has a pattern of its own.
  const warmth = gradientNoise(x / PATCH_M, y / PATCH_M, 7_001 + day);
  const wetness = gradientNoise(x / PATCH_M, y / PATCH_M, 90_001 + day);
  const colder = COOLING_PER_M * heightM - 0.8 * warmth;
  const minC = sea.minC - colder;
  const maxC = sea.maxC - colder;
  const rainMm = sea.rainMm * (1 + RAIN_PER_M * heightM) * (1 + 0.5 * wetness);
  const humidity = Math.min(1, Math.max(0.15, sea.humidity + 0.06 * wetness));
  return {
    minC,
    maxC,
    rainMm,
    windMs: sea.windMs * (1 + WIND_PER_M * heightM),
    humidity,
    vapourPressureHpa: humidity * saturationHpa((minC + maxC) / 2),
    snowDepthCm: toSnowDepthCm(climate.snowWaterMmAt(day, heightM)),
    soilWater: Math.min(0.5, Math.max(0.05, climate.soilWaterAt(day) * (1 + 0.12 * wetness))),
    cloudiness: sea.cloudiness,
  };
}

/** A centimetre of thin snow holds 2.5 mm of water; deep snow is pressed together by its own weight, up to twice that. */
const toSnowDepthCm = (waterMm: number): number => waterMm / (2.5 + (2.5 * waterMm) / (waterMm + 500));
