import { join } from 'node:path';
import type { Cubes } from '../cubes/index.ts';
import type { GridCubes, StationStore } from '../weather/index.ts';
import { makeStationStore } from '../weather/index.ts';
import type { Config } from './config.ts';
import type { CubesConfig, CubesLock } from './data-cubes.ts';
import { openCubes } from './data-cubes.ts';

/** The data cubes of weather; a process that writes them has the lock. */
export const openWeatherCubes = (config: CubesConfig, lock: CubesLock | null = null): GridCubes => ({
  cubes: openCubes(config, 'weather', lock),
  dayCubes: openCubes(config, 'weather-days', lock),
});

/** The same to be listed and removed; the days that were made of hours go with them. */
export function openRemovableWeather(
  config: CubesConfig,
  lock: CubesLock | null = null,
): Pick<Cubes, 'list' | 'remove'> {
  const { cubes, dayCubes } = openWeatherCubes(config, lock);
  return {
    list: cubes.list,
    async remove(name) {
      const isThere = await cubes.remove(name);
      await dayCubes.remove(name);
      return isThere;
    },
  };
}

/** The weather stations of a data directory. */
export const openStations = ({ dataDir }: Pick<Config, 'dataDir'>): StationStore =>
  makeStationStore({ directory: join(dataDir, 'stations') });
