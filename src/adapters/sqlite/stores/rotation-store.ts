import type { RotationStore } from '../../../keys/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Rotations of callback secrets in SQLite. */
export function makeSqliteRotationStore(database: Lookups, write: Ask): RotationStore {
  const byKey = database.prepare<{ count: number }>('SELECT count FROM callback_rotations WHERE key_id = ?');
  return {
    async count(keyId) {
      return byKey.get(keyId)?.count ?? 0;
    },
    add: (keyId) => write('rotateCallbackSecret', keyId),
  };
}
