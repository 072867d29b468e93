import type { RangeMemory } from '../../storage/index.ts';
import { toArenaBytes } from '../../storage/index.ts';
import type { WindowRequest } from '../band-file.ts';
import type { BlockCache } from '../cache/index.ts';
import type { OpenFiles } from '../open-files.ts';
import type { PlannedRange } from './plan-ranges.ts';
import { planRanges } from './plan-ranges.ts';

/** Reads what no one has asked for yet, as long as nothing is asked for; resolves to the bytes that were read. */
export interface FetchAhead {
  run(windows: readonly WindowRequest[], signal: AbortSignal): Promise<number>;
  /** Bytes that were read because they were asked for: as many may be read ahead. */
  earn(bytes: number): void;
}

interface FetchAheadDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
  readonly memory: RangeMemory;
  /** Whether a job waits for bytes. */
  readonly isBusy: () => boolean;
}

/** Ranges under way at once: few, so that a request that comes meanwhile is hardly slower. */
const AT_ONCE = 4;
/** Saved up at the start, for the first map that is looked at, and at most: some screens of tiles. */
const INITIAL_BYTES = 2 * 2 ** 20;
const MAX_SAVED_BYTES = 16 * 2 ** 20;
/** The part of the memory that is filled ahead; the rest is for what was asked for. */
const MAX_SHARE = 0.5;

/** Builds the reading ahead: within a budget of bytes, and only while there is nothing that was asked for. */
export function makeFetchAhead({ files, blocks, memory, isBusy }: FetchAheadDeps): FetchAhead {
  let balance = INITIAL_BYTES;

  /** Takes ranges as far as the budget and the memory go. */
  function takeAffordable(ranges: readonly PlannedRange[]): PlannedRange[] {
    let room = MAX_SHARE * memory.budgetBytes;
    const taken: PlannedRange[] = [];
    for (const range of ranges) {
      const bytes = toArenaBytes(range.length);
      if (memory.has(range.source, range) || range.length > balance || bytes > room) continue;
      balance -= range.length;
      room -= bytes;
      taken.push(range);
    }
    return taken;
  }

  return {
    earn(bytes) {
      balance = Math.min(MAX_SAVED_BYTES, balance + bytes);
    },
    async run(windows, signal) {
      if (isBusy()) return 0;
      const waiting = takeAffordable(await planRanges(windows, { files, blocks }, signal));
      let total = 0;
      const work = async (): Promise<void> => {
        for (let range = waiting.shift(); range !== undefined; range = waiting.shift()) {
          if (isBusy() || signal.aborted) {
            balance += range.length;
            continue;
          }
          await range.source.read(range.offset, range.length, signal);
          memory.markAhead(range.source, range);
          total += range.length;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return total;
    },
  };
}
