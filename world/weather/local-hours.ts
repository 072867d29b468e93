import type { Climate } from '../climate/climate.ts';
import { dewPointC, saturationHpa } from '../climate/weather.ts';
import type { LocalDay, WeatherLocation } from '../grids/local-weather.ts';
import { localDay } from '../grids/local-weather.ts';
import { cos } from '../numbers/steady-math.ts';
import { dayOfMs, dayStartMs, HOUR_MS } from '../setting.ts';
import { cloudCourse, soilMeanC, soilSwingC, spreadRain, temperatureCourse } from './day-courses.ts';
import { dayRadiationMj, spreadRadiation, sunOn } from './sunshine.ts';

const COLUMNS = [
  'temperatureC',
  'dewPointC',
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

/** The weather of hours in a row: temperatures, snow and humidity at their beginning, sums and means over them. */
export type LocalHours = Readonly<Record<(typeof COLUMNS)[number], Float64Array>>;

/** Some hours in a row at a location. */
export interface HoursRequest {
  readonly location: WeatherLocation;
  /** A whole hour. */
  readonly startMs: number;
  readonly count: number;
}

/** Columns for a number of hours. */
const makeHours = (count: number): LocalHours =>
  Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(count)])) as LocalHours;

/** The weather of hours at a location: that of its days, over the day. */
export function localHours(climate: Climate, { location, startMs, count }: HoursRequest): LocalHours {
  const hours = makeHours(count);
  const endMs = startMs + count * HOUR_MS;
  const readDay = (day: number): DayAndSoil => {
    const local = localDay(climate, day, location);
    const { snowDepthCm } = local;
    return { local, soilC: soilMeanC(climate, { day, heightM: location.heightM, snowDepthCm }) };
  };
  const first = dayOfMs(startMs);
  let [before, today] = [readDay(first - 1), readDay(first)];
  for (let day = first; dayStartMs(day) < endMs; day++) {
    const after = readDay(day + 1);
    const course = toCourse({ day, heightM: location.heightM, before, today, after });
    const offset = Math.round((dayStartMs(day) - startMs) / HOUR_MS);
    const [from, until] = [Math.max(0, -offset), Math.min(24, count - offset)];
    for (const name of COLUMNS) hours[name].set(course[name].subarray(from, until), offset + from);
    [before, today] = [today, after];
  }
  return hours;
}

interface DayAndSoil {
  readonly local: LocalDay;
  readonly soilC: number;
}

interface CourseInput {
  readonly day: number;
  readonly heightM: number;
  readonly before: DayAndSoil;
  readonly today: DayAndSoil;
  readonly after: DayAndSoil;
}

/** Wind is strongest when the sun has heated the ground; the factors sum up to 24. */
const breeze = new Float64Array(24).map((_, hour) => 1 + 0.25 * cos((2 * Math.PI * (hour - 15)) / 24));

function toCourse({ day, heightM, before, today, after }: CourseInput): LocalHours {
  const { local } = today;
  const { riseHour, extraterrestrialMj } = sunOn(day);
  const temperatureC = temperatureCourse({
    before: before.local,
    today: local,
    after: after.local,
    coldestHour: Math.round(riseHour),
  });
  /** What changes slowly has the day's value at noon. */
  const fromNoonToNoon = (of: (one: DayAndSoil) => number): Float64Array => {
    const [a, b, c] = [of(before), of(today), of(after)];
    return temperatureC.map((_, hour) =>
      hour < 12 ? a + ((b - a) * (hour + 12)) / 24 : b + ((c - b) * (hour - 12)) / 24,
    );
  };
  const rainMm = spreadRain(day, local.rainMm);
  const cloudiness = cloudCourse(day, local.cloudiness, rainMm);
  const snowDepthCm = fromNoonToNoon((one) => one.local.snowDepthCm);
  const saturation = temperatureC.map(saturationHpa);
  // Vapour that the cold of the night cannot hold falls as dew.
  const vapourPressureHpa = fromNoonToNoon((one) => one.local.vapourPressureHpa).map((vapour, hour) =>
    Math.min(vapour, saturation[hour]!),
  );
  const rangeC = local.maxC - local.minC;
  return {
    temperatureC,
    dewPointC: vapourPressureHpa.map(dewPointC),
    vapourPressureHpa,
    humidity: vapourPressureHpa.map((vapour, hour) => vapour / saturation[hour]!),
    windMs: breeze.map((factor) => factor * local.windMs),
    rainMm,
    snowDepthCm,
    soilC: fromNoonToNoon((one) => one.soilC).map(
      (mean, hour) => mean + soilSwingC(hour, rangeC, snowDepthCm[hour]!),
    ),
    cloudiness,
    radiationMj: spreadRadiation(dayRadiationMj(extraterrestrialMj, heightM, local.cloudiness), {
      startMs: dayStartMs(day),
      cloudiness,
    }),
  };
}
