import type { KeyRecord, KeyStore, RateStore, RotationStore, SecretStore } from '../../../keys/index.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const COLUMNS =
  'id, label, scope, rate_per_minute AS ratePerMinute, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt';
const INSERT_KEY = `INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at)
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
      await write('run', INSERT_KEY, [
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

const INSERT_SECRET = 'INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING';

/** Secrets in SQLite. */
export function makeSqliteSecretStore(database: Lookups, write: Ask): SecretStore {
  const byName = database.prepare<{ value: string }>('SELECT value FROM secrets WHERE name = ?');
  return {
    async obtain(name, fresh) {
      const known = byName.get(name);
      if (known !== undefined) return known.value;
      await write('run', INSERT_SECRET, [name, fresh]);
      return byName.get(name)?.value ?? fresh;
    },
  };
}

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

/** Rates in SQLite. */
export const makeSqliteRateStore = (write: Ask): RateStore => ({
  count: (request) => write('countRequest', request),
});
