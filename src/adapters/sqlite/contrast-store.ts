import type { DatabaseSync } from 'node:sqlite';
import type { ContrastStore } from '../../render/index.ts';
import type { Ask } from './database-threads.ts';

const PUT = 'INSERT OR REPLACE INTO contrasts (key, low, high) VALUES (?, ?, ?)';

/** Computed contrast ranges in SQLite. */
export function makeSqliteContrastStore(database: DatabaseSync, write: Ask): ContrastStore {
  const find = database.prepare('SELECT low AS min, high AS max FROM contrasts WHERE key = ?');
  return {
    async find(key) {
      const row = find.get(key) as { min: number; max: number } | undefined;
      return row === undefined ? null : { min: row.min, max: row.max };
    },
    async put(key, range) {
      await write('run', PUT, [key, range.min, range.max]);
    },
  };
}
