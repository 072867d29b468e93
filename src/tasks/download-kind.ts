import type { DownloadKind, Downloads } from '../exports/index.ts';
import type { BlobStore } from '../objects/index.ts';
import type { TaskKind } from './task-kind.ts';

interface DownloadDeps {
  readonly kind: DownloadKind;
  readonly downloads: Downloads;
  readonly blobs: Pick<BlobStore, 'stage' | 'remove' | 'identify'>;
}

/** The longest time of one job on a pixel thread; a file takes as many jobs as it needs. */
const JOB_TIMEOUT_MS = 120_000;

/** Tasks that make a file of a scene. It is written next to the results, synced, and then published in one step. */
export const makeDownloadKind = ({ kind, downloads, blobs }: DownloadDeps): TaskKind => ({
  async run({ owner, order, area }, { storeKey, signal, reportProgress }) {
    const planned = await downloads.plan(kind, downloads.fromStored({ order, area }));
    const { fileName, contentType, blocks: total } = planned;
    const staged = await blobs.stage(storeKey);
    try {
      reportProgress({ done: 0, total });
      await planned.write(staged.path, {
        ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
        onProgress: (done) => reportProgress({ done, total }),
      });
      signal.throwIfAborted();
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName, contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});
