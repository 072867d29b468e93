import type { ColormapContent } from '../../../color/index.ts';
import type { ColormapStore, ColormapUsage, NewColormap } from '../../../library/index.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockColormaps } from './write-locks.ts';

/** Custom colormaps in PostgreSQL. */
export function makePostgresColormapStore(client: SqlClient): ColormapStore {
  const remove = (owner: string, id: string | null): Promise<number> =>
    client.inTransaction((held) => removeOwned(held, owner, id));
  return {
    async put(colormap, maxColormaps) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if (await isOwned(client, colormap)) return null;
      return client.inTransaction((held) => putOne(held, colormap, maxColormaps));
    },
    async find(id) {
      if (hasNul(id)) return null;
      const [row] = await client.query<{ content: string }>(
        sql`SELECT content FROM colormaps WHERE id = ${id}`,
      );
      // What lies in the table was checked before it got there.
      return row === undefined ? null : (JSON.parse(row.content) as ColormapContent);
    },
    remove: async (id, owner) => !hasNul(id) && (await remove(owner, id)) === 1,
    removeAll: (owner) => remove(owner, null),
    async usage() {
      const rows = await client.query<UsageRow & { owner: string }>(
        sql`SELECT owner, count(*) AS colormaps, sum(bytes) AS bytes FROM colormap_owners
          WHERE owner <> '' GROUP BY owner`,
      );
      return new Map(rows.map((row) => [row.owner, toUsage(row)]));
    },
  };
}

async function isOwned(client: SqlClient, { id, owner }: NewColormap): Promise<boolean> {
  const rows = await client.query(sql`SELECT 1 FROM colormap_owners WHERE owner = ${owner} AND id = ${id}`);
  return rows.length === 1;
}

async function putOne(
  client: SqlClient,
  colormap: NewColormap,
  maxColormaps: number,
): Promise<ColormapUsage | null> {
  const { id, owner } = colormap;
  await lockColormaps(client);
  if (await isOwned(client, colormap)) return null;
  const [row] = await client.query<UsageRow>(
    sql`SELECT count(*) AS colormaps, coalesce(sum(bytes), 0) AS bytes FROM colormap_owners WHERE owner = ${owner}`,
  );
  const used = toUsage(row as UsageRow);
  if (used.colormaps + 1 > maxColormaps) return used;
  const text = JSON.stringify(colormap.content);
  await client.query(
    sql`INSERT INTO colormaps (id, content) VALUES (${id}, ${text}) ON CONFLICT (id) DO NOTHING`,
  );
  await client.query(
    sql`INSERT INTO colormap_owners (owner, id, bytes) VALUES (${owner}, ${id}, ${Buffer.byteLength(text)})`,
  );
  return null;
}

/** Removes an owner from one colormap, or from all with null, and deletes colormaps without an owner. */
async function removeOwned(client: SqlClient, owner: string, id: string | null): Promise<number> {
  await lockColormaps(client);
  const one = id === null ? raw('') : sql` AND id = ${id}`;
  const rows = await client.query<{ id: string }>(
    sql`DELETE FROM colormap_owners WHERE owner = ${owner}${one} RETURNING id`,
  );
  for (const row of rows) {
    await client.query(
      sql`DELETE FROM colormaps WHERE id = ${row.id}
        AND NOT EXISTS (SELECT 1 FROM colormap_owners o WHERE o.id = colormaps.id)`,
    );
  }
  return rows.length;
}

/** PostgreSQL's bigint comes as text. */
interface UsageRow {
  readonly colormaps: string;
  readonly bytes: string;
}

const toUsage = ({ colormaps, bytes }: UsageRow): ColormapUsage => ({
  colormaps: Number(colormaps),
  bytes: Number(bytes),
});
