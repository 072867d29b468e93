import type { Kernels } from '../raster/index.ts';
import { FEW_VALUES } from '../zonal/measuring.ts';
import { NUMBERS } from './scene-numbers.ts';
import type { WindowJob, WindowPixels } from './window-job.ts';
import { countRuns, makeShapeMemory, maxOf, putJobs } from './window-job.ts';

/** Shapes that lie wholly in a window, and where their numbers go. */
interface ClosedShapes {
  readonly job: WindowJob;
  readonly pixels: WindowPixels;
  readonly closed: Uint32Array;
  /** By shape, then by expression. */
  readonly numbers: Float64Array;
}

const CLOUD = NUMBERS.indexOf('cloudPx');

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
  const most = {
    maxPx: Math.min(
      FEW_VALUES,
      maxOf(closed, (shape) => covered.pixels[shape] as number),
    ),
    maxRuns: maxOf(closed, (shape) => countRuns(covered, shape)),
  };
  const jobs = putJobs(job, { ...pixels, channels }, { ...most, kernels });
  const memory = makeShapeMemory(covered, most, { kernels, allocate });
  const outAt = allocate(8 * NUMBERS.length);
  const out = new Float64Array(kernels.buffer(), outAt, NUMBERS.length);
  const marksClouds = job.piece.masks.some(({ means }) => means !== 'no-data');
  const measured = new Uint8Array(closed.length);
  for (let i = 0; i < closed.length; i += 1) {
    const shape = closed[i] as number;
    if ((covered.pixels[shape] as number) > FEW_VALUES) continue;
    const firstWeight = memory.put(shape);
    const runCount = countRuns(covered, shape);
    measured[i] = 1;
    for (let expression = 0; expression < expressions; expression += 1) {
      out.fill(NaN);
      const jobAt = jobs.toAddress(expression);
      const count =
        job.weights === 'centres'
          ? kernels.run.measureRuns(jobAt, memory.runsAt, runCount, outAt)
          : kernels.run.measureShares(jobAt, memory.runsAt, runCount, memory.weightsAt, firstWeight, outAt);
      if (count < 0) measured[i] = 0;
      if (!marksClouds) out[CLOUD] = NaN;
      numbers.set(out, (i * expressions + expression) * NUMBERS.length);
    }
  }
  return measured;
}
