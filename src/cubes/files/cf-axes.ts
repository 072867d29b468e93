import { sourceBroken, tooLarge, unsupported } from '../../errors.ts';
import type { ArrayFile, ArrayVariable } from '../../formats/array-file.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import { MAX_CELLS } from '../grid/cube-grid.ts';
import { textOf } from './cf-numbers.ts';
import { isTimeUnits } from './cf-time.ts';

/** What a dimension counts. */
export type AxisKind = 'latitude' | 'longitude' | 'time';

/** Cells of an axis; 0.005 degrees around the world are 72,000. */
const MAX_AXIS = 100_000;
/** Steps of regular axes differ by rounding: degrees as float32 are off by up to 2e-5. */
const ROUNDING_DEG = 4e-5;

/** What an axis counts by its attributes, or by its name where it has none (CF conventions, 4); null for anything else. */
export function toAxisKind({ name, attributes }: ArrayVariable): AxisKind | null {
  const [standard, units, axis] = [
    textOf(attributes, 'standard_name').toLowerCase(),
    textOf(attributes, 'units').toLowerCase(),
    textOf(attributes, 'axis').toUpperCase(),
  ];
  const short = name.split('/').at(-1)!.toLowerCase();
  if (standard === 'forecast_reference_time') return null;
  if (standard === 'latitude' || /^degrees?_?n(orth)?$/.test(units)) return 'latitude';
  if (standard === 'longitude' || /^degrees?_?e(ast)?$/.test(units)) return 'longitude';
  if (standard === 'time' || isTimeUnits(units)) return 'time';
  if (short === 'lat' || short === 'latitude' || (axis === 'Y' && units.startsWith('degree')))
    return 'latitude';
  if (short === 'lon' || short === 'longitude' || (axis === 'X' && units.startsWith('degree')))
    return 'longitude';
  return null;
}

/** The variable that gives the values along a dimension; null without one. */
export function findAxis(
  { variables }: Pick<ArrayFile, 'variables'>,
  of: ArrayVariable,
  dimension: number,
): ArrayVariable | null {
  const [name, size] = [of.dimensions[dimension]!, of.sizes[dimension]!];
  const lines = variables.filter(({ sizes }) => sizes.length === 1 && sizes[0] === size);
  return (
    lines.find((line) => line.name === name && toAxisKind(line) !== null) ??
    lines.find((line) => line.dimensions[0] === name && toAxisKind(line) !== null) ??
    // Files of plain HDF5 do not name their dimensions: of two lines of the same length neither is sure.
    (name.startsWith('size ') ? onlyOne(lines.filter((line) => toAxisKind(line) !== null)) : null)
  );
}

const onlyOne = <T>(items: readonly T[]): T | null => (items.length === 1 ? items[0]! : null);

/** All numbers of an axis. */
export async function readAxis(file: ArrayFile, axis: ArrayVariable): Promise<readonly number[]> {
  const size = axis.sizes[0] ?? 1;
  if (size > MAX_AXIS)
    throw tooLarge('axis-too-long', `"${axis.name}" has ${size} numbers; at most ${MAX_AXIS} are read.`);
  return Array.from(await file.read(axis, { start: axis.sizes.map(() => 0), count: axis.sizes }));
}

/** A grid of the numbers of two axes, and whether the rows of the file go from south to north. */
export function toGrid(
  latitudes: readonly number[],
  longitudes: readonly number[],
): { readonly grid: CubeGrid; readonly isSouthFirst: boolean } {
  const unwrapped = unwrap(longitudes);
  const [latStep, lonStep] = [toRegularStep(latitudes, 'latitudes'), toRegularStep(unwrapped, 'longitudes')];
  const [width, height] = [longitudes.length, latitudes.length];
  if (lonStep < 0) throw unsupported('grid-columns', 'The longitudes of the file go from east to west.');
  if (lonStep * width > 360 * (1 + 1e-6))
    throw unsupported('grid-turn', 'The columns of the file go around the world more than once.');
  if (
    latitudes.some((lat) => Math.abs(lat) > 90 + ROUNDING_DEG) ||
    unwrapped.some((lon) => Math.abs(lon) > 720)
  )
    throw sourceBroken('grid-degrees', 'The file has latitudes or longitudes that do not exist.');
  if (width * height > MAX_CELLS)
    throw tooLarge('grid-too-large', `The grid has ${width * height} cells; at most ${MAX_CELLS} are read.`);
  const isSouthFirst = latStep > 0;
  const north = isSouthFirst ? latitudes.at(-1)! : latitudes[0]!;
  return {
    grid: { west: unwrapped[0]!, north, lonStep, latStep: Math.abs(latStep), width, height },
    isSouthFirst,
  };
}

/** Longitudes that step back from 180 to -180, or from 360 to 0, go on instead. */
function unwrap(longitudes: readonly number[]): readonly number[] {
  let turn = 0;
  return longitudes.map((lon, i) => {
    if (i > 0 && lon < longitudes[i - 1]! - 180) turn += 360;
    return lon + turn;
  });
}

function toRegularStep(values: readonly number[], what: string): number {
  if (values.length < 2)
    throw unsupported(
      'grid-single',
      `The file has fewer than two ${what}, so that the size of a cell is unknown.`,
    );
  const step = (values.at(-1)! - values[0]!) / (values.length - 1);
  const isRegular = values.every(
    (value, i) => Math.abs(value - (values[0]! + i * step)) < ROUNDING_DEG + 0.005 * Math.abs(step),
  );
  if (!isRegular || step === 0 || !Number.isFinite(step))
    throw unsupported(
      'grid-irregular',
      `The ${what} of the file are not at equal steps; warp it to a regular grid first.`,
    );
  return step;
}
