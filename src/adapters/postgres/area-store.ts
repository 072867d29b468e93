import type { Area, AreaStore } from '../../areas/index.ts';
import { sql } from '../sql-clause.ts';
import type { SqlClient } from './sql-client.ts';
import { hasNul } from './without-nul.ts';

/** Areas in PostgreSQL. */
export function makePostgresAreaStore(client: SqlClient): AreaStore {
  const findRef = async (digest: string): Promise<string | undefined> => {
    const [row] = await client.query<{ ref: string }>(sql`SELECT ref FROM areas WHERE digest = ${digest}`);
    return row?.ref;
  };
  return {
    async put({ ref, digest, feature, geometry }) {
      // Most areas come again and again: then there is nothing to write.
      const known = await findRef(digest);
      if (known !== undefined) return known;
      const added = await client.query(
        sql`INSERT INTO areas (ref, digest, feature, geometry)
          VALUES (${ref}, ${digest}, ${JSON.stringify(feature)}, ${JSON.stringify(geometry)})
          ON CONFLICT (digest) DO NOTHING RETURNING ref`,
      );
      // Nothing was added only when another one is committed, and areas are never removed.
      return added.length === 1 ? ref : ((await findRef(digest)) as string);
    },
    async find(ref) {
      if (hasNul(ref)) return null;
      const [row] = await client.query<AreaRow>(sql`SELECT feature, geometry FROM areas WHERE ref = ${ref}`);
      return row === undefined ? null : toArea(row);
    },
  };
}

interface AreaRow {
  readonly feature: string;
  readonly geometry: string;
}

/** What lies in the table was checked before it got there. */
const toArea = ({ feature, geometry }: AreaRow): Area => ({
  feature: JSON.parse(feature) as Area['feature'],
  geometry: JSON.parse(geometry) as Area['geometry'],
});
