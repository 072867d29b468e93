import { makeClimate } from '../climate/climate.ts';
import { makeToLocal } from '../grids/degree-grid.ts';
import type { WeatherLocation } from '../grids/local-weather.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { frame, UTC_OFFSET_HOURS } from '../setting.ts';
import type { RunRequest } from './forecast-hours.ts';
import { forecastHours } from './forecast-hours.ts';
import type { DaysRequest, LocalDays } from './local-days.ts';
import { localDays } from './local-days.ts';
import type { HoursRequest, LocalHours } from './local-hours.ts';
import { localHours } from './local-hours.ts';
import { reliefHeightM } from './relief-height.ts';

/** The weather of the demo world at any time, computed when it is asked for. */
export interface WorldWeather {
  /** Hours that the midnights of its days are ahead of UTC. */
  readonly utcOffsetHours: number;
  /** Where a longitude and latitude lie, with the height of the ground around; null outside of the world. */
  locate(longitude: number, latitude: number): WeatherLocation | null;
  days(request: DaysRequest): LocalDays;
  hours(request: HoursRequest): LocalHours;
  forecast(request: RunRequest): LocalHours;
}

/** Makes the weather of the demo world, without its ground; the first question computes fifty years of climate. */
export function makeWorldWeather(): WorldWeather {
  const climate = makeClimate(WORLD_SEED);
  const toLocal = makeToLocal();
  return {
    utcOffsetHours: UTC_OFFSET_HOURS,
    locate(longitude, latitude) {
      const [x, y] = toLocal(longitude, latitude);
      const isInside = x >= 0 && y >= 0 && x < frame.sizeM && y < frame.sizeM;
      return isInside ? { x, y, heightM: reliefHeightM(x, y) } : null;
    },
    days: (request) => localDays(climate, request),
    hours: (request) => localHours(climate, request),
    forecast: (request) => forecastHours(climate, request),
  };
}
