import type { ResultPlace, ResultPlaceStore } from '../../../tasks/index.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Places of results in PostgreSQL, whose clock counts: those of nodes may differ. */
export function makePostgresResultPlaceStore(client: SqlClient): ResultPlaceStore {
  return {
    async put({ node, storeId, place }) {
      await client.query(
        sql`INSERT INTO result_places (node, store_id, place, seen_at) VALUES (${node}, ${storeId}, ${place}, now())
            ON CONFLICT (node) DO UPDATE SET store_id = excluded.store_id, place = excluded.place, seen_at = now()`,
      );
    },
    async list(withinMs) {
      await client.query(
        sql`DELETE FROM result_places WHERE seen_at < now() - make_interval(secs => ${withinMs / 1000})`,
      );
      return client.query<ResultPlace>(
        sql`SELECT node, store_id AS "storeId", place FROM result_places ORDER BY node`,
      );
    },
    async remove(node) {
      await client.query(sql`DELETE FROM result_places WHERE node = ${node}`);
    },
  };
}
