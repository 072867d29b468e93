import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NetcdfVariable } from '../../src/formats/netcdf/index.ts';
import { encodeNetcdf } from '../../src/formats/netcdf/index.ts';
import type { World } from '../ground/world.ts';
import { cos } from '../numbers/steady-math.ts';
import { toDay, worldYears } from '../setting.ts';
import type { DegreeGrid } from './degree-grid.ts';
import { tenths, toWeatherLocations } from './degree-grid.ts';
import type { LocalDay, WeatherLocation } from './local-weather.ts';
import { localDay } from './local-weather.ts';

/** Writes two years of weather and soil moisture, and one forecast run. */
export async function writeWeather(world: World, directory: string): Promise<void> {
  const span = `${worldYears.first}_${worldYears.last}`.replaceAll('-', '');
  const run = worldYears.last.replaceAll('-', '');
  await writeFile(join(directory, `weather-daily_${span}.nc`), encodeWeatherHistory(world));
  await writeFile(join(directory, `soil-moisture-daily_${span}.nc`), encodeSoilMoisture(world));
  await writeFile(join(directory, `forecast_${run}T00.nc`), encodeForecast(world));
}

/** A quantity over time and location: times, then rows from north to south, then columns. */
interface GridQuantity {
  readonly units: string;
  readonly longName: string;
  readonly values: Float32Array;
}

interface GridFile {
  readonly title: string;
  readonly grid: DegreeGrid;
  readonly time: { readonly units: string; readonly values: Float64Array };
  /** When the forecast was made, as ISO 8601; absent where nothing was foretold. */
  readonly run?: string;
  readonly quantities: Readonly<Record<string, GridQuantity>>;
}

/** Value of a cell without one, as in the climate data sets this follows. */
const FILL = -9999;

/** A NetCDF file after the CF conventions, as weather services give them out. */
function encodeGridFile({ title, grid, time, run, quantities }: GridFile): Uint8Array {
  const axis = (standardName: string, units: string, values: Float64Array): NetcdfVariable => ({
    dimensions: [standardName === 'time' ? 'time' : standardName === 'latitude' ? 'lat' : 'lon'],
    attributes: { standard_name: standardName, units },
    values,
  });
  return encodeNetcdf({
    dimensions: { time: time.values.length, lat: grid.latitudes.length, lon: grid.longitudes.length },
    attributes: {
      Conventions: 'CF-1.8',
      title,
      institution: 'Swath demo world: invented, for trying things out',
      ...(run === undefined ? {} : { forecast_reference_time: run }),
    },
    variables: {
      time: axis('time', time.units, time.values),
      lat: axis('latitude', 'degrees_north', grid.latitudes),
      lon: axis('longitude', 'degrees_east', grid.longitudes),
      ...Object.fromEntries(
        Object.entries(quantities).map(([name, { units, longName, values }]): [string, NetcdfVariable] => [
          name,
          {
            dimensions: ['time', 'lat', 'lon'],
            attributes: { long_name: longName, units, _FillValue: { float32: FILL } },
            values,
          },
        ]),
      ),
    },
  });
}

interface DailyQuantity {
  readonly units: string;
  readonly longName: string;
  readonly of: (day: LocalDay) => number;
}

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
const encodeWeatherHistory = (world: World): Uint8Array => encodeDays(world, 'Daily weather', weather);

/** Two years of daily soil moisture on the same grid. */
const encodeSoilMoisture = (world: World): Uint8Array => encodeDays(world, 'Daily soil moisture', soil);

function encodeDays(
  world: World,
  title: string,
  wanted: Readonly<Record<string, DailyQuantity>>,
): Uint8Array {
  const [first, last] = [toDay(worldYears.first), toDay(worldYears.last)];
  const locations = toWeatherLocations(tenths, world.ground);
  const dayCount = last - first + 1;
  const days = new Float64Array(dayCount).map((_, i) => first + i);
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

/** A forecast reaches 180 hours in steps of three. */
const STEP_HOURS = 3;
const LAST_HOUR = 180;
const KELVIN = 273.15;
/** The sun is highest about 20:10 UTC here; air is warmest two and a half hours later. */
const WARMEST_HOUR_UTC = 22.5;

interface Moment {
  readonly day: LocalDay;
  /** 1 at the warmest hour of the day, -1 twelve hours from it. */
  readonly warmth: number;
  /** Rain since the run began. */
  readonly rainMm: number;
}

interface ForecastQuantity {
  readonly units: string;
  readonly longName: string;
  readonly of: (moment: Moment) => number;
}

const airK = ({ day: { minC, maxC }, warmth }: Moment): number =>
  (minC + maxC) / 2 + (warmth * (maxC - minC)) / 2 + KELVIN;

/** Names and units as in files of NOAA's Global Forecast System. */
const quantities: Readonly<Record<string, ForecastQuantity>> = {
  TMP_2maboveground: { units: 'K', longName: 'Air temperature at 2 m', of: airK },
  TSOIL_0M0D1mbelowground: {
    units: 'K',
    longName: 'Temperature of the upper 10 cm of soil',
    // Soil follows the air by a third of its swing.
    of: (moment) => (2 * ((moment.day.minC + moment.day.maxC) / 2 + KELVIN) + airK(moment)) / 3,
  },
  RH_2maboveground: {
    units: '%',
    longName: 'Relative humidity at 2 m',
    of: ({ day, warmth }) => Math.min(100, 100 * Math.max(0.15, day.humidity - 0.15 * warmth)),
  },
  WIND_10maboveground: {
    units: 'm s-1',
    longName: 'Wind at 10 m',
    of: ({ day, warmth }) => day.windMs * (1 + 0.25 * warmth),
  },
  APCP_surface: { units: 'mm', longName: 'Precipitation since the run began', of: ({ rainMm }) => rainMm },
  SNOD_surface: { units: 'm', longName: 'Depth of the snow', of: ({ day }) => day.snowDepthCm / 100 },
};

/** One forecast run, made on the last day of the world's two years at midnight. */
function encodeForecast(world: World): Uint8Array {
  const runDay = toDay(worldYears.last);
  const hours = new Float64Array(LAST_HOUR / STEP_HOURS + 1).map((_, i) => i * STEP_HOURS);
  const locations = toWeatherLocations(tenths, world.ground);
  const moments = Array.from(hours).flatMap((hour) =>
    locations.map((location) => toMoment(world, { runDay, hour, location })),
  );
  return encodeGridFile({
    title: 'Weather forecast',
    grid: tenths,
    time: { units: `hours since ${worldYears.last} 00:00:00`, values: hours },
    run: `${worldYears.last}T00:00:00Z`,
    quantities: Object.fromEntries(
      Object.entries(quantities).map(([name, { units, longName, of }]) => [
        name,
        { units, longName, values: Float32Array.from(moments, of) },
      ]),
    ),
  });
}

function toMoment(
  { climate }: World,
  {
    runDay,
    hour,
    location,
  }: { readonly runDay: number; readonly hour: number; readonly location: WeatherLocation },
): Moment {
  const whole = Math.floor(hour / 24);
  let rainMm = 0;
  for (let day = 0; day < whole; day++) rainMm += localDay(climate, runDay + day, location).rainMm;
  const day = localDay(climate, runDay + whole, location);
  const hourOfDay = hour - 24 * whole;
  return {
    day,
    warmth: cos((2 * Math.PI * (hourOfDay - WARMEST_HOUR_UTC)) / 24),
    rainMm: rainMm + (day.rainMm * hourOfDay) / 24,
  };
}
