import type { JobContext, JobHandlers, JobType } from '../../pool/index.ts';
import type { PieceSink } from '../../raster/index.ts';
import type { WindowRequest } from '../band-file.ts';
import type { ReadWindow } from '../read-window.ts';

/** The job of decoding blocks into the cache of all threads, for another job that is about to read them. */
export type DecodeJobs = { 'decode-blocks': JobType<readonly WindowRequest[], null> };

/** The pixels are for the cache alone. */
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
