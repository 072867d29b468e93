import type { Kernels, ResultPlane } from '../raster/index.ts';
import { FEW_VALUES, fewWorkBytes } from '../zonal/measuring.ts';
import type { WindowPixels } from './collect-members.ts';
import { countRuns, maxOf } from './collect-members.ts';
import { RUN } from './cover-shapes.ts';
import { NUMBERS } from './scene-numbers.ts';
import type { WindowJob } from './window-job.ts';

/** Shapes that lie wholly in a window, and where their numbers go. */
interface ClosedShapes {
  readonly job: WindowJob;
  readonly pixels: WindowPixels;
  readonly closed: Uint32Array;
  /** By shape, then by expression. */
  readonly numbers: Float64Array;
}

/** Fields of a job of kernels/measure-runs.ts. */
const JOB_FIELDS = 10;
const RUN_BYTES = 4 * RUN;
/** Bytes after the values that `summarizeFew` reads. */
const ROOM_BYTES = 64;
const CLOUD = NUMBERS.indexOf('cloudPx');

/**
 * Measures shapes by the centres of pixels, each with one call of a kernel: objects for every shape would take longer than
 * its pixels. Says of each shape whether it was measured; null if the window has no data. The others are too large for the
 * kernel, or their values span too many powers of two.
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
    measured[i] = 1;
    for (let expression = 0; expression < expressions; expression += 1) {
      out.fill(NaN);
      const jobAt = jobsAt + 4 * JOB_FIELDS * expression;
      if (kernels.run.measureRuns(jobAt, runsAt, until - from, outAt) < 0) measured[i] = 0;
      if (!marksClouds) out[CLOUD] = NaN;
      numbers.set(out, (i * expressions + expression) * NUMBERS.length);
    }
  }
  return measured;
}

/** Writes the jobs of all expressions, which differ by their planes only; gives their address. */
function putJobs(
  { covered, window, expressions }: WindowJob,
  { channels, flagsAt, allocate }: WindowPixels & { readonly channels: readonly ResultPlane[] },
  { closed, kernels }: { readonly closed: Uint32Array; readonly kernels: Kernels },
): number {
  const pixels = Math.min(
    FEW_VALUES,
    maxOf(closed, (shape) => covered.pixels[shape] as number),
  );
  const spansAt = allocate(8 * maxOf(closed, (shape) => countRuns(covered, shape)));
  // The kernel writes a value before it knows whether it counts.
  const collectedAt = allocate(4 * (pixels + 1) + ROOM_BYTES);
  const workAt = allocate(fewWorkBytes(pixels));
  const jobsAt = allocate(4 * JOB_FIELDS * expressions);
  const { x, y, width, height } = window;
  for (const [i, { valuesAt, maskAt }] of channels.entries()) {
    new Uint32Array(kernels.buffer(), jobsAt + 4 * JOB_FIELDS * i, JOB_FIELDS).set([
      ...[valuesAt, maskAt, flagsAt],
      ...[x, y, width, height],
      ...[spansAt, collectedAt, workAt],
    ]);
  }
  return jobsAt;
}
