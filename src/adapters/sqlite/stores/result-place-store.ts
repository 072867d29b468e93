import type { ResultPlace, ResultPlaceStore } from '../../../tasks/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const PUT = `INSERT INTO result_places (node, store_id, place, seen_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (node) DO UPDATE SET store_id = excluded.store_id, place = excluded.place, seen_at = excluded.seen_at`;

/** Places of results in SQLite, whose processes share the clock of a machine. */
export function makeSqliteResultPlaceStore(
  database: Lookups,
  write: Ask,
  wallClockMs: () => number = Date.now,
): ResultPlaceStore {
  const all = database.prepare<ResultPlace>(
    'SELECT node, store_id AS storeId, place FROM result_places WHERE seen_at >= ? ORDER BY node',
  );
  return {
    async put({ node, storeId, place }) {
      await write('run', PUT, [node, storeId, place, wallClockMs()]);
    },
    async list(withinMs) {
      const sinceMs = wallClockMs() - withinMs;
      await write('run', 'DELETE FROM result_places WHERE seen_at < ?', [sinceMs]);
      return all.all(sinceMs).map((row) => ({ ...row }));
    },
    async remove(node) {
      await write('run', 'DELETE FROM result_places WHERE node = ?', [node]);
    },
  };
}
