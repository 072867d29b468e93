import { unsupported } from '../../errors.ts';
import type { GribDescription, GribField, GribFile } from '../../formats/grib/index.ts';
import { describeField, openGrib } from '../../formats/grib/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import type { GridFile, GridVariable } from './grid-file.ts';

/** A field and what it is. */
interface Described extends Omit<GribDescription, 'method'> {
  readonly field: GribField;
  readonly method: GribDescription['method'];
}

/**
 * Opens a GRIB file: a variable is a parameter at a level with one method on one grid. Where periods of different length end
 * together, as in files of GFS, those from the beginning of the run are one variable, and the shortest ones another.
 */
export async function openGribGrid(source: ByteSource): Promise<GridFile> {
  const file = await openGrib(source);
  const groups = new Map<string, Described[]>();
  for (const field of file.fields) {
    const described: Described = { field, ...describeField(field) };
    const { west, north, lonStep, latStep, width, height } = field.grid;
    const grid = [west, north, lonStep, latStep, width, height].join();
    const key = `${described.name} ${described.method} ${grid}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [described]);
    else group.push(described);
  }
  const variables: GridVariable[] = [];
  let refusal: unknown = file.refusal;
  for (const group of groups.values()) {
    try {
      const grid = toCubeGrid(group[0]!.field);
      for (const part of splitPeriods(group)) variables.push(toVariable(file, grid, part));
    } catch (error) {
      // Another grid may do; without one this is why.
      refusal ??= error;
    }
  }
  if (variables.length === 0) throw refusal;
  return { variables, close: async () => {} };
}

function toCubeGrid({ grid: { west, north, lonStep, latStep, width, height } }: GribField): CubeGrid {
  if (lonStep * width > 360 * (1 + 1e-6))
    throw unsupported('grid-turn', 'The columns of the file go around the world more than once.');
  return { west, north, lonStep, latStep, width, height };
}

/** Fields of one variable, or of two if some have the same end in the same run and begin at different times. */
function splitPeriods(group: readonly Described[]): readonly (readonly Described[])[] {
  const startOf = ({ startMs, field }: Described): number => startMs ?? field.endMs;
  const shortest = new Map<string, Described>();
  let hasSeveral = false;
  for (const one of group) {
    const key = `${one.field.runMs} ${one.field.endMs}`;
    const other = shortest.get(key);
    if (other !== undefined && startOf(other) !== startOf(one)) hasSeveral = true;
    if (other === undefined || startOf(one) >= startOf(other)) shortest.set(key, one);
  }
  if (!hasSeveral) return [group];
  const fromRun = group.filter((one) => startOf(one) === one.field.runMs);
  return fromRun.length === 0 ? [[...shortest.values()]] : [fromRun, [...shortest.values()]];
}

function toVariable(file: GribFile, grid: CubeGrid, group: readonly Described[]): GridVariable {
  // The last of several fields of one time replaces those before.
  const byTime = new Map(group.map((one) => [one.field.endMs, one]));
  const sorted = [...byTime.values()].sort((one, other) => one.field.endMs - other.field.endMs);
  const { name, longName, units, method } = sorted[0]!;
  const variable: GridVariable = {
    name,
    standardName: '',
    longName,
    units,
    grid,
    timesMs: sorted.map(({ field }) => field.endMs),
    runsMs: sorted.map(({ field }) => field.runMs),
    readField: (index) => file.readValues(sorted[index]!.field),
  };
  const starts = sorted.map(({ startMs }) => startMs);
  const hasStarts = method !== 'instant' && starts.every((ms) => ms !== null);
  if (method === null) return variable;
  return hasStarts ? { ...variable, method, startsMs: starts } : { ...variable, method };
}
