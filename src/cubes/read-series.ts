import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import type { StepHours } from './cube.ts';
import { CHUNK_STEPS, toChunkKey } from './cube.ts';
import type { WeightedCell } from './cube-grid.ts';
import { weighCells } from './cube-grid.ts';
import type { Cubes, OpenedCube } from './cubes.ts';
import { notFound, tooLarge } from './errors.ts';

/** What to read of a cube. */
interface SeriesRequest {
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
/** More cells of an area are read from whole chunks: they would only push each other out of the cache of cells. */
const FEW_CELLS = 16;

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
    let means: Float64Array | null = null;
    return {
      cube,
      stepHours,
      firstStep,
      stepCount,
      isInterpolated,
      cells,
      values,
      // Days of hours are gathered from the values, and need no means.
      get means() {
        means ??= toMeans(cells, values, stepCount);
        return means;
      },
    };
  });
}

interface Target {
  readonly cells: readonly Pick<WeightedCell, 'column' | 'row'>[];
  readonly values: Float32Array;
  readonly stepCount: number;
}

async function fill(
  { state, readChunk, readCells: readFew }: OpenedCube,
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
  const readPlaces: OpenedCube['readCells'] = async (range, places) => {
    if (cells.length <= FEW_CELLS) return readFew(range, places);
    const chunk = await readChunk(range);
    return places.map((cell) => chunk.subarray(cell * CHUNK_STEPS, (cell + 1) * CHUNK_STEPS));
  };
  const work = async (): Promise<void> => {
    for (const { indices, time, range } of waiting) {
      const places = indices.map(
        (i) => (cells[i]!.row % chunkSide) * chunkSide + (cells[i]!.column % chunkSide),
      );
      const series = await readPlaces(range, places);
      const start = time * CHUNK_STEPS;
      const [from, to] = [Math.max(firstStep, start), Math.min(lastStep + 1, start + CHUNK_STEPS)];
      for (const [k, i] of indices.entries())
        values.set(series[k]!.subarray(from - start, to - start), i * stepCount + from - firstStep);
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

/** What to read of a cube. */
interface FieldsRequest {
  readonly variable: string;
  /** Steps from 1970, all within one chunk of time or two. */
  readonly steps: readonly number[];
}

/**
 * Reads whole fields, row by row from the north, NaN where there is a gap; null without the variable or the cube. Each
 * takes all chunks of its time: this is for the few fields that an ingest must look at again, not for requests.
 */
export async function readFields(
  cubes: Cubes,
  cube: string,
  { variable, steps }: FieldsRequest,
): Promise<readonly Float32Array[] | null> {
  if ((await cubes.find(cube)) === null) return null;
  return cubes.withState(cube, async ({ state, readChunk }) => {
    const chunks = state.variables.get(variable)?.chunks;
    if (chunks === undefined) return null;
    const { grid, chunkSide } = state;
    const { width, height } = grid;
    const fields = steps.map(() => new Float32Array(width * height).fill(Number.NaN));
    for (const time of new Set(steps.map((step) => Math.floor(step / CHUNK_STEPS)))) {
      for (let top = 0; top < height; top += chunkSide) {
        for (let left = 0; left < width; left += chunkSide) {
          const range = chunks.get(toChunkKey(top / chunkSide, left / chunkSide, time));
          if (range === undefined) continue;
          const chunk = await readChunk(range);
          for (const [i, step] of steps.entries()) {
            const at = step - time * CHUNK_STEPS;
            if (at < 0 || at >= CHUNK_STEPS) continue;
            const field = fields[i]!;
            for (let y = top; y < Math.min(top + chunkSide, height); y++)
              for (let x = left; x < Math.min(left + chunkSide, width); x++)
                field[y * width + x] = chunk[((y - top) * chunkSide + (x - left)) * CHUNK_STEPS + at]!;
          }
        }
      }
    }
    return fields;
  });
}
