import type { World } from '../ground/world.ts';
import { toDay, worldYears } from '../setting/calendar.ts';
import { tenths, toWeatherLocations } from './degree-grid.ts';
import { encodeGridFile } from './grid-file.ts';
import type { LocalDay } from './local-weather.ts';
import { localDay } from './local-weather.ts';

interface DailyQuantity {
  readonly units: string;
  readonly longName: string;
  readonly of: (day: LocalDay) => number;
}

const KELVIN = 273.15;

/** Names and units of AgERA5, the daily climate data set for agriculture of the Copernicus Climate Change Service. */
const weather: Readonly<Record<string, DailyQuantity>> = {
  Temperature_Air_2m_Min_24h: {
    units: 'K',
    longName: 'Lowest air temperature of the day at 2 m',
    of: ({ minC }) => minC + KELVIN,
  },
  Temperature_Air_2m_Max_24h: {
    units: 'K',
    longName: 'Highest air temperature of the day at 2 m',
    of: ({ maxC }) => maxC + KELVIN,
  },
  Vapour_Pressure_Mean: {
    units: 'hPa',
    longName: 'Mean vapour pressure at 2 m',
    of: ({ vapourPressureHpa }) => vapourPressureHpa,
  },
  Wind_Speed_10m_Mean: { units: 'm s-1', longName: 'Mean wind at 10 m', of: ({ windMs }) => windMs },
  Precipitation_Flux: { units: 'mm d-1', longName: 'Rain and snow of the day', of: ({ rainMm }) => rainMm },
  Snow_Thickness_Mean: { units: 'cm', longName: 'Depth of the snow', of: ({ snowDepthCm }) => snowDepthCm },
};

const soil: Readonly<Record<string, DailyQuantity>> = {
  sm_surface: {
    units: 'm3 m-3',
    longName: 'Volumetric water of the upper 5 cm of soil',
    of: ({ soilWater }) => soilWater,
  },
};

/** Two years of daily weather on a grid of tenths of a degree. */
export const encodeWeatherHistory = (world: World): Uint8Array => encodeDays(world, 'Daily weather', weather);

/** Two years of daily soil moisture on the same grid. */
export const encodeSoilMoisture = (world: World): Uint8Array =>
  encodeDays(world, 'Daily soil moisture', soil);

function encodeDays(
  world: World,
  title: string,
  wanted: Readonly<Record<string, DailyQuantity>>,
): Uint8Array {
  const [first, last] = [toDay(worldYears.first), toDay(worldYears.last)];
  const locations = toWeatherLocations(tenths, world.ground);
  const dayCount = last - first + 1;
  const days = Float64Array.from({ length: dayCount }, (_, i) => first + i);
  const local = Array.from(days).flatMap((day) =>
    locations.map((location) => localDay(world.climate, day, location)),
  );
  return encodeGridFile({
    title,
    grid: tenths,
    time: { units: 'days since 1970-01-01 00:00:00', values: days },
    quantities: Object.fromEntries(
      Object.entries(wanted).map(([name, { units, longName, of }]) => [
        name,
        { units, longName, values: Float32Array.from(local, of) },
      ]),
    ),
  });
}
