import type { DatabaseSync } from 'node:sqlite';

/** Counts a rotation of a key's callback secret and gives the new count. */
export function makeRotateCallbackSecret(database: DatabaseSync) {
  const add = database.prepare(
    `INSERT INTO callback_rotations (key_id, count) VALUES (?, 1)
     ON CONFLICT (key_id) DO UPDATE SET count = count + 1 RETURNING count`,
  );
  return (keyId: string): number => (add.get(keyId) as { count: number }).count;
}
