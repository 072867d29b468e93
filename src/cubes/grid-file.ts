import type { ArrayFile, ArrayVariable } from '../formats/array-file.ts';
import { MAX_PART_VALUES } from '../formats/array-file.ts';
import type { AxisKind, TimeMethod, TimePeriods } from './cf.ts';
import {
  findAxis,
  isRunTime,
  makeToMs,
  makeToValue,
  parseTimeMethod,
  readAxis,
  readRunMs,
  readTimePeriods,
  textOf,
  toAxisKind,
  toGrid,
} from './cf.ts';
import type { CubeGrid } from './cube-grid.ts';
import { unsupported } from './errors.ts';

/** An opened file of fields. */
export interface GridFile {
  readonly variables: readonly GridVariable[];
  close(): Promise<void>;
}

/** A variable of a file on a grid over time. */
export interface GridVariable {
  readonly name: string;
  readonly standardName: string;
  readonly longName: string;
  /** As the file writes them; empty without. */
  readonly units: string;
  readonly grid: CubeGrid;
  /** Times in milliseconds from 1970, in the order of the file. */
  readonly timesMs: readonly number[];
  /** Undefined where the file does not state it. */
  readonly method?: TimeMethod | undefined;
  /** When the period of each time begins, where the method has one and the file states it. */
  readonly startsMs?: readonly number[] | undefined;
  /** When the model run of each time began, where the file states it: at the time itself for an analysis. */
  readonly runsMs?: readonly number[] | undefined;
  /** The field of one time: row by row from the north, NaN where there is a gap. */
  readField(index: number): Promise<Float32Array>;
}

/** Sees fields over longitude, latitude and time in a file of arrays after the CF conventions. */
export async function toGridFile(file: ArrayFile, name: string): Promise<GridFile> {
  const variables: GridVariable[] = [];
  const runMs = await readRunMs(file);
  let refusal: unknown = null;
  for (const variable of file.variables) {
    if (toAxisKind(variable) !== null || variable.sizes.length < 2) continue;
    try {
      const found = await toGridVariable(file, variable, { name, runMs });
      if (found !== null) variables.push(found);
    } catch (error) {
      // Another variable may do; without one this is why.
      refusal ??= error;
    }
  }
  if (variables.length === 0 && refusal !== null) throw refusal;
  if (variables.length === 0)
    throw unsupported('no-grid', 'The file has no variable over latitudes and longitudes at equal steps.');
  return { variables, close: () => file.close() };
}

interface Axes {
  readonly grid: CubeGrid;
  readonly isSouthFirst: boolean;
  readonly timesMs: readonly number[];
  readonly periods: TimePeriods | null;
  /** Index of each among the dimensions of the variable; null for a file of one time. */
  readonly dimension: { readonly latitude: number; readonly longitude: number; readonly time: number | null };
}

async function toGridVariable(
  file: ArrayFile,
  variable: ArrayVariable,
  { name, runMs }: { readonly name: string; readonly runMs: number | null },
): Promise<GridVariable | null> {
  const axes = await toAxes(file, variable, name);
  if (axes === null) return null;
  const { attributes } = variable;
  const method = parseTimeMethod(textOf(attributes, 'cell_methods'));
  const periods = method === null || method === 'instant' ? null : axes.periods;
  return {
    name: variable.name,
    standardName: textOf(attributes, 'standard_name'),
    longName: textOf(attributes, 'long_name'),
    units: textOf(attributes, 'units'),
    grid: axes.grid,
    timesMs: periods?.endsMs ?? axes.timesMs,
    method: method ?? undefined,
    startsMs: periods?.startsMs,
    runsMs: runMs === null ? undefined : axes.timesMs.map(() => runMs),
    readField: makeReadField(file, variable, axes),
  };
}

async function toAxes(file: ArrayFile, variable: ArrayVariable, name: string): Promise<Axes | null> {
  const found = new Map<AxisKind, { readonly dimension: number; readonly axis: ArrayVariable }>();
  for (const dimension of variable.dimensions.keys()) {
    const axis = findAxis(file, variable, dimension);
    const kind = axis === null ? null : toAxisKind(axis);
    if (axis !== null && kind !== null) found.set(kind, { dimension, axis });
    else if (variable.sizes[dimension] !== 1) return null;
  }
  const [latitude, longitude, time] = [found.get('latitude'), found.get('longitude'), found.get('time')];
  if (latitude === undefined || longitude === undefined) return null;
  return {
    ...toGrid(await readAxis(file, latitude.axis), await readAxis(file, longitude.axis)),
    timesMs: await readTimes(file, time?.axis ?? null, name),
    periods: time === undefined ? null : await readTimePeriods(file, time.axis),
    dimension: {
      latitude: latitude.dimension,
      longitude: longitude.dimension,
      time: time?.dimension ?? null,
    },
  };
}

