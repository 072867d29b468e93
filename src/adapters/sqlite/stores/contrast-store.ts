import type { ContrastStore } from '../../../render/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const PUT = 'INSERT OR REPLACE INTO contrasts (key, low, high) VALUES (?, ?, ?)';

const TRIM = 'DELETE FROM contrasts WHERE number <= (SELECT max(number) FROM contrasts) - ?';

/** Computed contrast ranges in SQLite. Only the newest are stored, so that ever new expressions do not fill the disk. */
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
      await write('run', PUT, [key, range.min, range.max]);
      await write('run', TRIM, [maxStored]);
    },
  };
}
