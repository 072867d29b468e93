import type { AreaStore, StoredArea } from '../../../library/index.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const REMOVE = 'DELETE FROM areas WHERE ref = ? AND owner = ?';
const REMOVE_ALL = 'DELETE FROM areas WHERE owner = ?';

/** Areas in SQLite. */
export function makeSqliteAreaStore(database: Lookups, write: Ask): AreaStore {
  const byDigest = database.prepare<{ ref: string }>('SELECT ref FROM areas WHERE digest = ?');
  const byRef = database.prepare<StoredArea>('SELECT feature, geometry FROM areas WHERE ref = ?');
  const usage = database.prepare<{ owner: string; areas: number; bytes: number }>(
    'SELECT owner, count(*) AS areas, sum(bytes) AS bytes FROM areas WHERE owner IS NOT NULL GROUP BY owner',
  );
  return {
    async put(area, limit) {
      // Most areas come again and again: then there is nothing to write.
      const known = byDigest.get(area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known.ref };
      const { ref, digest, owner, feature, geometry } = area;
      const bytes = Buffer.byteLength(feature) + Buffer.byteLength(geometry);
      return write('putArea', { ref, digest, owner, feature, geometry, bytes }, limit);
    },
    async find(ref) {
      const row = byRef.get(ref);
      return row === undefined ? null : { ...row };
    },
    remove: async (ref, owner) => (await write('run', REMOVE, [ref, owner])) === 1,
    removeAll: (owner) => write('run', REMOVE_ALL, [owner]),
    async usage() {
      return new Map(usage.all().map(({ owner, areas, bytes }) => [owner, { areas, bytes }]));
    },
  };
}
