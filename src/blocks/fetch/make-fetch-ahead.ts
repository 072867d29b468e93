import type { RangeMemory } from '../../sources/index.ts';
import type { BlockCache } from '../cache/block-cache.ts';
import type { OpenFiles, WindowRequest } from '../image-files.ts';
import type { PlannedRange } from './make-fetch.ts';
import { planRanges } from './make-fetch.ts';
import type { SharedSources } from './shared-sources.ts';

/** Prefetches while no job waits for bytes; resolves to the number of bytes read. */
export interface FetchAhead {
  run(windows: readonly WindowRequest[], signal: AbortSignal): Promise<number>;
  /** Notes the bytes that a job requested: as many may be prefetched. */
  earn(bytes: number): void;
}

interface FetchAheadDeps {
  readonly files: OpenFiles;
  readonly blocks: Pick<BlockCache, 'has'>;
  readonly memory: RangeMemory;
  readonly sources: Pick<SharedSources, 'bring'>;
  /** Whether a job waits for bytes. */
  readonly isBusy: () => boolean;
}

/** Ranges in flight at once: few, so that they hardly slow down a request that arrives. */
const AT_ONCE = 4;
/** The budget at startup, for the first map, and its upper bound: some screens of tiles. */
const INITIAL_BYTES = 2 * 2 ** 20;
const MAX_SAVED_BYTES = 16 * 2 ** 20;

/** Builds the prefetch: within a budget of bytes, and only while no job waits for bytes. */
export function makeFetchAhead({ files, blocks, memory, sources, isBusy }: FetchAheadDeps): FetchAhead {
  let balance = INITIAL_BYTES;

  /** The ranges that the budget allows. */
  function takeAffordable(ranges: readonly PlannedRange[]): PlannedRange[] {
    return ranges.filter((range) => {
      if (memory.has(range.source, range) || range.length > balance) return false;
      balance -= range.length;
      return true;
    });
  }

  /** A job that needs the same range shares this read. */
  async function read(range: PlannedRange, signal: AbortSignal): Promise<void> {
    const { source } = range;
    await sources.bring(source, range, (bytes) => memory.remember(source, range, bytes), { signal });
    memory.markAhead(source, range);
  }

  return {
    earn(bytes) {
      balance = Math.min(MAX_SAVED_BYTES, balance + bytes);
    },
    async run(windows, signal) {
      if (isBusy()) return 0;
      const waiting = takeAffordable(await planRanges(windows, { files, blocks }, signal));
      let total = 0;
      let isFailing = false;
      const work = async (): Promise<void> => {
        for (let range = waiting.shift(); range !== undefined; range = waiting.shift()) {
          if (isFailing || isBusy() || signal.aborted) {
            balance += range.length;
            continue;
          }
          try {
            await read(range, signal);
            total += range.length;
          } catch {
            // A request for these bytes meets the failure again; until then the store is not read.
            isFailing = true;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return total;
    },
  };
}
