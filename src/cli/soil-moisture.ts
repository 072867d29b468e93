/** Soil moisture on the command line: `swath ingest soilmoisture` and `swath soilmoisture`. */

import type { Cube, Cubes } from '../cubes/index.ts';
import { parseCubeName } from '../cubes/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, topic, withDefault } from './command.ts';
import { CUBE_COLUMNS, toCubeRow } from './cubes.ts';
import { badInput } from './errors.ts';
import { jsonList, reportOptions } from './report.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

/** `swath ingest soilmoisture`. */
export type IngestSoilMoistureCommand = CommandOf<typeof ingestSoilMoisture>;

/** `swath soilmoisture list|remove`. */
type SoilMoistureCommand = Exclude<
  CommandOf<(typeof soilMoisture.commands)[number]>,
  IngestSoilMoistureCommand
>;

const ingestSoilMoisture = command('ingest soilmoisture', {
  about:
    'Copies fields on a regular grid of degrees into a data cube, and creates the data cube if needed: NetCDF 3 and 4, HDF5, GRIB 1 and 2, GeoTIFF (one day per file, with the date in its name), folders of Zarr 2 and 3. Fields may be daily or hourly; all files of a data cube have the same grid.',
  arguments: { from: argument('<file or folder>', 'From where?') },
  options: {
    // One is enough for most; files of one data set have one grid.
    cube: withDefault(
      option('--name NAME', 'name of the data cube (default)', (text) => parseCubeName(text)),
      'default',
    ),
    variable: option('--variable NAME', 'variable with the soil moisture, if its name is not a known one'),
    porosity: option(
      '--porosity SHARE',
      'pore share of the soil, such as 0.45, to convert % of saturation to m3 m-3',
      parsePorosity,
    ),
    ...reportOptions,
  },
});

/** `swath soilmoisture` and `swath ingest soilmoisture`. */
export const soilMoisture = topic({
  name: 'soilmoisture',
  summary: 'list and remove data cubes of soil moisture',
  about: [
    'Files that were read before and have not changed are skipped, so a run that was stopped can simply be repeated, and a folder that grows can be ingested again. A file that cannot be read is reported; the others are ingested. A running server sees new days at once.',
  ],
  commands: [
    ingestSoilMoisture,
    command('soilmoisture list', {
      about: 'Shows the data cubes: days, grid and number of files.',
      options: jsonList,
    }),
    command('soilmoisture remove', {
      about: 'Deletes a data cube; the files that it was made from stay.',
      arguments: { cube: argument('NAME', 'Which data cube?', (text) => parseCubeName(text)) },
      hint: '"swath soilmoisture list" shows them',
    }),
  ],
  fails: 'a file was broken, or a data cube does not exist',
});

function parsePorosity(text: string, name: string): number {
  const value = /^0?\.\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0.1 && value <= 0.9))
    throw badInput('usage', `${name} takes a share from 0.1 to 0.9, such as 0.45.`);
  return value;
}

interface SoilMoistureDeps {
  readonly cubes: Pick<Cubes, 'list' | 'remove'>;
  readonly terminal: Terminal;
}

/** `swath soilmoisture list|remove`; false when a cube was not there. */
export async function runSoilMoisture(
  command: SoilMoistureCommand,
  { cubes, terminal }: SoilMoistureDeps,
): Promise<boolean> {
  switch (command.name) {
    case 'soilmoisture list':
      printCubes(await cubes.list(), command.json, terminal);
      return true;
    case 'soilmoisture remove': {
      if (!(await cubes.remove(command.cube))) {
        terminal.note(`There is no data cube ${command.cube}; "swath soilmoisture list" shows them.`);
        return false;
      }
      terminal.line(`Removed the data cube ${command.cube}; the files that it was made from stay.`);
      return true;
    }
  }
}

function printCubes(cubes: readonly Cube[], json: boolean, terminal: Terminal): void {
  if (json) terminal.line(JSON.stringify(cubes, null, 2));
  else if (cubes.length === 0)
    terminal.line('There is no soil moisture. "swath ingest soilmoisture <file or folder>" adds some.');
  else printTable(terminal, { header: CUBE_COLUMNS, rows: cubes.map(toCubeRow) });
}
