import { timedOut } from '../../errors.ts';
import type { JobRunner, JobTable, JobTicket } from '../../pool/index.ts';
import { isRemoteHref } from '../../storage/index.ts';
import type { WindowRequest } from '../band-file.ts';
import type { NetworkThread } from './network-thread.ts';

/** Lists the windows that each kind of job will read, from its input; kinds that are left out read nothing. */
export type JobReads<Jobs extends JobTable> = {
  readonly [Kind in keyof Jobs]?: (input: Jobs[Kind]['input']) => readonly WindowRequest[];
};

interface FetchOptions<Jobs extends JobTable> {
  readonly network: Pick<NetworkThread, 'fetch'>;
  readonly reads: JobReads<Jobs>;
  /** Which addresses are worth it; those of the network by default. */
  readonly isFetched?: (href: string) => boolean;
}

/**
 * Lets jobs that read remote files wait for their bytes before they take a thread: on it they then only compute. Jobs
 * that read none go straight to the pool.
 */
export function withFetch<Jobs extends JobTable>(
  pool: JobRunner<Jobs>,
  { network, reads, isFetched = isRemoteHref }: FetchOptions<Jobs>,
): JobRunner<Jobs> {
  return {
    async run(kind, input, ticket) {
      const windows = reads[kind]?.(input).filter(({ href }) => isFetched(href)) ?? [];
      if (windows.length === 0) return pool.run(kind, input, ticket);
      const startedAt = performance.now();
      const { owner, lane } = ticket;
      const release = await withinTime(ticket, (signal) => network.fetch({ windows, owner, lane }, signal));
      try {
        const fetchedMs = performance.now() - startedAt;
        return { ...(await pool.run(kind, input, ticket)), fetchedMs };
      } finally {
        release();
      }
    },
  };
}

/** The bytes may take as long to come as the job may run. */
async function withinTime<Result>(
  { signal, timeoutMs }: JobTicket,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!late.signal.aborted || signal?.aborted) throw error;
    throw timedOut('source-timed-out', 'A store of this scene took too long to answer.');
  } finally {
    clearTimeout(timer);
  }
}
