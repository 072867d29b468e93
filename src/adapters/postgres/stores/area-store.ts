import type { AreaPut, AreaStore, AreaUsage, NewArea, StoredArea } from '../../../library/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockOwner } from './write-locks.ts';

/** Areas in PostgreSQL. */
export function makePostgresAreaStore(client: SqlClient): AreaStore {
  return {
    async put(area, limit) {
      // Most areas come again and again: then there is nothing to write.
      const known = await findRef(client, area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known };
      return client.inTransaction((held) => putOne(held, area, limit));
    },
    async find(ref) {
      if (hasNul(ref)) return null;
      const [row] = await client.query<StoredArea>(
        sql`SELECT feature, geometry FROM areas WHERE ref = ${ref}`,
      );
      return row ?? null;
    },
    async remove(ref, owner) {
      if (hasNul(ref)) return false;
      const gone = await client.query(
        sql`DELETE FROM areas WHERE ref = ${ref} AND owner = ${owner} RETURNING ref`,
      );
      return gone.length === 1;
    },
    async removeAll(owner) {
      return (await client.query(sql`DELETE FROM areas WHERE owner = ${owner} RETURNING ref`)).length;
    },
    async usage() {
      const rows = await client.query<UsageRow & { owner: string }>(
        sql`SELECT owner, count(*) AS areas, sum(bytes) AS bytes FROM areas WHERE owner IS NOT NULL GROUP BY owner`,
      );
      return new Map(rows.map((row) => [row.owner, toUsage(row)]));
    },
  };
}

async function findRef(client: SqlClient, digest: string): Promise<string | undefined> {
  const [row] = await client.query<{ ref: string }>(sql`SELECT ref FROM areas WHERE digest = ${digest}`);
  return row?.ref;
}

async function putOne(client: SqlClient, area: NewArea, limit: AreaUsage): Promise<AreaPut> {
  const { ref, digest, owner, feature, geometry } = area;
  // Writers of one owner take turns, so that no one counts while another adds.
  await lockOwner(client, owner);
  const known = await findRef(client, digest);
  if (known !== undefined) return { kind: 'stored', ref: known };
  const [row] = await client.query<UsageRow>(
    sql`SELECT count(*) AS areas, coalesce(sum(bytes), 0) AS bytes FROM areas WHERE owner = ${owner}`,
  );
  const used = toUsage(row as UsageRow);
  const bytes = Buffer.byteLength(feature) + Buffer.byteLength(geometry);
  if (used.areas + 1 > limit.areas || used.bytes + bytes > limit.bytes) return { kind: 'full', used, bytes };
  await client.query(
    sql`INSERT INTO areas (ref, digest, feature, geometry, owner, bytes)
      VALUES (${ref}, ${digest}, ${feature}, ${geometry}, ${owner}, ${bytes})`,
  );
  return { kind: 'stored', ref };
}

/** PostgreSQL's bigint comes as text. */
interface UsageRow {
  readonly areas: string;
  readonly bytes: string;
}

const toUsage = ({ areas, bytes }: UsageRow): AreaUsage => ({ areas: Number(areas), bytes: Number(bytes) });
