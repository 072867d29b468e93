import type { Cube } from '../cubes/index.ts';
import { toStepDay } from '../cubes/index.ts';

/** Head of the columns that every data cube has. */
export const CUBE_COLUMNS = ['name', 'days', 'step', 'cells', 'size', 'west, south, east, north', 'files'];

/** A data cube in those columns. */
export function toCubeRow({ name, grid, stepHours, firstStep, lastStep, sourceCount }: Cube): string[] {
  const [west, north] = [grid.west - grid.lonStep / 2, grid.north + grid.latStep / 2];
  const edges = [west, north - grid.height * grid.latStep, west + grid.width * grid.lonStep, north];
  return [
    name,
    `${toStepDay(firstStep, stepHours)} to ${toStepDay(lastStep, stepHours)}`,
    stepHours === 24 ? 'day' : 'hour',
    `${grid.width} × ${grid.height}`,
    `${Number(grid.lonStep.toPrecision(4))}°`,
    edges.map((degrees) => Number(degrees.toFixed(3))).join(', '),
    String(sourceCount),
  ];
}
