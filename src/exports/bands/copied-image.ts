import { workInOrder } from '../../async/index.ts';
import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { CopiedBlocks, CopiedCog } from '../../formats/cog/index.ts';
import type { JobContext, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';
import { sourceBroken } from '../errors.ts';
import type { ExportRun } from '../export.ts';
import type { PlannedImage } from './planned-image.ts';

/** Where the blocks of a band are: in its file, and those of overviews perhaps in a sidecar. */
interface BandBytes {
  readonly image: StoredBytes;
  readonly overviews: StoredBytes | null;
}

/** A COG of copied blocks. */
export function toCopiedImage(
  { layout, blocks }: CopiedCog,
  bands: readonly BandBytes[],
  pool: JobRunner<CopyJobs>,
): PlannedImage {
  return {
    extension: 'TIF',
    estimatedBytes: layout.fileBytes,
    blocks: blocks.size.length,
    content: {
      kind: 'streamed',
      bytes: layout.fileBytes,
      async *chunks(run) {
        yield layout.head;
        yield* runCopyJobs(toCopyJobs(blocks, bands), pool, run);
      },
    },
  };
}

/** A file as it was delivered, byte for byte. */
export function toOriginalImage(
  file: StoredBytes,
  extension: PlannedImage['extension'],
  pool: JobRunner<CopyJobs>,
): PlannedImage {
  return {
    extension,
    estimatedBytes: file.size,
    blocks: Math.ceil(file.size / CHUNK_BYTES),
    content: {
      kind: 'streamed',
      bytes: file.size,
      chunks: (run) => runCopyJobs(toWholeFileJobs(file), pool, run),
    },
  };
}

/** A small file as it was delivered. */
export async function readOriginal(
  file: StoredBytes,
  pool: JobRunner<CopyJobs>,
  ticket: Ticket,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of runCopyJobs(toWholeFileJobs(file), pool, { ticket, onProgress() {} })) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bytes of one job: long reads, and little memory for the few jobs that are under way. */
const CHUNK_BYTES = 8 * 2 ** 20;

/** Jobs under way: two that read, one that waits for a thread, one whose bytes are written. */
const AT_ONCE = 4;

/** Splits the blocks of a copy into jobs. */
function* toCopyJobs(blocks: CopiedBlocks, bands: readonly BandBytes[]): Generator<CopyJob> {
  const count = blocks.size.length;
  for (let start = 0, end = 0; start < count; start = end) {
    for (let bytes = 0; end < count && (end === start || bytes + blocks.size[end]! <= CHUNK_BYTES); end++) {
      bytes += blocks.size[end]!;
    }
    yield toCopyJob(blocks, bands, start, end);
  }
}

function toCopyJob(
  { band, level, offset, size }: CopiedBlocks,
  bands: readonly BandBytes[],
  start: number,
  end: number,
): CopyJob {
  const sources: StoredBytes[] = [];
  const source = Uint16Array.from({ length: end - start }, (_, i) => {
    const { image, overviews } = bands[band[start + i]!]!;
    const from = overviews !== null && level[start + i]! > 0 ? overviews : image;
    const known = sources.indexOf(from);
    return known >= 0 ? known : sources.push(from) - 1;
  });
  return {
    sources,
    source,
    // copies: a part of a larger array would take all of it to the thread
    offset: offset.slice(start, end),
    size: size.slice(start, end),
    frameBytes: 4,
  };
}

/** The ranges of a file from its beginning to its end. */
function* toWholeFileJobs(file: StoredBytes): Generator<CopyJob> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield {
      sources: [file],
      source: Uint16Array.of(0),
      offset: Float64Array.of(at),
      size: Uint32Array.of(Math.min(CHUNK_BYTES, file.size - at)),
      frameBytes: 0,
    };
  }
}

/** The job that copies ranges of files. */
export type CopyJobs = { 'export-copy': JobType<CopyJob, Uint8Array<ArrayBuffer>> };

async function* runCopyJobs(
  jobs: Iterable<CopyJob>,
  pool: JobRunner<CopyJobs>,
  { ticket, onProgress }: ExportRun,
): AsyncGenerator<Uint8Array> {
  let blocksDone = 0;
  const copied = workInOrder(jobs, { atOnce: AT_ONCE, signal: ticket.signal }, async (job, signal) => ({
    blocks: job.size.length,
    // what is read over a network is there twice for a moment
    bytes: await runPatiently(pool, 'export-copy', job, { ...ticket, signal, bytes: 2 * countCopied(job) }),
  }));
  for await (const { bytes, blocks } of copied) {
    yield bytes;
    blocksDone += blocks;
    onProgress(blocksDone);
  }
}

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
const countCopied = ({ size, frameBytes }: Pick<CopyJob, 'size' | 'frameBytes'>): number =>
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
