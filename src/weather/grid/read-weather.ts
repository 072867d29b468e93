import type { Cube, Cubes } from '../../cubes/index.ts';
import { readSeries } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import type { WeatherLocation } from '../series/weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from '../series/weather-series.ts';

/** A series of a data cube. */
export interface ReadWeather {
  readonly series: WeatherSeries;
  /** True for a point, and an area smaller than a cell. */
  readonly isInterpolated: boolean;
}

/** Steps of a cube, counted from 1970, both included. */
interface StepSpan {
  readonly firstStep: number;
  readonly lastStep: number;
  /** Hours that the midnights of a cube of days are ahead of UTC. */
  readonly utcOffsetHours: number;
  readonly variables: readonly WeatherVariable[];
}

/** Reads variables of a cube, means over the location; null outside of its grid. */
export async function readWeather(
  cubes: Cubes,
  { name, stepHours, variables: stored }: Cube,
  where: WeatherLocation,
  { firstStep, lastStep, utcOffsetHours, variables }: StepSpan,
): Promise<ReadWeather | null> {
  const wanted = variables.filter((variable) => stored[variable] !== undefined);
  const all = await Promise.all(
    wanted.map((variable) => readSeries(cubes, name, { variable, where, firstStep, lastStep })),
  );
  const [first] = all;
  if (first === undefined || first.cells.length === 0) return null;
  const values = Object.fromEntries(all.map(({ means }, i) => [wanted[i]!, means]));
  const startMs = (firstStep * stepHours - utcOffsetHours) * HOUR_MS;
  return {
    series: { stepHours, startMs, stepCount: first.stepCount, utcOffsetHours, values },
    isInterpolated: first.isInterpolated,
  };
}
