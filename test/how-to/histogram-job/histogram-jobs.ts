import { cancelled } from '../../../src/errors.ts';
import type { JobHandlers, JobType } from '../../../src/pool/index.ts';

/** The input of the job that counts values. */
export interface HistogramJob {
  /** Shared, so that pixels are not copied to the thread. */
  readonly values: Float32Array<SharedArrayBuffer>;
  readonly min: number;
  readonly max: number;
  readonly bins: number;
}

/** The jobs of histograms: what each is given, and what it gives. */
export type HistogramJobs = { histogram: JobType<HistogramJob, readonly number[]> };

/** The handlers of these jobs, for a thread. */
export const histogramJobs = {
  histogram({ values, min, max, bins }, context) {
    const counts = new Array<number>(bins).fill(0);
    for (const [i, value] of values.entries()) {
      // A loop without awaits sees nothing of an abort signal.
      if (i % 65_536 === 0 && context.cancelled())
        throw cancelled('stopped', 'No one waits for the histogram.');
      const bin = Math.floor(((value - min) / (max - min)) * bins);
      if (bin >= 0 && bin < bins) counts[bin] = (counts[bin] as number) + 1;
    }
    return counts;
  },
} satisfies JobHandlers<HistogramJobs>;
