import type { Cube, Cubes } from '../cubes/index.ts';
import type { SoilMoistureCommand } from './commands/index.ts';
import { CUBE_COLUMNS, toCubeRow } from './cube-table.ts';
import { printTable } from './print-table.ts';
import type { Terminal } from './terminal.ts';

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
