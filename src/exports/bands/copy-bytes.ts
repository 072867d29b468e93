import { sourceBroken } from '../../errors.ts';
import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { JobContext } from '../../pool/index.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';

/** Ranges of files that are copied one after the other. */
export interface CopyJob {
  readonly sources: readonly Pick<StoredBytes, 'href' | 'version'>[];
  /** Of each range: the index of its source, where it begins and how long it is. Empty ranges leave nothing. */
  readonly source: Uint16Array;
  readonly offset: Float64Array;
  readonly size: Uint32Array;
  /** Bytes around each range in which a COG repeats its size and its end; 0 or 4. */
  readonly frameBytes: 0 | 4;
}

/** The bytes that a job gives. */
export const countCopied = ({ size, frameBytes }: Pick<CopyJob, 'size' | 'frameBytes'>): number =>
  size.reduce((sum, bytes) => sum + (bytes === 0 ? 0 : bytes + 2 * frameBytes), 0);

async function readRange(source: ByteSource, target: Uint8Array, offset: number, signal: AbortSignal) {
  if (source.readInto !== undefined) return source.readInto(target, offset, signal);
  target.set(await source.read(offset, target.length, signal));
}

async function openAll(sources: CopyJob['sources'], open: OpenSource, signal: AbortSignal) {
  const opened = await Promise.allSettled(sources.map(({ href }) => open(href, signal)));
  const close = async () => {
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  };
  try {
    const files = opened.map((one, i) => {
      if (one.status === 'rejected') throw one.reason;
      if (one.value.version === sources[i]!.version) return one.value;
      throw sourceBroken('source-changed', 'A file of this scene was replaced.');
    });
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Copies ranges of files into memory. */
export type CopyBytes = (
  job: CopyJob,
  context: Pick<JobContext, 'signal'>,
) => Promise<Uint8Array<ArrayBuffer>>;

/** Builds the copying of ranges of files. */
export function makeCopyBytes({ open }: { readonly open: OpenSource }): CopyBytes {
  return async (job, { signal }) => {
    const { sources, source, offset, size, frameBytes } = job;
    const out = new Uint8Array(countCopied(job));
    const view = new DataView(out.buffer);
    const { files, close } = await openAll(sources, open, signal);
    try {
      const reads: Promise<void>[] = [];
      let at = 0;
      // All at once: a remote source merges reads that are close together, a local one takes turns.
      size.forEach((bytes, i) => {
        if (bytes === 0) return;
        const target = out.subarray(at + frameBytes, at + frameBytes + bytes);
        reads.push(readRange(files[source[i]!]!, target, offset[i]!, signal));
        if (frameBytes > 0) view.setUint32(at, bytes, true);
        at += bytes + 2 * frameBytes;
      });
      await Promise.all(reads);
      if (frameBytes > 0) closeFrames(out, size, frameBytes);
      return out;
    } finally {
      await close();
    }
  };
}

/** Repeats the last bytes of each range after it. */
function closeFrames(out: Uint8Array, sizes: Uint32Array, frameBytes: number): void {
  let at = 0;
  for (const bytes of sizes) {
    if (bytes === 0) continue;
    const end = at + frameBytes + bytes;
    out.copyWithin(end, end - frameBytes, end);
    at = end + frameBytes;
  }
}
