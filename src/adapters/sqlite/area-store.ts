import type { DatabaseSync } from 'node:sqlite';
import type { Area, AreaStore } from '../../areas/index.ts';
import type { Ask } from './database-threads.ts';

const PUT =
  'INSERT INTO areas (ref, digest, feature, geometry) VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING';

/** Areas in SQLite. */
export function makeSqliteAreaStore(database: DatabaseSync, write: Ask): AreaStore {
  const byDigest = database.prepare('SELECT ref FROM areas WHERE digest = ?');
  const byRef = database.prepare('SELECT feature, geometry FROM areas WHERE ref = ?');
  const refOf = (digest: string) => byDigest.get(digest) as { ref: string } | undefined;
  return {
    async put({ ref, digest, feature, geometry }) {
      // Most areas come again and again: then there is nothing to write.
      const known = refOf(digest);
      if (known !== undefined) return known.ref;
      const added = await write('run', PUT, [ref, digest, JSON.stringify(feature), JSON.stringify(geometry)]);
      return added === 1 ? ref : (refOf(digest) as { ref: string }).ref;
    },
    async find(ref) {
      const row = byRef.get(ref) as AreaRow | undefined;
      return row === undefined ? null : toArea(row);
    },
  };
}

interface AreaRow {
  readonly feature: string;
  readonly geometry: string;
}

/** What lies in the table was checked before it got there. */
const toArea = ({ feature, geometry }: AreaRow): Area => ({
  feature: JSON.parse(feature) as Area['feature'],
  geometry: JSON.parse(geometry) as Area['geometry'],
});
