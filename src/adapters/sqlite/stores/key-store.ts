import type { KeyRecord, KeyStore } from '../../../keys/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const COLUMNS =
  'id, label, scope, rate_per_minute AS ratePerMinute, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt';
const INSERT = `INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?';

/** Keys in SQLite. */
export function makeSqliteKeyStore(database: Lookups, write: Ask): KeyStore {
  const byHash = database.prepare<KeyRecord>(`SELECT ${COLUMNS} FROM keys WHERE secret_hash = ?`);
  const byId = database.prepare<KeyRecord>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  const all = database.prepare<KeyRecord>(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`);
  return {
    async insert(record, secretHash) {
      const { id, label, scope, ratePerMinute, createdAt, expiresAt, revokedAt } = record;
      await write('run', INSERT, [
        id,
        secretHash,
        label,
        scope,
        ratePerMinute,
        createdAt,
        expiresAt,
        revokedAt,
      ]);
    },
    findByHash: async (secretHash) => toRecord(byHash.get(secretHash)),
    findById: async (id) => toRecord(byId.get(id)),
    list: async () => all.all().map((row) => ({ ...row })),
    revoke: async (id, revokedAt) => (await write('run', REVOKE, [revokedAt, id])) === 1,
  };
}

const toRecord = (row: KeyRecord | undefined): KeyRecord | null => (row === undefined ? null : { ...row });
