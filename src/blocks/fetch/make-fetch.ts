import { isSwathError } from '../../errors.ts';
import type { StoredRange } from '../../formats/block-file/index.ts';
import { toBlockNumber } from '../../formats/tiff/index.ts';
import { makeFairQueue } from '../../pool/index.ts';
import type { ArenaSlice, ByteSource, RangeHold, RangeMemory } from '../../sources/index.ts';
import { HEAD_BYTES, toArenaBytes } from '../../sources/index.ts';
import type { BlockCache } from '../cache/block-cache.ts';
import type { OpenFiles, WindowRequest } from '../image-files.ts';
import { countRows, fits, listBlocks, nameFault } from '../image-files.ts';
import type { Offer, OfferedFile, OfferedRange } from './offers.ts';
import type { FetchRequest, ReadUse } from './protocol.ts';
import type { EndTurn, ReadingTurns } from './reading-turns.ts';
import type { SharedSources } from './shared-sources.ts';

/** Brings the bytes that a job will read into memory, on the network thread. */
type Fetch = (
  request: FetchRequest,
  signal: AbortSignal,
  /** Called with the files that are complete while others are still being read. */
  onPart?: (offer: Offer) => void,
) => Promise<Fetched>;

/** Bytes in memory. */
interface Fetched {
  /** Where the job's thread finds them. */
  readonly offer: Offer;
  /** Releases the bytes when the job is over. After a failure their files are opened again. */
  release(isFailed: boolean): void;
}

interface FetchDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
  readonly memory: RangeMemory;
  readonly turns: ReadingTurns;
  readonly sources: Pick<SharedSources, 'bring' | 'hrefOf'>;
}

/** A fetch that waits for memory. */
interface WaitingFetch extends Pick<FetchRequest, 'lane' | 'owner'> {
  readonly sinceMs: number;
  /** What it takes of the arena. */
  readonly bytes: number;
  readonly ranges: readonly PlannedRange[];
  readonly start: (hold: RangeHold) => void;
}

/** A large fetch lets smaller ones pass for this long, as a large job of the pool does. */
const PATIENCE_MS = 2_000;
/** The share of the memory that one job may hold; the job reads anything beyond it itself. */
const MAX_SHARE = 0.25;
/** The share that all tasks together may hold: they compute for a long time and hold their bytes until they end. */
const TASK_SHARE = 0.5;

/**
 * Builds the fetching: all files of a job are opened at once, then all its ranges are read at once. Fetches of an origin
 * read in turns, so that one that hangs holds little, and memory is promised before anything is read, to tiles before
 * tasks and to owners in turns.
 */
