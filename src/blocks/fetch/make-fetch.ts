import { isSwathError } from '../../errors.ts';
import { makeFairQueue } from '../../pool/index.ts';
import type { RangeHold, RangeMemory } from '../../storage/index.ts';
import type { BlockCache } from '../cache/index.ts';
import { nameFault } from '../name-fault.ts';
import type { OpenFiles } from '../open-files.ts';
import type { FetchRequest } from './fetch-protocol.ts';
import type { PlannedRange } from './plan-ranges.ts';
import { planRanges } from './plan-ranges.ts';

/** Brings the bytes that a job will read into memory, on the network thread. The result ends the holding of them. */
export type Fetch = (request: FetchRequest, signal: AbortSignal) => Promise<() => void>;

interface FetchDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
  readonly memory: RangeMemory;
}

/** A fetch that waits for memory. */
interface WaitingFetch extends Pick<FetchRequest, 'lane' | 'owner'> {
  readonly sinceMs: number;
  readonly bytes: number;
  readonly start: (hold: RangeHold) => void;
}

/** A large fetch lets smaller ones pass for this long, as a large job of the pool does. */
const PATIENCE_MS = 2_000;
/** The part of the memory that one job may hold; what is above is read by the job itself. */
const MAX_SHARE = 0.25;

/**
 * Builds the fetching: all files of a job are opened at once, then all its ranges are read at once. Memory is promised
 * before anything is read, to tiles before tasks and to owners in turns.
 */
export function makeFetch({ files, blocks, memory }: FetchDeps): Fetch {
  const queue = makeFairQueue<WaitingFetch>({ patienceMs: PATIENCE_MS });

  function pump(): void {
    for (;;) {
      let hold: RangeHold | null = null;
      const next = queue.take(performance.now(), ({ bytes }) => {
        hold = memory.reserve(bytes);
        return hold !== null;
      });
      if (next === undefined || hold === null) return;
      next.start(hold);
    }
  }

  /** Waits for its turn and its memory. */
  function reserve({ lane, owner }: FetchRequest, bytes: number, signal: AbortSignal): Promise<RangeHold> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const entry: WaitingFetch = {
        lane,
        owner,
        bytes,
        sinceMs: performance.now(),
        start(hold) {
          signal.removeEventListener('abort', giveUp);
          resolve(hold);
        },
      };
      const giveUp = (): void => {
        queue.remove(entry);
        reject(signal.reason);
        pump();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.push(entry);
      pump();
    });
  }

  return async (request, signal) => {
    const ranges = takeShare(
      await planRanges(request.windows, { files, blocks }, signal),
      memory.budgetBytes,
    );
    if (ranges.length === 0) return () => {};
    const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
    const hold = await reserve(request, bytes, signal);
    const release = (): void => {
      hold.release();
      pump();
    };
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    try {
      await Promise.all(ranges.map(readRange));
    } catch (error) {
      // The others are of no use to this job.
      failed.abort(error);
      release();
      throw error;
    }
    return release;

    async function readRange(range: PlannedRange): Promise<void> {
      const { source, offset, length } = range;
      if (hold.hold(source, range)) return;
      try {
        hold.store(source, range, await source.read(offset, length, either));
      } catch (error) {
        if (!isSwathError(error) || error.tag !== 'cancelled') files.forget(range.request);
        throw nameFault(error, range.where);
      }
    }
  };
}

/** The first ranges, as far as they fit the part of the memory that one job may hold. */
function takeShare(ranges: readonly PlannedRange[], budgetBytes: number): readonly PlannedRange[] {
  let left = MAX_SHARE * budgetBytes;
  return ranges.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
}
