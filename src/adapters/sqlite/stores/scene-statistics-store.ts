import { makePause } from '../../../async/index.ts';
import type { Measured, SceneStatisticsStore } from '../../../zonal/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const PUT = `INSERT OR REPLACE INTO scene_statistics (key, measured)
  SELECT value ->> 0, value ->> 1 FROM json_each(?)`;
const TRIM = 'DELETE FROM scene_statistics WHERE number <= (SELECT max(number) FROM scene_statistics) - ?';

/** The oldest are removed after so many new ones, and not with each: that would be another commit. */
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
      await write('run', PUT, [JSON.stringify(rows)]);
      untrimmed += rows.length;
      if (untrimmed < TRIM_AFTER) return;
      untrimmed = 0;
      await write('run', TRIM, [maxStored]);
    },
  };
}
