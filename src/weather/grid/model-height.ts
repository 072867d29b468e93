import type { Cube, Cubes } from '../../cubes/index.ts';
import { readSeries } from '../../cubes/index.ts';
import { ELEVATION_VARIABLE } from '../series/elevation-variable.ts';
import type { Heights } from '../series/heights.ts';
import type { WeatherLocation } from '../series/weather-provider.ts';
import { toLongitude } from './read-days-of-hours.ts';

/**
 * Height of the ground at a location as the model sees it: of the cube itself, or else the means of the elevation model
 * over its cells. Null if neither is known.
 */
export async function findModelHeight(
  cubes: Cubes,
  cube: Cube,
  where: WeatherLocation,
  heights: Heights,
): Promise<number | null> {
  const { name, grid, variables } = cube;
  const steps = { firstStep: 0, lastStep: 0 };
  if (variables[ELEVATION_VARIABLE] !== undefined) {
    const { means } = await readSeries(cubes, name, { variable: ELEVATION_VARIABLE, where, ...steps });
    const [height] = means;
    if (height !== undefined && !Number.isNaN(height)) return height;
  }
  const [variable] = Object.keys(variables);
  if (variable === undefined) return null;
  const { cells } = await readSeries(cubes, name, { variable, where, firstStep: 0, lastStep: -1 });
  let sum = 0;
  for (const { column, row, weight } of cells) {
    const [lon, lat] = [toLongitude(cube, column), grid.north - row * grid.latStep];
    const mean = await heights.meanOf({
      minX: lon - grid.lonStep / 2,
      minY: lat - grid.latStep / 2,
      maxX: lon + grid.lonStep / 2,
      maxY: lat + grid.latStep / 2,
    });
    if (mean === null) return null;
    sum += weight * mean;
  }
  return cells.length === 0 ? null : sum;
}
