import type { Climate } from '../climate/climate.ts';
import type { WeatherLocation } from '../grids/local-weather.ts';
import { localDay } from '../grids/local-weather.ts';
import { soilMeanC } from './day-courses.ts';
import { dayRadiationMj, sunOn } from './sunshine.ts';

const COLUMNS = [
  'minC',
  'maxC',
  'vapourPressureHpa',
  /** Relative, 0..1. */
  'humidity',
  /** At 10 m above the ground. */
  'windMs',
  'rainMm',
  'snowDepthCm',
  'soilC',
  'cloudiness',
  'radiationMj',
] as const;

/** The weather of days in a row. */
export type LocalDays = Readonly<Record<(typeof COLUMNS)[number], Float64Array>>;

/** Some days in a row at a location. */
export interface DaysRequest {
  readonly location: WeatherLocation;
  readonly firstDay: number;
  readonly count: number;
}

/** The weather of days at a location. */
export function localDays(climate: Climate, { location, firstDay, count }: DaysRequest): LocalDays {
  const days = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(count)])) as LocalDays;
  const { heightM } = location;
  for (let i = 0; i < count; i++) {
    const day = firstDay + i;
    const local = localDay(climate, day, location);
    const { snowDepthCm, cloudiness } = local;
    days.minC[i] = local.minC;
    days.maxC[i] = local.maxC;
    days.vapourPressureHpa[i] = local.vapourPressureHpa;
    days.humidity[i] = local.humidity;
    days.windMs[i] = local.windMs;
    days.rainMm[i] = local.rainMm;
    days.snowDepthCm[i] = snowDepthCm;
    days.soilC[i] = soilMeanC(climate, { day, heightM, snowDepthCm });
    days.cloudiness[i] = cloudiness;
    days.radiationMj[i] = dayRadiationMj(sunOn(day).extraterrestrialMj, heightM, cloudiness);
  }
  return days;
}
