import type { DatabaseSync } from 'node:sqlite';
import type { ContrastStore } from '../../render/index.ts';

/** Computed contrast ranges in SQLite. */
export function makeSqliteContrastStore(database: DatabaseSync): ContrastStore {
  const find = database.prepare('SELECT low AS min, high AS max FROM contrasts WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO contrasts (key, low, high) VALUES (?, ?, ?)');
  return {
    async find(key) {
      const row = find.get(key) as { min: number; max: number } | undefined;
      return row === undefined ? null : { min: row.min, max: row.max };
    },
    async put(key, range) {
      put.run(key, range.min, range.max);
    },
  };
}
