import type { World } from '../ground/world.ts';
import { cos } from '../numbers/steady-math.ts';
import { toDay, worldYears } from '../setting/calendar.ts';
import { tenths, toWeatherLocations } from './degree-grid.ts';
import { encodeGridFile } from './grid-file.ts';
import type { LocalDay, WeatherLocation } from './local-weather.ts';
import { localDay } from './local-weather.ts';

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
export function encodeForecast(world: World): Uint8Array {
  const runDay = toDay(worldYears.last);
  const hours = Float64Array.from({ length: LAST_HOUR / STEP_HOURS + 1 }, (_, i) => i * STEP_HOURS);
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
