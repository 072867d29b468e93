import { makePause } from '../../../async/index.ts';
import type { CoverageStore } from '../../../coverage/index.ts';
import type { ContrastStore, IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import type { Measured, SceneStatisticsStore } from '../../../zonal/index.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const PUT_CONTRAST = 'INSERT OR REPLACE INTO contrasts (key, low, high) VALUES (?, ?, ?)';

const TRIM_CONTRAST = 'DELETE FROM contrasts WHERE number <= (SELECT max(number) FROM contrasts) - ?';

/** Computed contrast ranges in SQLite. Only the newest are stored, so that a stream of new expressions does not fill the disk. */
export function makeSqliteContrastStore(database: Lookups, write: Ask, maxStored = 1_000_000): ContrastStore {
  const find = database.prepare<{ min: number; max: number }>(
    'SELECT low AS min, high AS max FROM contrasts WHERE key = ?',
  );
  return {
    async find(key) {
      const row = find.get(key);
      return row === undefined ? null : { min: row.min, max: row.max };
    },
    async put(key, range) {
      await write('run', PUT_CONTRAST, [key, range.min, range.max]);
      await write('run', TRIM_CONTRAST, [maxStored]);
    },
  };
}

const PUT_INTENSITY = 'INSERT OR REPLACE INTO intensities (key, answer) VALUES (?, ?)';
const TRIM_INTENSITY = 'DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ?';

/** Intensity ranges in SQLite. Only the newest are stored, so that a stream of new rectangles does not fill the disk. */
export function makeSqliteIntensityStore(database: Lookups, write: Ask, maxStored = 100_000): IntensityStore {
  const find = database.prepare<{ answer: string }>('SELECT answer FROM intensities WHERE key = ?');
  return {
    async find(key) {
      const row = find.get(key);
      return row === undefined ? null : (JSON.parse(row.answer) as IntensityAnswer);
    },
    async put(key, answer) {
      await write('run', PUT_INTENSITY, [key, JSON.stringify(answer)]);
      await write('run', TRIM_INTENSITY, [maxStored]);
    },
  };
}

const PUT_STATISTICS = `INSERT OR REPLACE INTO scene_statistics (key, measured)
  SELECT value ->> 0, value ->> 1 FROM json_each(?)`;
const TRIM_STATISTICS =
  'DELETE FROM scene_statistics WHERE number <= (SELECT max(number) FROM scene_statistics) - ?';

/** The oldest rows are removed after this many new ones, and not with each, which would be another commit. */
const TRIM_AFTER = 1_000;

/** Measurements in SQLite. Only the newest are stored: about 400 bytes each. */
export function makeSqliteSceneStatisticsStore(
  database: Lookups,
  write: Ask,
  maxStored = 1_000_000,
): SceneStatisticsStore {
  let untrimmed = 0;
  const find = database.prepare<{ measured: string }>('SELECT measured FROM scene_statistics WHERE key = ?');
  return {
    async findMany(keys) {
      const found = new Map<string, Measured>();
      const pause = makePause();
      for (const key of keys) {
        await pause();
        const row = find.get(key);
        if (row !== undefined) found.set(key, JSON.parse(row.measured) as Measured);
      }
      return found;
    },
    async putMany(entries) {
      const rows = entries.map(([key, measured]) => [key, JSON.stringify(measured)]);
      await write('run', PUT_STATISTICS, [JSON.stringify(rows)]);
      untrimmed += rows.length;
      if (untrimmed < TRIM_AFTER) return;
      untrimmed = 0;
      await write('run', TRIM_STATISTICS, [maxStored]);
    },
  };
}

interface CoverageConnections {
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

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
