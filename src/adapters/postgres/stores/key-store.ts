import type { KeyRecord, KeyStore } from '../../../keys/index.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

const COLUMNS = raw(
  `id, label, scope, rate_per_minute AS "ratePerMinute", created_at AS "createdAt", expires_at AS "expiresAt",
   revoked_at AS "revokedAt"`,
);

/** Keys in PostgreSQL. */
export function makePostgresKeyStore(client: SqlClient): KeyStore {
  return {
    async insert({ id, label, scope, ratePerMinute, createdAt, expiresAt, revokedAt }, secretHash) {
      await client.query(
        sql`INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at)
          VALUES (${id}, ${secretHash}, ${label}, ${scope}, ${ratePerMinute}, ${createdAt}, ${expiresAt}, ${revokedAt})`,
      );
    },
    async findByHash(secretHash) {
      const [row] = await client.query<KeyRecord>(
        sql`SELECT ${COLUMNS} FROM keys WHERE secret_hash = ${secretHash}`,
      );
      return row ?? null;
    },
    async findById(id) {
      const [row] = await client.query<KeyRecord>(sql`SELECT ${COLUMNS} FROM keys WHERE id = ${id}`);
      return row ?? null;
    },
    list: () => client.query<KeyRecord>(sql`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`),
    async revoke(id, revokedAt) {
      const rows = await client.query(
        sql`UPDATE keys SET revoked_at = coalesce(revoked_at, ${revokedAt}) WHERE id = ${id} RETURNING id`,
      );
      return rows.length === 1;
    },
  };
}
