import type { Cube } from '../../cubes/index.ts';
import { readCells } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import { gatherDays } from '../daily/gather-days.ts';
import { toUtcOffset } from '../series/days.ts';
import type { WeatherVariable } from '../series/weather-series.ts';
import { WEATHER_VARIABLE_NAMES, WEATHER_VARIABLES } from '../series/weather-series.ts';
import type { GridCubes } from './grid-cubes.ts';
import { toLongitude } from './read-days-of-hours.ts';

/** Variables that days may have. */
const DAY_VARIABLES = WEATHER_VARIABLE_NAMES.filter(
  (variable) => variable !== 'temperature' && variable !== 'dewPoint',
);

/** Memory for days that wait to be written. */
const BATCH_BYTES = 2 ** 27;
/** Cells that are read at once a side: those of the largest chunks, so that none is read twice. */
const BLOCK_SIDE = 32;
/** Hours of local clocks before and after those of UTC. */
const OTHER_CLOCKS_HOURS = 14;

/** Whether the days of a cube of hours are made of all that is in it. */
export async function areDaysCurrent({ cubes, dayCubes }: GridCubes, name: string): Promise<boolean> {
  const [hours, days] = await Promise.all([cubes.readSources(name), dayCubes.readSources(name)]);
  return hours.size === days.size && [...hours].every(([file, stamp]) => days.get(file) === stamp);
}

interface DeriveOptions {
  /** Hours that have changed, in steps from 1970; all of the cube if it is not known. */
  readonly firstStep?: number;
  readonly lastStep?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Makes the days of a cube of hours, each cell by the clock of its own meridian, and stores them under the same name. What
 * is there is replaced. Stopped in the middle it is repeated by the next run, because the days are current only when the
 * last of them is stored.
 */
export async function deriveDays(
  grids: GridCubes,
  name: string,
  { firstStep, lastStep, signal, onProgress }: DeriveOptions = {},
): Promise<void> {
  const { cubes, dayCubes } = grids;
  const cube = await cubes.find(name);
  if (cube === null || cube.stepHours !== 1 || (await areDaysCurrent(grids, name))) return;
  const sources = await cubes.readSources(name);
  const firstDay = Math.floor(((firstStep ?? cube.firstStep) - OTHER_CLOCKS_HOURS) / 24);
  const lastDay = Math.floor(((lastStep ?? cube.lastStep) + OTHER_CLOCKS_HOURS) / 24);
  const { width, height } = cube.grid;
  const bytesPerDay = 4 * width * height * DAY_VARIABLES.length;
  const daysAtOnce = Math.max(1, Math.floor(BATCH_BYTES / bytesPerDay));
  const writer = await dayCubes.openWriter(name, { grid: cube.grid, stepHours: 24 });
  for (let day = firstDay; day <= lastDay; day += daysAtOnce) {
    signal?.throwIfAborted();
    const end = Math.min(lastDay, day + daysAtOnce - 1);
    const fields = await gatherFields(grids, cube, day, end);
    const isLast = end === lastDay;
    await writer.write(
      [...fields].map(([variable, days]) => ({
        variable,
        about: WEATHER_VARIABLES[variable],
        fields: days.map((values, i) => ({ step: day + i, values })),
      })),
      isLast ? sources : new Map(),
    );
    onProgress?.((end - firstDay + 1) / (lastDay - firstDay + 1));
  }
}

/** Fields of days, by variable; those that no cell has are left out. */
async function gatherFields(
  { cubes }: GridCubes,
  cube: Cube,
  firstDay: number,
  lastDay: number,
): Promise<ReadonlyMap<WeatherVariable, readonly Float32Array[]>> {
  const { name, grid } = cube;
  const days = lastDay - firstDay + 1;
  const [firstStep, lastStep] = [firstDay * 24 - OTHER_CLOCKS_HOURS, lastDay * 24 + 23 + OTHER_CLOCKS_HOURS];
  const stepCount = lastStep - firstStep + 1;
  const wanted = WEATHER_VARIABLE_NAMES.filter((variable) => cube.variables[variable] !== undefined);
  const fields = new Map<WeatherVariable, Float32Array[]>();
  for (const cells of listBlocks(grid)) {
    const all = await Promise.all(
      wanted.map((variable) => readCells(cubes, name, { variable, cells, firstStep, lastStep })),
    );
    for (const [i, { column, row }] of cells.entries()) {
      const hours = all.map((values) =>
        Float64Array.from(values.subarray(i * stepCount, (i + 1) * stepCount)),
      );
      const gathered = gatherDays(
        {
          stepHours: 1,
          startMs: firstStep * HOUR_MS,
          stepCount,
          utcOffsetHours: 0,
          values: Object.fromEntries(wanted.map((variable, k) => [variable, hours[k]!])),
        },
        { firstDay, lastDay, utcOffsetHours: toUtcOffset(toLongitude(cube, column)) },
      );
      for (const [variable, values] of Object.entries(gathered.values)) {
        let ofDays = fields.get(variable as WeatherVariable);
        if (ofDays === undefined) {
          ofDays = Array.from({ length: days }, () =>
            new Float32Array(grid.width * grid.height).fill(Number.NaN),
          );
          fields.set(variable as WeatherVariable, ofDays);
        }
        for (const [day, value] of values.entries()) ofDays[day]![row * grid.width + column] = value;
      }
    }
  }
  return fields;
}

function* listBlocks({ width, height }: Cube['grid']) {
  for (let top = 0; top < height; top += BLOCK_SIDE) {
    for (let left = 0; left < width; left += BLOCK_SIDE) {
      const cells: { readonly column: number; readonly row: number }[] = [];
      for (let row = top; row < Math.min(height, top + BLOCK_SIDE); row++)
        for (let column = left; column < Math.min(width, left + BLOCK_SIDE); column++)
          cells.push({ column, row });
      yield cells;
    }
  }
}
