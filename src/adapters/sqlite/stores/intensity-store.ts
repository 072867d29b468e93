import type { IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const PUT = 'INSERT OR REPLACE INTO intensities (key, answer) VALUES (?, ?)';
const TRIM = 'DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ?';

/** Intensity ranges in SQLite. Only the newest are stored, so that ever new rectangles do not fill the disk. */
export function makeSqliteIntensityStore(database: Lookups, write: Ask, maxStored = 100_000): IntensityStore {
  const find = database.prepare<{ answer: string }>('SELECT answer FROM intensities WHERE key = ?');
  return {
    async find(key) {
      const row = find.get(key);
      return row === undefined ? null : (JSON.parse(row.answer) as IntensityAnswer);
    },
    async put(key, answer) {
      await write('run', PUT, [key, JSON.stringify(answer)]);
      await write('run', TRIM, [maxStored]);
    },
  };
}
