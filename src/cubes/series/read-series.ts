import { notFound, tooLarge } from '../../errors.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { WeightedCell } from '../grid/weigh-cells.ts';
import { weighCells } from '../grid/weigh-cells.ts';
import { CHUNK_STEPS } from '../store/chunk.ts';
import type { StepHours } from '../store/cube.ts';
import { toChunkKey } from '../store/cube-state.ts';
import type { Cubes, OpenedCube } from '../store/cubes.ts';

/** What to read of a cube. */
export interface SeriesRequest {
  readonly variable: string;
  readonly where: AreaGeometry | PointGeometry;
  /** Steps from 1970, both included. */
  readonly firstStep: number;
  readonly lastStep: number;
}

/** Values over time of the cells of an area or a point. */
export interface Series {
  readonly cube: string;
  readonly stepHours: StepHours;
  readonly firstStep: number;
  readonly stepCount: number;
  /** True when the cells are those around a middle, and only their weighted mean has a meaning. */
  readonly isInterpolated: boolean;
  /** Empty outside of the grid. */
  readonly cells: readonly WeightedCell[];
  /** Cell after cell, each with all its steps; NaN is a gap. */
  readonly values: Float32Array;
  /** Weighted mean of the cells that have a value, by step; NaN where none has. */
  readonly means: Float64Array;
}

/** Values of one request, 64 MB: the area of a country for a year at a tenth of a degree. */
const MAX_VALUES = 2 ** 24;
/** Chunks that are read at the same time. */
const AT_ONCE = 8;

/** Cells of a cube to be read. */
interface CellsRequest {
  readonly variable: string;
  readonly cells: readonly Pick<WeightedCell, 'column' | 'row'>[];
  /** Steps from 1970, both included. */
  readonly firstStep: number;
  readonly lastStep: number;
}

/** Reads values of cells over time: cell after cell, each with all its steps; NaN is a gap. */
export function readCells(cubes: Cubes, cube: string, request: CellsRequest): Promise<Float32Array> {
  return cubes.withState(cube, async (opened) => {
    const stepCount = Math.max(0, request.lastStep - request.firstStep + 1);
    const values = new Float32Array(request.cells.length * stepCount).fill(Number.NaN);
    if (opened.state.variables.has(request.variable))
      await fill(opened, request, { ...request, values, stepCount });
    return values;
  });
}

/** Reads values of a variable over time, and their mean over the area. */
export function readSeries(cubes: Cubes, cube: string, request: SeriesRequest): Promise<Series> {
  return cubes.withState(cube, async (opened) => {
    const { variable, where, firstStep, lastStep } = request;
    const { grid, stepHours } = opened.state;
    if (!opened.state.variables.has(variable))
      throw notFound('unknown-variable', `The data cube ${cube} has no variable ${variable}.`);
    const { isInterpolated, cells } = weighCells(grid, where);
    const stepCount = Math.max(0, lastStep - firstStep + 1);
    if (cells.length * stepCount > MAX_VALUES)
      throw tooLarge(
        'series-too-large',
        `The area has ${cells.length} cells and ${stepCount} steps of time; at most ${MAX_VALUES} values are read at once.`,
      );
    const values = new Float32Array(cells.length * stepCount).fill(Number.NaN);
    await fill(opened, request, { cells, values, stepCount });
    const means = toMeans(cells, values, stepCount);
    return { cube, stepHours, firstStep, stepCount, isInterpolated, cells, values, means };
  });
}

interface Target {
  readonly cells: readonly Pick<WeightedCell, 'column' | 'row'>[];
  readonly values: Float32Array;
  readonly stepCount: number;
}

async function fill(
  { state, readChunk }: OpenedCube,
  { variable, firstStep, lastStep }: Omit<SeriesRequest, 'where'>,
  { cells, values, stepCount }: Target,
): Promise<void> {
  const { chunkSide } = state;
  const { chunks } = state.variables.get(variable)!;
  const toChunk = (position: number): number => Math.floor(position / chunkSide);
  const byChunk = Map.groupBy(cells.keys(), (i) => `${toChunk(cells[i]!.row)}/${toChunk(cells[i]!.column)}`);
  const waiting = (function* () {
    const last = Math.floor(lastStep / CHUNK_STEPS);
    for (const indices of byChunk.values()) {
      const { row, column } = cells[indices[0]!]!;
      for (let time = Math.floor(firstStep / CHUNK_STEPS); time <= last; time++) {
        const range = chunks.get(toChunkKey(toChunk(row), toChunk(column), time));
        if (range !== undefined) yield { indices, time, range };
      }
    }
  })();
  const work = async (): Promise<void> => {
    for (const { indices, time, range } of waiting) {
      const chunk = await readChunk(range);
      const start = time * CHUNK_STEPS;
      const [from, to] = [Math.max(firstStep, start), Math.min(lastStep + 1, start + CHUNK_STEPS)];
      for (const i of indices) {
        const { row, column } = cells[i]!;
        const cell = (row % chunkSide) * chunkSide + (column % chunkSide);
        const offset = cell * CHUNK_STEPS - start;
        values.set(chunk.subarray(offset + from, offset + to), i * stepCount + from - firstStep);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function toMeans(cells: readonly WeightedCell[], values: Float32Array, stepCount: number): Float64Array {
  const sums = new Float64Array(stepCount);
  const weights = new Float64Array(stepCount);
  for (const [i, { weight }] of cells.entries()) {
    for (let step = 0; step < stepCount; step++) {
      const value = values[i * stepCount + step]!;
      if (Number.isNaN(value)) continue;
      sums[step]! += weight * value;
      weights[step]! += weight;
    }
  }
  // 0 / 0 is NaN, which is the gap that is wanted.
  return sums.map((sum, step) => sum / weights[step]!);
}
