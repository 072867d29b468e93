import type { KeyStore, RateStore, RotationStore, SecretStore, UsageStore } from '../../../keys/index.ts';
import type { KeyRow } from '../../sql/key-rows.ts';
import { toChangeKey, toKeyRecord, toScope } from '../../sql/key-rows.ts';
import type { RateRow } from '../../sql/rates.ts';
import { toCounted, toCountStatement, toRefused, toWaitStatement } from '../../sql/rates.ts';
import type { Clause, Statements } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { StoredUsage } from '../../sql/usage-rows.ts';
import { toAddStatements, toListStatement, toPruneStatement, toUsageRow } from '../../sql/usage-rows.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';

const COLUMNS = raw(
  `id, label, scope, rate_per_minute AS "ratePerMinute", created_at AS "createdAt", expires_at AS "expiresAt",
   revoked_at AS "revokedAt", parent`,
);

/** Keys in PostgreSQL. */
export function makePostgresKeyStore(client: SqlClient): KeyStore {
  return {
    async insert({ id, label, role, ratePerMinute, createdAt, expiresAt, revokedAt, parent }, secretHash) {
      await client.query(
        sql`INSERT INTO keys (id, secret_hash, label, scope, rate_per_minute, created_at, expires_at, revoked_at, parent)
          VALUES (${id}, ${secretHash}, ${label}, ${toScope(role)}, ${ratePerMinute}, ${createdAt}, ${expiresAt}, ${revokedAt}, ${parent})`,
      );
    },
    async findByHash(secretHash) {
      const [row] = await client.query<KeyRow>(
        sql`SELECT ${COLUMNS} FROM keys WHERE secret_hash = ${secretHash}`,
      );
      return row === undefined ? null : toKeyRecord(row);
    },
    async findById(id) {
      const [row] = await client.query<KeyRow>(sql`SELECT ${COLUMNS} FROM keys WHERE id = ${id}`);
      return row === undefined ? null : toKeyRecord(row);
    },
    async list() {
      const rows = await client.query<KeyRow>(sql`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`);
      return rows.map(toKeyRecord);
    },
    async revoke(id, revokedAt) {
      const rows = await client.query(
        sql`UPDATE keys SET revoked_at = coalesce(revoked_at, ${revokedAt}) WHERE id = ${id} RETURNING id`,
      );
      return rows.length === 1;
    },
    change: async (id, changes) => (await client.query(toChangeKey(id, changes))).length === 1,
  };
}

/** Secrets in PostgreSQL. */
export function makePostgresSecretStore(client: SqlClient): SecretStore {
  const find = async (name: string): Promise<string | undefined> => {
    const [row] = await client.query<{ value: string }>(sql`SELECT value FROM secrets WHERE name = ${name}`);
    return row?.value;
  };
  return {
    async obtain(name, fresh) {
      const known = await find(name);
      if (known !== undefined) return known;
      await client.query(
        sql`INSERT INTO secrets (name, value) VALUES (${name}, ${fresh}) ON CONFLICT (name) DO NOTHING`,
      );
      return (await find(name)) ?? fresh;
    },
  };
}

/** Rotations of callback secrets in PostgreSQL. */
export function makePostgresRotationStore(client: SqlClient): RotationStore {
  return {
    async count(keyId) {
      if (hasNul(keyId)) return 0;
      const [row] = await client.query<{ count: number }>(
        sql`SELECT count FROM callback_rotations WHERE key_id = ${keyId}`,
      );
      return row?.count ?? 0;
    },
    async add(keyId) {
      const [row] = await client.query<{ count: number }>(
        sql`INSERT INTO callback_rotations (key_id, count) VALUES (${keyId}, 1)
            ON CONFLICT (key_id) DO UPDATE SET count = callback_rotations.count + 1 RETURNING count`,
      );
      return (row as { count: number }).count;
    },
  };
}

/** The server's clock, the same for all nodes. `now()` would be the beginning of the transaction. */
const NOW_US = raw('(extract(epoch FROM clock_timestamp()) * 1000000)::bigint');

/** Rates in PostgreSQL. */
export const makePostgresRateStore = (client: SqlClient): RateStore => ({
  async count(request) {
    const [counted] = await client.query<RateRow>(toCountStatement(request, NOW_US));
    if (counted !== undefined) return toCounted(counted, request);
    const [row] = await client.query<RateRow>(toWaitStatement(request, NOW_US));
    return toRefused(row, request);
  },
});

/** Usage in PostgreSQL. */
export const makePostgresUsageStore = (client: SqlClient): UsageStore => ({
  add: (rows) =>
    client.inTransaction(async (held) => {
      const sums: StoredUsage[] = [];
      for (const statement of toAddStatements(rows)) sums.push(...(await held.query<StoredUsage>(statement)));
      return sums.map(toUsageRow);
    }),
  async list(query) {
    const keyIds = query.keyIds?.filter((id) => !hasNul(id)) ?? null;
    return (await client.query<StoredUsage>(toListStatement({ ...query, keyIds }))).map(toUsageRow);
  },
  prune: async (before) => void (await client.query(toPruneStatement(before))),
});

/** Runs statements about people. PostgreSQL cannot store NUL, so nothing is found by a string that has one. */
export const makePostgresStatements = (client: SqlClient): Statements => ({
  read: async <Row extends object>(clause: Clause) =>
    clause.values.some((value) => typeof value === 'string' && hasNul(value))
      ? []
      : client.query<Row>(clause),
  change: async (clause) => (await client.query(clause)).length,
});
