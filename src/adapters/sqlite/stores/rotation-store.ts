import type { RotationStore } from '../../../keys/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Rotations of callback secrets in SQLite. */
export function makeSqliteRotationStore(database: Lookups, write: Ask): RotationStore {
  const byKey = database.prepare('SELECT count FROM callback_rotations WHERE key_id = ?');
  return {
    async count(keyId) {
      const row = byKey.get(keyId) as { readonly count: number } | undefined;
      return row?.count ?? 0;
    },
    add: (keyId) => write('rotateCallbackSecret', keyId),
  };
}