export function makeFetch({ files, blocks, memory, turns, sources }: FetchDeps): Fetch {
  const queue = makeFairQueue<WaitingFetch>({ patienceMs: PATIENCE_MS });
  /** Arena bytes that tasks hold. */
  let taskBytes = 0;
  const mayHold = ({ lane, bytes }: WaitingFetch): boolean =>
    lane === 'tile' || taskBytes === 0 || taskBytes + bytes <= TASK_SHARE * memory.budgetBytes;

  function pump(): void {
    for (;;) {
      let hold: RangeHold | null = null;
      const next = queue.take(performance.now(), (waiting) => {
        hold = mayHold(waiting) ? memory.reserve(waiting.ranges) : null;
        return hold !== null;
      });
      if (next === undefined || hold === null) return;
      if (next.lane === 'task') taskBytes += next.bytes;
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
    const bytes = ranges.reduce((sum, { length }) => sum + toArenaBytes(length), 0);
    let isReleased = false;
    return new Promise((resolve, reject) => {
      const entry: WaitingFetch = {
        lane,
        owner,
        bytes,
        ranges,
        sinceMs: performance.now(),
        start(hold) {
          signal.removeEventListener('abort', giveUp);
          resolve({
            ...hold,
            release() {
              if (!isReleased && lane === 'task') taskBytes -= bytes;
              isReleased = true;
              hold.release();
              pump();
            },
          });
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

  /** Waits for the turn at each origin, in the order of their names: two fetches cannot wait for each other. */
  async function enterOrigins(
    { lane, owner }: FetchRequest,
    ranges: readonly PlannedRange[],
    signal: AbortSignal,
  ): Promise<EndTurn> {
    const origins = new Map<string, number>();
    for (const { source, request, offset, length } of ranges) {
      if (memory.has(source, { offset, length })) continue;
      const origin = toOrigin(request.href);
      origins.set(origin, (origins.get(origin) ?? 0) + length);
    }
    const leaves: EndTurn[] = [];
    const leave: EndTurn = (isRead) => {
      for (const one of leaves.splice(0)) one(isRead);
    };
    try {
      for (const [origin, bytes] of [...origins].toSorted())
        leaves.push(await turns.enter(origin, { lane, owner, bytes }, signal));
      return leave;
    } catch (error) {
      leave(false);
      throw error;
    }
  }

  return async (request, signal, onPart) => {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    let hold: RangeHold | null = null;
    let leave: EndTurn | null = null;
    // Hundreds of scenes of a task would evict from the disk what maps need, and most of them could not be written in time.
    const storing: ReadUse = request.lane === 'task' ? 'once' : 'stored';
    let isRead = false;
    let broughtBytes = 0;
    const onBrought = (bytes: number): void => {
      broughtBytes += bytes;
    };
    try {
      const planned = await planRanges(request.windows, { files, blocks }, either);
      const ranges = takeShare(planned, memory.budgetBytes);
      leave = await enterOrigins(request, ranges, either);
      const held = await reserve(request, ranges, either);
      hold = held;
      const byFile = [...Map.groupBy(ranges, ({ source }) => source).values()];
      let missing = byFile.length;
      const parts = await Promise.all(
        byFile.map(async (own) => {
          const slices = await Promise.all(
            own.map((range) => readRange(range, { hold: held, storing, signal: either, onBrought })),
          );
          const offer = toOffer(own, slices);
          missing -= 1;
          if (missing > 0) onPart?.(offer);
          return offer;
        }),
      );
      isRead = true;
      const release = (isFailed: boolean): void => {
        if (isFailed) for (const window of request.windows) files.forget(window);
        held.release();
      };
      return { offer: { files: parts.flatMap((part) => part.files), broughtBytes }, release };
    } catch (error) {
      // The job has failed: its other reads are useless.
      failed.abort(error);
      hold?.release();
      throw error;
    } finally {
      leave?.(isRead);
    }
  };

  async function readRange(
    range: PlannedRange,
    { hold, storing, signal, onBrought }: RangeReading,
  ): Promise<ArenaSlice | null> {
    const { source } = range;
    const known = hold.hold(source, range);
    if (known !== null) return known;
    try {
      await sources.bring(source, range, (bytes) => void hold.store(source, range, bytes), {
        storing,
        signal,
      });
      onBrought(range.length);
      // Null when there was no room: then the job reads the range itself.
      return hold.hold(source, range);
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
      const href = sources.hrefOf(source);
      const { id, version, size } = source;
      if (href !== undefined) found.push({ href, source: { id, version, size }, ranges: list });
    }
    return { files: found };
  }
}

/** How a range of a job is read. */
interface RangeReading {
  readonly hold: RangeHold;
  readonly storing: ReadUse;
  readonly signal: AbortSignal;
  /** Called with the bytes that were not in memory. */
  readonly onBrought: (bytes: number) => void;
}

/** Scheme and host of an address, or scheme and bucket. */
const toOrigin = (href: string): string => /^\w+:\/\/[^/]*/.exec(href)?.[0] ?? '';

/** The first ranges, as far as they fit the part of the memory that one job may hold. */
function takeShare(ranges: readonly PlannedRange[], budgetBytes: number): readonly PlannedRange[] {
  let left = MAX_SHARE * budgetBytes;
  return ranges.filter(({ length }) => {
    left -= toArenaBytes(length);
    return left >= 0;
  });
}

/** A range of a remote file that a job will read. */
export interface PlannedRange extends StoredRange {
  /** The window that needs it first, for messages and for forgetting its file after a failure. */
  readonly request: WindowRequest;
  readonly where: string;
}

interface PlanRangesDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
}

/** Blocks of one window that are planned; the job reads the others itself, a few at a time. */
const MAX_BLOCKS = 1_024;

/** Opens the files of all windows at once and lists the ranges of their blocks, without those that are decoded already. */
export async function planRanges(
  windows: readonly WindowRequest[],
  deps: PlanRangesDeps,
  signal: AbortSignal,
): Promise<readonly PlannedRange[]> {
  const lists = await Promise.all(windows.map((request) => planWindow(request, deps, signal)));
  // Bands that are stored together share their blocks.
  const seen = new Map<unknown, Set<string>>();
  return lists.flat().filter(({ source, offset, length }) => {
    const known = seen.get(source) ?? new Set();
    seen.set(source, known);
    const name = `${offset} ${length}`;
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
}

async function planWindow(
  request: WindowRequest,
  { files, blocks }: PlanRangesDeps,
  signal: AbortSignal,
): Promise<readonly PlannedRange[]> {
  const { record, band, bandIndex, read } = request;
  const { level, window } = read;
  const openFile = async () => {
    try {
      return await files.open(request, signal);
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'cancelled') files.forget(request);
      throw nameFault(error, `${record.name} ${band} header`);
    }
  };
  const { file, key, main } = await openFile();
  const image = file.levels[level];
  // The job meets the same fault and reports it.
  if (image === undefined || bandIndex >= image.bandCount || !fits(window, image)) return [];
  // A thread that has not opened the file yet reads its header first.
  const head = { source: main, offset: 0, length: Math.min(HEAD_BYTES, main.size) };
  const ranges: PlannedRange[] = [{ ...head, request, where: `${record.name} ${band} header` }];
  for (const position of listBlocks(window, image, bandIndex).slice(0, MAX_BLOCKS)) {
    const number = toBlockNumber(image, position);
    if (blocks.has({ file: key, level, number }, countRows(window, image, position))) continue;
    const where = `${record.name} ${band} level ${level}, block ${position.column}/${position.row}`;
    for (const range of file.storedRanges(level, position)) ranges.push({ ...range, request, where });
  }
  return ranges;
}
