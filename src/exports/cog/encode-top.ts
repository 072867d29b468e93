import { cancelled } from '../../errors.ts';
import type { EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import { encodeCogTop, transferOf } from '../../formats/cog/index.ts';
import type { JobContext, JobHandlers, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { runPatiently, withTransfer } from '../../pool/index.ts';
import type { PixelArray } from '../../raster/index.ts';

/** The levels above the parts of a COG, and the pixels that they are made of. */
interface TopJob {
  readonly cog: Pick<PartedCog, 'plan' | 'topLevel'>;
  /** In shared memory. */
  readonly top: readonly PixelArray[];
}

/** The job that encodes the upper levels of any exported COG. */
export type TopJobs = { 'export-top': JobType<TopJob, EncodedBlocks> };

/** The handler of that job, for a thread. */
export const topJobs: JobHandlers<TopJobs> = {
  'export-top'({ cog, top }, context) {
    const blocks = encodeCogTop(cog, top, makeCheckWanted(context));
    return withTransfer(blocks, transferOf(blocks));
  },
};

/** The check between strips of a job: throws when no one waits for the file any more. */
export const makeCheckWanted = (context: Pick<JobContext, 'cancelled'>) => (): void => {
  if (context.cancelled())
    throw cancelled('cancelled', 'The work was stopped: no one waits for it any more.');
};

/** Builds the `encodeTop` of `writeCog`. */
export function makeEncodeTop(pool: JobRunner<TopJobs>, { plan, topLevel }: PartedCog, ticket: Ticket) {
  return async (top: readonly PixelArray[], signal: AbortSignal): Promise<EncodedBlocks> => {
    // strips and encoded blocks of a quarter of these pixels; the pixels themselves are there already
    const bytes = top.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return runPatiently(pool, 'export-top', { cog: { plan, topLevel }, top }, { ...ticket, bytes, signal });
  };
}
