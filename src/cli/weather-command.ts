import type { Cubes } from '../cubes/index.ts';
import { toStepDay } from '../cubes/index.ts';
import type { StationSet, StationStore } from '../weather/index.ts';
import { listRuns } from '../weather/index.ts';
import type { WeatherCommand } from './commands/index.ts';
import { CUBE_COLUMNS, toCubeRow } from './cube-table.ts';
import { printTable } from './print-table.ts';
import type { Terminal } from './terminal.ts';

interface WeatherDeps {
  readonly cubes: Pick<Cubes, 'list' | 'remove'>;
  readonly stations: Pick<StationStore, 'list' | 'remove'>;
  readonly terminal: Terminal;
}

/** `swath weather list|remove`; false when there was nothing of that name. */
export async function runWeather(
  command: WeatherCommand,
  { cubes, stations, terminal }: WeatherDeps,
): Promise<boolean> {
  switch (command.name) {
    case 'weather list': {
      const [cubeList, sets] = [await cubes.list(), await stations.list()];
      if (command.json) terminal.line(JSON.stringify({ cubes: cubeList, stations: sets }, null, 2));
      else if (cubeList.length === 0 && sets.length === 0)
        terminal.line('There is no weather. "swath ingest weather <file, folder or address>" adds some.');
      else {
        const rows = cubeList.map((cube) => [
          ...toCubeRow(cube),
          cube.kind ?? 'history',
          Object.keys(cube.variables).join(', '),
        ]);
        if (rows.length > 0) printTable(terminal, { header: [...CUBE_COLUMNS, 'kind', 'variables'], rows });
        if (sets.length > 0) printTable(terminal, { header: STATION_COLUMNS, rows: sets.map(toStationRow) });
      }
      return true;
    }
    case 'weather remove': {
      const { data } = command;
      // The name of a forecast stands for all its runs.
      const all = await cubes.list();
      const names = [data, ...listRuns(all, data).map(({ name }) => name)].filter((name) =>
        all.some((cube) => cube.name === name),
      );
      for (const name of names) {
        await cubes.remove(name);
        terminal.line(`Removed the data cube ${name}; the files that it was made from stay.`);
      }
      const isSet = await stations.remove(data);
      if (isSet) terminal.line(`Removed the stations ${data}; the files that they came from stay.`);
      if (isSet || names.length > 0) return true;
      terminal.note(`There is no weather ${data}; "swath weather list" shows what there is.`);
      return false;
    }
  }
}

const STATION_COLUMNS = ['stations of', 'number', 'days', 'variables'];

function toStationRow({ name, stations }: StationSet): readonly string[] {
  const days = stations.flatMap(({ firstStep, stepCount, stepHours }) => [
    toStepDay(firstStep, stepHours),
    toStepDay(firstStep + stepCount - 1, stepHours),
  ]);
  const sorted = days.toSorted();
  const variables = [...new Set(stations.flatMap((station) => station.variables))];
  return [name, String(stations.length), `${sorted[0]} to ${sorted.at(-1)}`, variables.join(', ')];
}
