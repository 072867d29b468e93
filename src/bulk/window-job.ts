import type { Allocate, Kernels, PixelWindow, ResultPlane } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import { fewWorkBytes } from '../zonal/measuring.ts';
import type { CoveredShapes, Weights } from './cover-shapes.ts';
import { weightedWorkBytes } from './measure-weighted.ts';
import { RUN } from './run-list.ts';

/** The input of the job that measures shapes in a window of a scene. */
export interface WindowJob {
  readonly piece: MeasuredPiece;
  /** Where the piece lies in the grid of the runs. */
  readonly window: PixelWindow;
  readonly covered: CoveredShapes;
  /** Shapes whose boxes meet the window. */
  readonly members: Uint32Array;
  readonly expressions: number;
  readonly weights: Weights;
}

/** The pixels of a window in the kernels' memory; without channels it has no data. */
export interface WindowPixels {
  readonly channels: readonly ResultPlane[] | null;
  readonly flagsAt: number;
  readonly allocate: Allocate;
}

/** The largest of the sizes of shapes. */
export const maxOf = (shapes: Uint32Array, sizeOf: (shape: number) => number): number => {
  let max = 0;
  for (const shape of shapes) max = Math.max(max, sizeOf(shape));
  return max;
};

/** How many runs a shape has. */
export const countRuns = ({ runEnds }: CoveredShapes, shape: number): number =>
  (runEnds[shape] as number) - (runEnds[shape - 1] ?? 0);

/** Fields of a job of kernels/measure-runs.ts and kernels/measure-shares.ts. */
const JOB_FIELDS = 11;
/** Bytes after the values that `summarizeFew` reads. */
const ROOM_BYTES = 64;

/** Jobs of kernels, one for each expression, and the work memory that they share. */
export interface KernelJobs {
  toAddress(expression: number): number;
  readonly collectedAt: number;
  readonly collectedWeightsAt: number;
  readonly workAt: number;
}

/** Writes the jobs of all expressions, which differ by their planes only, for shapes of up to so many pixels and runs. */
export function putJobs(
  { window, weights }: Pick<WindowJob, 'window' | 'weights'>,
  { channels, flagsAt, allocate }: WindowPixels & { readonly channels: readonly ResultPlane[] },
  {
    maxPx,
    maxRuns,
    kernels,
  }: { readonly maxPx: number; readonly maxRuns: number; readonly kernels: Kernels },
): KernelJobs {
  const isWeighted = weights === 'fractions';
  const spansAt = allocate(isWeighted ? 0 : 8 * maxRuns);
  // The kernel writes a value before it knows whether it counts.
  const collectedAt = allocate(4 * (maxPx + 1) + ROOM_BYTES);
  const collectedWeightsAt = allocate(isWeighted ? 4 * maxPx : 0);
  const workAt = allocate(isWeighted ? weightedWorkBytes(maxPx) : fewWorkBytes(maxPx));
  const jobsAt = allocate(4 * JOB_FIELDS * channels.length);
  const { x, y, width, height } = window;
  for (const [i, { valuesAt, maskAt }] of channels.entries()) {
    new Uint32Array(kernels.buffer(), jobsAt + 4 * JOB_FIELDS * i, JOB_FIELDS).set([
      ...[valuesAt, maskAt, flagsAt],
      ...[x, y, width, height],
      ...[spansAt, collectedAt, workAt, collectedWeightsAt],
    ]);
  }
  const toAddress = (expression: number): number => jobsAt + 4 * JOB_FIELDS * expression;
  return { toAddress, collectedAt, collectedWeightsAt, workAt };
}

/** Memory of the kernels for the runs and the weights of one shape after the other. */
export interface ShapeMemory {
  readonly runsAt: number;
  readonly weightsAt: number;
  /** Copies a shape; gives the number of its first weight, 0 if it has none. */
  put(shape: number): number;
}

/** Makes it for shapes of up to so many pixels and runs. */
export function makeShapeMemory(
  { runs, runEnds, weights }: CoveredShapes,
  { maxPx, maxRuns }: { readonly maxPx: number; readonly maxRuns: number },
  { kernels, allocate }: { readonly kernels: Kernels; readonly allocate: Allocate },
): ShapeMemory {
  const runsAt = allocate(4 * RUN * maxRuns);
  const weightsAt = allocate(weights.length === 0 ? 0 : 4 * maxPx);
  let buffer: ArrayBufferLike | null = null;
  let ownRuns = new Uint32Array(0);
  let ownWeights = new Float32Array(0);
  return {
    runsAt,
    weightsAt,
    put(shape) {
      // Memory that grows has a new buffer.
      if (buffer !== kernels.buffer()) {
        buffer = kernels.buffer();
        ownRuns = new Uint32Array(kernels.buffer(), runsAt, RUN * maxRuns);
        ownWeights = new Float32Array(kernels.buffer(), weightsAt, weights.length === 0 ? 0 : maxPx);
      }
      const [from, until] = [RUN * (runEnds[shape - 1] ?? 0), RUN * (runEnds[shape] as number)];
      ownRuns.set(runs.subarray(from, until));
      if (weights.length === 0) return 0;
      // The weights of a shape lie next to each other.
      let [first, end] = [0, 0];
      for (let at = from; at < until; at += RUN) {
        const own = runs[at + 3] as number;
        if (own === 0) continue;
        if (first === 0) first = own;
        end = own + (runs[at + 2] as number) - (runs[at + 1] as number);
      }
      if (first > 0) ownWeights.set(weights.subarray(first - 1, end - 1));
      return first;
    },
  };
}
