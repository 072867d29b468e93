import { join } from 'node:path';
import type { Cubes } from '../cubes/index.ts';
import type { GridCubes, StationStore } from '../weather/index.ts';
import { makeStationStore } from '../weather/index.ts';
import type { Config } from './config.ts';
import { openCubes } from './data-cubes.ts';

/** The data cubes of weather of a data directory. */
export const openWeatherCubes = (config: Pick<Config, 'dataDir'>): GridCubes => ({
  cubes: openCubes(config, 'weather'),
  dayCubes: openCubes(config, 'weather-days'),
});

/** The same to be listed and removed; the days that were made of hours go with them. */
export function openRemovableWeather(config: Pick<Config, 'dataDir'>): Pick<Cubes, 'list' | 'remove'> {
  const { cubes, dayCubes } = openWeatherCubes(config);
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
