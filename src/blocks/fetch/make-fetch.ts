import { isSwathError } from '../../errors.ts';
import { makeFairQueue } from '../../pool/index.ts';
import type {
  ArenaSlice,
  ByteSource,
  Offer,
  OfferedFile,
  OfferedRange,
  RangeHold,
  RangeMemory,
  SharedSources,
} from '../../storage/index.ts';
import { toArenaBytes } from '../../storage/index.ts';
import type { BlockCache } from '../cache/index.ts';
import { nameFault } from '../name-fault.ts';
import type { OpenFiles } from '../open-files.ts';
import type { FetchRequest } from './fetch-protocol.ts';
import type { PlannedRange } from './plan-ranges.ts';
import { planRanges } from './plan-ranges.ts';

/** Brings the bytes that a job will read into memory, on the network thread. */
export type Fetch = (request: FetchRequest, signal: AbortSignal) => Promise<Fetched>;

/** Bytes in memory. */
export interface Fetched {
  /** What the job gets to know of them. */
  readonly offer: Offer;
  /** Ends the holding of them, when the job is over. After a failure their files are opened again. */
  release(isFailed: boolean): void;
}

interface FetchDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
  readonly memory: RangeMemory;
  readonly hrefOf: SharedSources['hrefOf'];
}

/** A fetch that waits for memory. */
interface WaitingFetch extends Pick<FetchRequest, 'lane' | 'owner'> {
  readonly sinceMs: number;
  readonly ranges: readonly PlannedRange[];
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
export function makeFetch({ files, blocks, memory, hrefOf }: FetchDeps): Fetch {
  const queue = makeFairQueue<WaitingFetch>({ patienceMs: PATIENCE_MS });

  function pump(): void {
    for (;;) {
      let hold: RangeHold | null = null;
      const next = queue.take(performance.now(), ({ ranges }) => {
        hold = memory.reserve(ranges);
        return hold !== null;
      });
      if (next === undefined || hold === null) return;
      next.start(hold);
    }
  }

  /** Waits for its turn and its memory. */
  function reserve(
    { lane, owner }: FetchRequest,
    ranges: readonly PlannedRange[],
    signal: AbortSignal,
  ): Promise<RangeHold> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const entry: WaitingFetch = {
        lane,
        owner,
        ranges,
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
    const planned = await planRanges(request.windows, { files, blocks }, signal);
    const ranges = takeShare(planned, memory.budgetBytes);
    const hold = await reserve(request, ranges, signal);
    const release = (isFailed: boolean): void => {
      if (isFailed) for (const window of request.windows) files.forget(window);
      hold.release();
      pump();
    };
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    try {
      const slices = await Promise.all(ranges.map((range) => readRange(range, hold, either)));
      return { offer: toOffer(ranges, slices), release };
    } catch (error) {
      // The others are of no use to this job.
      failed.abort(error);
      release(false);
      throw error;
    }
  };

  async function readRange(
    range: PlannedRange,
    hold: RangeHold,
    signal: AbortSignal,
  ): Promise<ArenaSlice | null> {
    const { source, offset, length } = range;
    const known = hold.hold(source, range);
    if (known !== null) return known;
    try {
      return hold.store(source, range, await source.read(offset, length, signal));
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'cancelled') files.forget(range.request);
      throw nameFault(error, range.where);
    }
  }

  function toOffer(ranges: readonly PlannedRange[], slices: readonly (ArenaSlice | null)[]): Offer {
    const offered = new Map<ByteSource, OfferedRange[]>();
    for (const [i, { source, offset, length }] of ranges.entries()) {
      const list = offered.get(source) ?? [];
      offered.set(source, list);
      const slice = slices[i];
      if (slice) list.push({ offset, length, slice });
    }
    const found: OfferedFile[] = [];
    for (const [source, list] of offered) {
      const href = hrefOf(source);
      const { id, version, size } = source;
      if (href !== undefined) found.push({ href, source: { id, version, size }, ranges: list });
    }
    return { files: found };
  }
}

/** The first ranges, as far as they fit the part of the memory that one job may hold. */
function takeShare(ranges: readonly PlannedRange[], budgetBytes: number): readonly PlannedRange[] {
  let left = MAX_SHARE * budgetBytes;
  return ranges.filter(({ length }) => {
    left -= toArenaBytes(length);
    return left >= 0;
  });
}
