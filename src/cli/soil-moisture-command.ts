import type { Cube, Cubes } from '../cubes/index.ts';
import { toStepDay } from '../cubes/index.ts';
import type { SoilMoistureCommand } from './arguments/index.ts';
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

function printCubes(cubes: readonly Cube[], json: boolean, { line, style }: Terminal): void {
  if (json) {
    line(JSON.stringify(cubes, null, 2));
    return;
  }
  if (cubes.length === 0) {
    line('There is no soil moisture. "swath ingest soilmoisture <file or folder>" adds some.');
    return;
  }
  const rows = [['name', 'days', 'step', 'cells', 'size', 'west, south, east, north', 'files']];
  for (const { name, grid, stepHours, firstStep, lastStep, sourceCount } of cubes) {
    const [west, north] = [grid.west - grid.lonStep / 2, grid.north + grid.latStep / 2];
    const edges = [west, north - grid.height * grid.latStep, west + grid.width * grid.lonStep, north];
    rows.push([
      name,
      `${toStepDay(firstStep, stepHours)} to ${toStepDay(lastStep, stepHours)}`,
      stepHours === 24 ? 'day' : 'hour',
      `${grid.width} × ${grid.height}`,
      `${Number(grid.lonStep.toPrecision(4))}°`,
      edges.map((degrees) => Number(degrees.toFixed(3))).join(', '),
      String(sourceCount),
    ]);
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const print = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  for (const [i, row] of rows.entries()) line(i === 0 ? style.dim(print(row)) : print(row));
}
