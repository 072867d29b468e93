import { availableParallelism } from 'node:os';
import { isSwathError } from '../errors.ts';
import type { CogPart, CogResult, EncodedBlocks, PartedCog } from '../formats/cog/index.ts';
import {
  createPartedCog,
  encodeCogTop,
  makePartRoom,
  makeTopPixels,
  transferOf,
} from '../formats/cog/index.ts';
import type { FileMetadata } from '../formats/tiff/index.ts';
import type { JobContext, JobHandlers, JobRunner, JobType, Ticket } from '../pool/index.ts';
import { runPatiently, withTransfer } from '../pool/index.ts';
import type { PixelArray } from '../raster/index.ts';
import { cancelled } from './errors.ts';

/** The smallest copies of all parts, in memory that threads share; null when nothing is made of them. */
export type TopPixels = readonly PixelArray[] | null;

/**
 * Files of fewer blocks are synced once, by what publishes them. Of larger ones the disk writes a part while the rest is
 * still being put together.
 */
const SMALL_BLOCKS = 64;

/** How a COG is made of parts that threads encode. */
interface WriteCog {
  /** The final name; nothing is there until the file is complete. */
  readonly path: string;
  readonly cog: PartedCog;
  /**
   * Encodes a part on a thread, with `encodeCogPart`. The signal aborts when the part is no longer wanted. `room` is
   * shared memory for the blocks, which spares a buffer for each part.
   */
  encodePart(
    part: CogPart,
    top: TopPixels,
    signal: AbortSignal,
    room: SharedArrayBuffer,
  ): Promise<EncodedBlocks>;
  /** Encodes the levels above the parts on a thread, with `encodeCogTop`. */
  encodeTop(top: readonly PixelArray[], signal: AbortSignal): Promise<EncodedBlocks>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of blocks that are stored so far. */
  onProgress(blocksDone: number): void;
  /** What the file says about itself, called when all parts are there. */
  toMetadata?(): FileMetadata;
  /** Parts in flight at the same time: one more than cores, so that none waits while a result is written. */
  readonly atOnce?: number;
}

/** Encodes all parts, several at a time, and puts the file together; after a failure nothing is left of it. */
export async function writeCog({
  path,
  cog,
  encodePart,
  encodeTop,
  signal,
  onProgress,
  toMetadata,
  atOnce = availableParallelism() + 1,
}: WriteCog): Promise<CogResult> {
  if (signal?.aborted) throw toStopped();
  const isDurable = cog.blockCount > SMALL_BLOCKS;
  const file = createPartedCog(path, { ...cog, plan: { ...cog.plan, isDurable } });
  const stop = new AbortController();
  const onAbort = (): void => {
    stop.abort(toStopped());
    void file.abort();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  let blocksDone = 0;
  const store = async (blocks: EncodedBlocks): Promise<void> => {
    await file.add(blocks);
    giveUp(blocks);
    blocksDone += blocks.sizes.length;
    onProgress(blocksDone);
  };
  try {
    if (signal?.aborted) throw toStopped();
    const top = makeTopPixels(cog);
    const rooms: SharedArrayBuffer[] = [];
    await runBounded(cog.parts, atOnce, stop, async (part) => {
      const room = rooms.pop() ?? makePartRoom(cog);
      await store(await encodePart(part, top, stop.signal, room));
      // only after success: of a part that failed, a thread may still be writing
      rooms.push(room);
    });
    if (top !== null) await store(await encodeTop(top, stop.signal));
    return await file.finish(toMetadata?.());
  } catch (error) {
    await file.abort();
    // whatever failed because of it: the caller gave up
    if (signal?.aborted && !(isSwathError(error) && error.tag === 'cancelled')) throw toStopped();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Frees buffers that were moved here, now rather than when they are collected: with hundreds of megabytes a second the
 * collector took a quarter of the main thread, and requests waited for it.
 */
function giveUp({ chunks }: EncodedBlocks): void {
  for (const { buffer } of chunks) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

const toStopped = () => cancelled('cancelled', 'The file was cancelled before it was complete.');

/**
 * Works on all items, at most `atOnce` at the same time. After the first failure no item is begun, the controller aborts
 * those that run, and the failure is thrown when all have ended.
 */
async function runBounded<Item>(
  items: readonly Item[],
  atOnce: number,
  stop: AbortController,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | null = null;
  const takeTurns = async (): Promise<void> => {
    while (next < items.length && failure === null && !stop.signal.aborted) {
      const item = items[next++] as Item;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
  stop.signal.throwIfAborted();
}

/** The job that encodes the upper levels of any exported COG. */
export type TopJobs = { 'export-top': JobType<TopJob, EncodedBlocks> };

/** The levels above the parts of a COG, and the pixels that they are made of. */
interface TopJob {
  readonly cog: Pick<PartedCog, 'plan' | 'topLevel'>;
  /** In shared memory. */
  readonly top: readonly PixelArray[];
}

/** The handler of that job, for a thread. */
export const topJobs: JobHandlers<TopJobs> = {
  'export-top'({ cog, top }, context) {
    const blocks = encodeCogTop(cog, top, makeCheckWanted(context));
    return withTransfer(blocks, transferOf(blocks));
  },
};

/** Builds the `encodeTop` of `writeCog`. */
export function makeEncodeTop(pool: JobRunner<TopJobs>, { plan, topLevel }: PartedCog, ticket: Ticket) {
  return async (top: readonly PixelArray[], signal: AbortSignal): Promise<EncodedBlocks> => {
    // strips and encoded blocks of a quarter of these pixels; the pixels themselves are there already
    const bytes = top.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return runPatiently(pool, 'export-top', { cog: { plan, topLevel }, top }, { ...ticket, bytes, signal });
  };
}

/** The check between strips of a job: throws when no one waits for the file any more. */
export const makeCheckWanted = (context: Pick<JobContext, 'cancelled'>) => (): void => {
  if (context.cancelled())
    throw cancelled('cancelled', 'The work was stopped: no one waits for it any more.');
};
