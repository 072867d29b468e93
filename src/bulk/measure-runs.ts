import type { Kernels, ResultPlane } from '../raster/index.ts';
import { FEW_VALUES, fewWorkBytes } from '../zonal/measuring.ts';
import type { WindowJob, WindowPixels } from './collect-members.ts';
import { countRuns, maxOf } from './collect-members.ts';
import type { CoveredShapes } from './cover-shapes.ts';
import { RUN } from './cover-shapes.ts';
import { NUMBERS } from './scene-numbers.ts';

/** Shapes that lie wholly in a window, and where their numbers go. */
interface ClosedShapes {
  readonly job: WindowJob;
  readonly pixels: WindowPixels;
  readonly closed: Uint32Array;
  /** By shape, then by expression. */
  readonly numbers: Float64Array;
}

/** Fields of a job of kernels/measure-runs.ts and kernels/measure-shares.ts. */
const JOB_FIELDS = 11;
const RUN_BYTES = 4 * RUN;
/** Bytes after the values that `summarizeFew` reads. */
const ROOM_BYTES = 64;
const CLOUD = NUMBERS.indexOf('cloudPx');

/** The work memory of `summarizeWeighted`. */
const weightedWorkBytes = (count: number): number => 32 * count + 32_768;

/**
 * Measures shapes, each with one call of a kernel: objects for every shape would take longer than its pixels. Says of
 * each shape whether it was measured; null if the window has no data. The others are too large for the kernel, or their
 * values span too many powers of two.
 */
export function measureRuns(
  { job, pixels, closed, numbers }: ClosedShapes,
  kernels: Kernels,
): Uint8Array | null {
  const { channels, allocate } = pixels;
  if (channels === null) return null;
  const { covered, expressions } = job;
  const runsAt = allocate(RUN_BYTES * maxOf(closed, (shape) => countRuns(covered, shape)));
  const outAt = allocate(8 * NUMBERS.length);
  const jobsAt = putJobs(job, { ...pixels, channels }, { closed, kernels });
  const weightsAt = allocate(job.weights === 'centres' ? 0 : 4 * maxFew(covered.pixels, closed));
  const runs = new Uint32Array(kernels.buffer(), runsAt, (outAt - runsAt) >> 2);
  const out = new Float64Array(kernels.buffer(), outAt, NUMBERS.length);
  const marksClouds = job.piece.masks.some(({ means }) => means !== 'no-data');
  const measured = new Uint8Array(closed.length);
  for (let i = 0; i < closed.length; i += 1) {
    const shape = closed[i] as number;
    const from = covered.runEnds[shape - 1] ?? 0;
    const until = covered.runEnds[shape] as number;
    if ((covered.pixels[shape] as number) > FEW_VALUES) continue;
    runs.set(covered.runs.subarray(RUN * from, RUN * until));
    const firstWeight =
      job.weights === 'centres' ? 0 : putWeights(covered, { from, until }, kernels, weightsAt);
    measured[i] = 1;
    for (let expression = 0; expression < expressions; expression += 1) {
      out.fill(NaN);
      const jobAt = jobsAt + 4 * JOB_FIELDS * expression;
      const count =
        job.weights === 'centres'
          ? kernels.run.measureRuns(jobAt, runsAt, until - from, outAt)
          : kernels.run.measureShares(jobAt, runsAt, until - from, weightsAt, firstWeight, outAt);
      if (count < 0) measured[i] = 0;
      if (!marksClouds) out[CLOUD] = NaN;
      numbers.set(out, (i * expressions + expression) * NUMBERS.length);
    }
  }
  return measured;
}

/** Writes the jobs of all expressions, which differ by their planes only; gives their address. */
function putJobs(
  { covered, window, expressions, weights }: WindowJob,
  { channels, flagsAt, allocate }: WindowPixels & { readonly channels: readonly ResultPlane[] },
  { closed, kernels }: { readonly closed: Uint32Array; readonly kernels: Kernels },
): number {
  const pixels = maxFew(covered.pixels, closed);
  const spansAt = allocate(8 * maxOf(closed, (shape) => countRuns(covered, shape)));
  // The kernel writes a value before it knows whether it counts.
  const collectedAt = allocate(4 * (pixels + 1) + ROOM_BYTES);
  const collectedWeightsAt = allocate(weights === 'centres' ? 0 : 4 * pixels);
  const workAt = allocate(weights === 'centres' ? fewWorkBytes(pixels) : weightedWorkBytes(pixels));
  const jobsAt = allocate(4 * JOB_FIELDS * expressions);
  const { x, y, width, height } = window;
  for (const [i, { valuesAt, maskAt }] of channels.entries()) {
    new Uint32Array(kernels.buffer(), jobsAt + 4 * JOB_FIELDS * i, JOB_FIELDS).set([
      ...[valuesAt, maskAt, flagsAt],
      ...[x, y, width, height],
      ...[spansAt, collectedAt, workAt, collectedWeightsAt],
    ]);
  }
  return jobsAt;
}

/** The most pixels of a shape that is measured here. */
const maxFew = (pixels: Uint32Array, shapes: Uint32Array): number =>
  Math.min(
    FEW_VALUES,
    maxOf(shapes, (shape) => pixels[shape] as number),
  );

/** Copies the weights of a shape, which lie next to each other; gives the number of the first, 0 if it has none. */
// Four parameters: the weights, those of which runs, and where to.
function putWeights(
  { runs, weights }: CoveredShapes,
  { from, until }: { readonly from: number; readonly until: number },
  kernels: Kernels,
  weightsAt: number,
): number {
  let [first, end] = [0, 0];
  for (let at = RUN * from; at < RUN * until; at += RUN) {
    const own = runs[at + 3] as number;
    if (own === 0) continue;
    if (first === 0) first = own;
    end = own + (runs[at + 2] as number) - (runs[at + 1] as number);
  }
  if (first > 0)
    new Float32Array(kernels.buffer(), weightsAt, end - first).set(weights.subarray(first - 1, end - 1));
  return first;
}
