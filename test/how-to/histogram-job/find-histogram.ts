import type { JobRunner, Ticket } from '../../../src/pool/index.ts';
import type { HistogramJob, HistogramJobs } from './histogram-jobs.ts';

/** Counts values on a thread. */
export type FindHistogram = (input: HistogramJob, ticket: Ticket) => Promise<readonly number[]>;

/** Builds the counting of values: decided here, computed on the pool. */
export const makeFindHistogram =
  ({ pool }: { readonly pool: JobRunner<HistogramJobs> }): FindHistogram =>
  async (input, ticket) => {
    const bytes = input.values.byteLength + input.bins * 8;
    return (await pool.run('histogram', input, { ...ticket, bytes })).output;
  };
