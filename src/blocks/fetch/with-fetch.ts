import { isSwathError } from '../../errors.ts';
import type {
  JobContext,
  JobFigures,
  JobHandlers,
  JobRunner,
  JobTable,
  JobTicket,
  JobType,
} from '../../pool/index.ts';
import type { PieceSink } from '../../raster/index.ts';
import { SCENE_FILES } from '../../sources/index.ts';
import { timedOut } from '../errors.ts';
import type { WindowRequest } from '../image-files.ts';
import { isRemoteHref } from '../image-files.ts';
import type { ReadWindow } from '../read-window.ts';
import type { NetworkThread } from './network-thread.ts';
import type { Offer } from './offers.ts';

/** Lists the windows that each kind of job will read, from its input; kinds that are left out read nothing. */
export type JobReads<Jobs extends JobTable> = {
  readonly [Kind in keyof Jobs]?: (input: Jobs[Kind]['input']) => readonly WindowRequest[];
};

interface FetchOptions<Jobs extends JobTable> {
  readonly network: Pick<NetworkThread, 'fetch'>;
  readonly reads: JobReads<Jobs>;
  /** Which addresses are fetched; remote ones by default. */
  readonly isFetched?: (href: string) => boolean;
  /** The number of idle threads; without it one thread decodes all blocks of a job. */
  readonly countIdle?: () => number;
}

/** Decoding for a job. */
interface Help {
  readonly ticket: JobTicket;
  readonly offer: Offer;
  /** Aborted when the job is over. */
  readonly helping: AbortController;
}

/**
 * Lets jobs that read remote files wait for their bytes before they take a thread: on it they then only compute. Jobs
 * that read none go straight to the pool. A thread that would be idle helps with decoding.
 */
export function withFetch<Jobs extends JobTable>(
  pool: JobRunner<Jobs & DecodeJobs>,
  { network, reads, isFetched = isRemoteHref, countIdle = () => 0 }: FetchOptions<Jobs>,
): JobRunner<Jobs> {
  return {
    async run(kind, input, ticket) {
      const windows = reads[kind]?.(input).filter(({ href }) => isFetched(href)) ?? [];
      if (windows.length === 0) return pool.run(kind, input, ticket);
      const startedAt = performance.now();
      const { owner, lane } = ticket;
      const helping = new AbortController();
      const usePart = (part: Offer): void => decodePart(windows, { ticket, offer: part, helping });
      // Without an idle thread no one would decode the parts.
      const onPart = windows.length > 1 && countIdle() > 0 ? usePart : undefined;
      const endFetch = ticket.onFetch?.();
      const fetching = withinTime(ticket, (signal) =>
        network.fetch({ windows, owner, lane }, signal, onPart),
      );
      const { offer, release } = await fetching
        .catch((error: unknown) => {
          helping.abort();
          throw error;
        })
        .finally(endFetch);
      const fetchedMs = performance.now() - startedAt;
      let isFailed = false;
      try {
        const fetched = (figures?: JobFigures) => ({
          fetchedMs,
          figures: { ...figures, fetchedBytes: offer?.broughtBytes ?? 0 },
        });
        const result = pool.run(kind, input, {
          ...ticket,
          attachment: offer,
          onJob: (report) => ticket.onJob?.({ ...report, ...fetched(report.figures) }),
        });
        // The job has its thread by now if there is one.
        if (offer !== null) help(windows, { ticket, offer, helping });
        const done = await result;
        return { ...done, ...fetched(done.figures) };
      } catch (error) {
        // The fetched bytes may be the reason.
        isFailed = isSwathError(error) && error.tag === 'source-broken';
        throw error;
      } finally {
        helping.abort();
        release(isFailed);
      }
    },
  };

  /** Lets an idle thread decode complete files while others are still being read. */
  function decodePart(windows: readonly WindowRequest[], { ticket, offer, helping }: Help): void {
    if (helping.signal.aborted || countIdle() < 1) return;
    const hrefs = new Set(offer.files.map(({ href }) => href));
    const own = windows.filter(({ href }) => hrefs.has(href));
    decode(own, { ticket, offer, helping });
  }

  function decode(windows: readonly WindowRequest[], { ticket, offer, helping }: Help): void {
    const { owner, lane, timeoutMs } = ticket;
    const { signal } = helping;
    const job = { owner, lane, timeoutMs, bytes: HELP_BYTES, attachment: offer, signal, isUncounted: true };
    // The job meets and reports the same failures; a refusal only means that no thread is idle any more.
    pool.run('decode-blocks', windows, job).catch(() => {});
  }

  /** Idle threads decode from the last block on, while the job begins with the first; each block is decoded once. */
  function help(windows: readonly WindowRequest[], { ticket, offer, helping }: Help): void {
    // The first range of a file is its header.
    const blocks = offer.files.reduce((sum, { ranges }) => sum + ranges.length - 1, 0);
    const helpers = Math.min(countIdle(), MAX_HELPERS, blocks - 1);
    for (let i = 0; i < helpers; i += 1) decode(windows.toReversed(), { ticket, offer, helping });
  }
}

/** More would wait for each other: a tile of three bands has a dozen blocks. */
const MAX_HELPERS = 3;
/** Blocks on their way into the cache. */
const HELP_BYTES = 16 * 2 ** 20;

/** Fetching may take as long as the job may run. */
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
    throw timedOut.about('source-timed-out', '{server} took too long to answer.', { subject: SCENE_FILES });
  } finally {
    clearTimeout(timer);
  }
}

/** The job of decoding blocks into the cache of all threads, for another job that is about to read them. */
export type DecodeJobs = { 'decode-blocks': JobType<readonly WindowRequest[], null> };

/** Discards pixels: decoding only fills the cache. */
const nowhere: PieceSink = { begin: () => {}, add: () => {} };

/** The handler of decoding, for a thread of the pool. */
export const makeDecodeJobs = ({
  readWindow,
}: {
  readonly readWindow: ReadWindow;
}): JobHandlers<DecodeJobs> => ({
  async 'decode-blocks'(windows, { signal }: JobContext) {
    for (const window of windows) await readWindow(window, nowhere, signal, { isHelp: true });
    return null;
  },
});
