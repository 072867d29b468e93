import { join } from 'node:path';
import { makeCubes } from '../cubes/index.ts';
import type { GridCubes } from '../weather/index.ts';
import type { Config } from './config.ts';
import { CUBES_FOLDER } from './soil-moisture.ts';

/** The data cubes of weather of a data directory. */
export function openWeatherCubes({ dataDir }: Pick<Config, 'dataDir'>): GridCubes {
  const directory = join(dataDir, CUBES_FOLDER);
  return {
    cubes: makeCubes({ directory, subject: 'weather' }),
    dayCubes: makeCubes({ directory, subject: 'weather-days' }),
  };
}
