/** Weather on the command line: `swath ingest weather` and `swath weather`. */

import type { Cubes } from '../cubes/index.ts';
import { parseCubeName, toStepDay } from '../cubes/index.ts';
import type { StationSet, StationStore } from '../weather/index.ts';
import { DEFAULT_RUNS, listRuns } from '../weather/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, reshape, topic, withDefault } from './command.ts';
import { CUBE_COLUMNS, toCubeRow } from './cubes.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseChoice, parseWithin } from './parse-values.ts';
import { jsonList, reportOptions } from './report.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

/** `swath ingest weather`. */
export type IngestWeatherCommand = CommandOf<typeof ingestWeather>;

/** `swath weather list|remove`. */
type WeatherCommand = Exclude<CommandOf<(typeof weather.commands)[number]>, IngestWeatherCommand>;

const given = command('ingest weather', {
  about:
    'Copies fields on a regular grid of degrees into a data cube, and creates the data cube if needed: GRIB 1 and 2, NetCDF 3 and 4, HDF5, GeoTIFF, folders of Zarr 2 and 3. A table of weather stations (.csv) is stored under its name. Files at http(s) and s3 addresses that SWATH_SOURCES allows are copied first.',
  arguments: { from: argument('<file, folder or address>', 'From where?') },
  options: {
    data: withDefault(
      option('--name NAME', 'name of the data cube, of the forecast or of the stations (default)', parseName),
      'default',
    ),
    kind: option(
      '--kind history|forecast',
      'what the files are; by default found from model run, reach and name',
      parseChoice('history', 'forecast'),
    ),
    runMs: option(
      '--run TIME',
      'start of the model run, such as 2026-11-16T06, for files that do not state it',
      parseRun,
    ),
    runs: withDefault(
      option(
        '--runs N',
        `runs of a forecast to store (${DEFAULT_RUNS}); older ones are removed when a new one can be used`,
        parseAmount,
      ),
      DEFAULT_RUNS,
    ),
    accumulated: option(
      '--accumulated hour|day|run',
      'what sums count from: the hour before, midnight UTC, or the start of the run; by default found from the files',
      parseChoice('hour', 'day', 'run'),
    ),
    latitude: option(
      '--latitude DEGREES',
      'location of the one station of a table, if the table does not state it',
      parseWithin(90),
    ),
    longitude: option('--longitude DEGREES', 'the same', parseWithin(180)),
    elevationM: option('--elevation METRES', 'height of that station', parseWithin(9000)),
    ...reportOptions,
  },
});

const ingestWeather = reshape(given, ({ longitude, latitude, elevationM, ...rest }) => ({
  ...rest,
  station: { longitude, latitude, elevationM },
}));

/** `swath weather` and `swath ingest weather`. */
export const weather = topic({
  name: 'weather',
  summary: 'list and remove weather',
  about: [
    'Variables are known by the names that ERA5, ERA5-Land, AgERA5, E-OBS, GFS, Open-Meteo and CF give them; units are converted. Each run of a forecast is a data cube of its own, such as gfs-20261116t06.',
    'Files that were read before and have not changed are skipped, so a run that was stopped can simply be repeated. A file that cannot be read is reported; the others are ingested. A running server sees new weather at once.',
  ],
  commands: [
    ingestWeather,
    command('weather list', { about: 'Shows the data cubes and the stations.', options: jsonList }),
    command('weather remove', {
      about:
        'Deletes a data cube, all runs of a forecast, or stations; the files that they were made from stay.',
      arguments: { data: argument('NAME', 'Which data cube?', (text) => parseCubeName(text)) },
      hint: '"swath weather list" shows them',
    }),
  ],
  fails: 'a file was broken, or there was nothing to remove',
});

/** The name of a run adds up to 14 characters to that of its forecast. */
const MAX_NAME = 50;

function parseName(text: string, option: string): string {
  const name = parseCubeName(text);
  if (name.length > MAX_NAME)
    throw badInput(
      'usage',
      `${option} takes at most ${MAX_NAME} characters: runs of forecasts add their time.`,
    );
  return name;
}

/** An hour of UTC, as 2026-11-16T06. */
function parseRun(text: string, option: string): number {
  const isHour = /^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2})?Z?$/.test(text);
  const iso = `${text.replace(/Z$/, '')}${text.includes(':') ? '' : ':00'}Z`;
  const ms = isHour ? Date.parse(iso) : Number.NaN;
  // A Date rolls 30 February over into March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 13)))
    throw badInput('usage', `${option} takes an hour of UTC, such as 2026-11-16T06.`);
  return ms;
}

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