/** Times of the axis; without one that of a single number, of the file's attributes, or of its name. */
async function readTimes(
  file: ArrayFile,
  axis: ArrayVariable | null,
  name: string,
): Promise<readonly number[]> {
  const single = file.variables.filter(
    (one) => one.sizes.every((size) => size === 1) && toAxisKind(one) === 'time',
  );
  const source = axis ?? single.find((one) => !isRunTime(one)) ?? single[0];
  if (source !== undefined) {
    const toMs = makeToMs(textOf(source.attributes, 'units'), textOf(source.attributes, 'calendar'));
    return (await readAxis(file, source)).map(toMs);
  }
  const stated = parseFileDate(textOf(file.attributes, 'time_coverage_start').slice(0, 10));
  const ms = stated ?? parseFileDate(name) ?? (await readFirstTime(file));
  if (ms === null)
    throw unsupported('no-time', 'The file states no time, and its name contains no date such as 20260502.');
  return [ms];
}

/** The first time of the file's other variables, for a field that holds at all of them. */
async function readFirstTime(file: ArrayFile): Promise<number | null> {
  const axis = file.variables.find((one) => one.sizes.length === 1 && toAxisKind(one) === 'time');
  return axis === undefined ? null : ((await readTimes(file, axis, ''))[0] ?? null);
}

/** Builds the reader of fields. Files often store many times together, so that many are read at once and cached. */
function makeReadField(
  file: ArrayFile,
  variable: ArrayVariable,
  { grid, isSouthFirst, dimension, timesMs }: Axes,
): (index: number) => Promise<Float32Array> {
  const { width, height } = grid;
  const toValue = makeToValue(variable.attributes);
  const timesAtOnce = Math.max(1, Math.min(timesMs.length, Math.floor(MAX_PART_VALUES / (width * height))));
  const rowsAtOnce = Math.min(height, Math.max(1, Math.floor(MAX_PART_VALUES / width)));
  let latest: { readonly key: string; readonly stored: Float64Array } | null = null;
  const readStored = async (start: readonly number[], count: readonly number[]): Promise<Float64Array> => {
    const key = start.join();
    if (latest?.key !== key) latest = { key, stored: await file.read(variable, { start, count }) };
    return latest.stored;
  };
  return async (index) => {
    const field = new Float32Array(width * height);
    const firstTime = index - (index % timesAtOnce);
    for (let top = 0; top < height; top += rowsAtOnce) {
      const [start, count] = [variable.sizes.map(() => 0), variable.sizes.map(() => 1)];
      start[dimension.latitude] = top;
      count[dimension.latitude] = Math.min(rowsAtOnce, height - top);
      count[dimension.longitude] = width;
      if (dimension.time !== null) {
        start[dimension.time] = firstTime;
        count[dimension.time] = Math.min(timesAtOnce, timesMs.length - firstTime);
      }
      const stored = await readStored(start, count);
      const strideOf = (axis: number): number =>
        count.slice(axis + 1).reduce((product, size) => product * size, 1);
      const [down, across] = [strideOf(dimension.latitude), strideOf(dimension.longitude)];
      const origin = dimension.time === null ? 0 : (index - firstTime) * strideOf(dimension.time);
      for (let row = 0; row < count[dimension.latitude]!; row++) {
        const target = (isSouthFirst ? height - 1 - top - row : top + row) * width;
        for (let column = 0; column < width; column++)
          field[target + column] = toValue(stored[origin + row * down + column * across]!);
      }
    }
    return field;
  };
}

/** The first date in the name of a file, in milliseconds: 20260502, 2026-05-02, 2026_05_02 or 2026122 (day of year). */
export function parseFileDate(name: string): number | null {
  const day =
    /(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=\D|\d{6}(?!\d)|\d{4}(?!\d)|$)/.exec(
      name,
    );
  if (day !== null) {
    const [year, month, date] = [Number(day[1]), Number(day[3]), Number(day[4])];
    const ms = Date.UTC(year, month - 1, date);
    // 30 February rolls over into March.
    return new Date(ms).getUTCDate() === date ? ms : null;
  }
  const ofYear = /(?<!\d)((?:19|20)\d\d)[-_.]?([0-3]\d\d)(?!\d)/.exec(name);
  if (ofYear === null) return null;
  const [year, number] = [Number(ofYear[1]), Number(ofYear[2])];
  const ms = Date.UTC(year, 0, number);
  return number >= 1 && new Date(ms).getUTCFullYear() === year ? ms : null;
}
