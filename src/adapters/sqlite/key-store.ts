import type { DatabaseSync } from 'node:sqlite';
import type { KeyRecord, KeyStore } from '../../keys/index.ts';

const COLUMNS =
  'id, label, scope, rate_per_minute AS ratePerMinute, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt';

/** Keys in SQLite. */
export function makeSqliteKeyStore(database: DatabaseSync): KeyStore {
  const insert = database.prepare(
    `INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byHash = database.prepare(`SELECT ${COLUMNS} FROM keys WHERE secret_hash = ?`);
  const all = database.prepare(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`);
  const revoke = database.prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  return {
    async insert(record, secretHash) {
      const { id, label, scope, ratePerMinute, createdAt, expiresAt, revokedAt } = record;
      insert.run(id, secretHash, label, scope, ratePerMinute, createdAt, expiresAt, revokedAt);
    },
    findByHash: async (secretHash) => toRecord(byHash.get(secretHash)),
    list: async () => all.all().map((row) => ({ ...row }) as unknown as KeyRecord),
    revoke: async (id, revokedAt) => revoke.run(revokedAt, id).changes === 1,
  };
}

const toRecord = (row: unknown): KeyRecord | null => (row === undefined ? null : { ...(row as KeyRecord) });
