import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../database/queries.ts';

/** Counts a rotation of a key's callback secret and gives the new count. */
export function makeRotateCallbackSecret(database: DatabaseSync) {
  const add = prepare<{ count: number }>(
    database,
    `INSERT INTO callback_rotations (key_id, count) VALUES (?, 1)
     ON CONFLICT (key_id) DO UPDATE SET count = count + 1 RETURNING count`,
  );
  return (keyId: string): number => add.get(keyId)?.count ?? 0;
}
