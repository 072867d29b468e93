import type {
  KeyRecord,
  KeyStore,
  RateStore,
  RotationStore,
  SecretStore,
  UsageStore,
} from '../../../keys/index.ts';
import type { KeyRow } from '../../sql/key-rows.ts';
import { toChangeKey, toKeyRecord, toScope } from '../../sql/key-rows.ts';
import type { Clause, Statements } from '../../sql/sql.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const COLUMNS =
  'id, label, scope, rate_per_minute AS ratePerMinute, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, parent';
const INSERT_KEY = `INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at, parent)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?';

/** Keys in SQLite. */
export function makeSqliteKeyStore(database: Lookups, write: Ask): KeyStore {
  const byHash = database.prepare<KeyRow>(`SELECT ${COLUMNS} FROM keys WHERE secret_hash = ?`);
  const byId = database.prepare<KeyRow>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  const all = database.prepare<KeyRow>(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`);
  return {
    async insert(record, secretHash) {
      const { id, label, role, ratePerMinute, createdAt, expiresAt, revokedAt, parent } = record;
      await write('run', INSERT_KEY, [
        id,
        secretHash,
        label,
        toScope(role),
        ratePerMinute,
        createdAt,
        expiresAt,
        revokedAt,
        parent,
      ]);
    },
    findByHash: async (secretHash) => toRecord(byHash.get(secretHash)),
    findById: async (id) => toRecord(byId.get(id)),
    list: async () => all.all().map(toKeyRecord),
    revoke: async (id, revokedAt) => (await write('run', REVOKE, [revokedAt, id])) === 1,
    async change(id, changes) {
      const { sql, values } = toChangeKey(id, changes);
      return (await write('run', sql, values)) === 1;
    },
  };
}

const toRecord = (row: KeyRow | undefined): KeyRecord | null => (row === undefined ? null : toKeyRecord(row));

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

/** Usage in SQLite. */
export const makeSqliteUsageStore = (read: Ask, write: Ask): UsageStore => ({
  add: (rows) => write('addUsage', rows),
  list: (query) => read('listUsage', query),
  prune: (before) => write('pruneUsage', before),
});

/** Runs statements about people: reads on the calling thread, changes on the writing one. */
export const makeSqliteStatements = (database: Lookups, write: Ask): Statements => ({
  read: async <Row extends object>({ sql, values }: Clause) =>
    database
      .prepare<Row>(sql)
      .all(...values)
      .map((row) => ({ ...row })),
  change: ({ sql, values }) => write('run', sql, values),
});
