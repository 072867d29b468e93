import { makePause } from '../../../async/index.ts';
import type { CoverageStore } from '../../../coverage/index.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

interface CoverageConnections {
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

/** The oldest rows are removed after this many new ones, and not with each. */
const TRIM_AFTER = 1_000;

/**
 * Cells of cloud masks in SQLite. Only the newest are stored: most have a few hundred bytes, none more than four
 * kilobytes.
 */
export function makeSqliteCoverageStore(
  { database, read, write }: CoverageConnections,
  maxStored = 250_000,
): CoverageStore {
  let untrimmed = 0;
  const findMask = database.prepare<{ mask: string }>('SELECT mask FROM coverage_masks WHERE key = ?');
  return {
    async findMasks(keys) {
      const found = new Map<string, string>();
      const pause = makePause();
      for (const key of keys) {
        await pause();
        const row = findMask.get(key);
        if (row !== undefined) found.set(key, row.mask);
      }
      return found;
    },
    findCells: async (wanted) => read('findCoverageCells', wanted),
    async put(masks, cells) {
      untrimmed += masks.length + cells.length;
      const isTrimmed = untrimmed >= Math.min(TRIM_AFTER, maxStored);
      if (isTrimmed) untrimmed = 0;
      await write('putCoverage', masks, cells, isTrimmed ? { masks: maxStored, cells: maxStored } : null);
    },
  };
}
