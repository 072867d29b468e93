import { join } from 'node:path';
import type { Cubes, CubesConfig, CubesLock } from '../cubes/index.ts';
import { openCubes } from '../cubes/index.ts';
import type { GridCubes } from './grid/grid-cubes.ts';
import type { StationStore } from './stations/station-store.ts';
import { makeStationStore } from './stations/station-store.ts';

/** The data cubes of weather; a process that writes them has the lock. */
export const openWeatherCubes = (config: CubesConfig, lock: CubesLock | null = null): GridCubes => ({
  cubes: openCubes(config, 'weather', lock),
  dayCubes: openCubes(config, 'weather-days', lock),
});

/** The data cubes of weather, to be listed and removed; the days that were derived from hours are removed with them. */
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
export const openStations = ({ dataDir }: { readonly dataDir: string }): StationStore =>
  makeStationStore({ directory: join(dataDir, 'stations') });
