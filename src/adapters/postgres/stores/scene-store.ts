import type { Scene, SceneStore } from '../../../catalog/index.ts';
import type { StoredRecord } from '../../sql/scene-row.ts';
import { parseHit, parseRecord, toSceneRow, toSceneRows } from '../../sql/scene-row.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { searchRecords } from '../scenes/scene-search.ts';
import { putRows } from '../scenes/scene-writes.ts';
import { hasNul } from '../scenes/without-nul.ts';

/** Scenes read ahead by `list`. */
const LIST_BATCH = 200;

const RECORD = raw('SELECT s.view_id, r.hit, r.rest FROM scenes s JOIN records r ON r.number = s.number');

/** Scenes in PostgreSQL. */
export function makePostgresSceneStore(client: SqlClient): SceneStore {
  async function findOne(clause: Clause): Promise<Scene | null> {
    // What holds a NUL is no name of anything here, and PostgreSQL would not even take the question.
    if (clause.values.some(hasNul)) return null;
    const [row] = await client.query<StoredRecord>(clause);
    return row === undefined ? null : parseRecord(row);
  }
  return {
    async put(scene) {
      const row = toSceneRow(scene);
      await putRows(client, [row]);
      return { ...scene, version: row.version };
    },
    async replace(scene, version) {
      const row = toSceneRow(scene);
      return client.inTransaction(async (held) => {
        const [known] = await held.query<{ version: string }>(
          sql`SELECT version FROM scenes WHERE view_id = ${row.viewId} FOR UPDATE`,
        );
        if (known?.version !== version) return null;
        await putRows(held, [row]);
        return { ...scene, version: row.version };
      });
    },
    putMany: async (scenes) => putRows(client, await toSceneRows(scenes)),
    async remove(viewId) {
      if (hasNul(viewId)) return false;
      const gone = await client.query(
        sql`WITH gone AS (DELETE FROM scenes WHERE view_id = ${viewId} RETURNING number),
          records_too AS (DELETE FROM records USING gone WHERE records.number = gone.number)
          SELECT number FROM gone`,
      );
      return gone.length > 0;
    },
    findByViewId: (viewId) => findOne(sql`${RECORD} WHERE s.view_id = ${viewId}`),
    findByName: (dataset, name) =>
      findOne(
        sql`${RECORD} WHERE s.dataset = ${dataset} AND (s.scene_id = ${name} OR s.product_id = ${name})
          ORDER BY s.view_id DESC LIMIT 1`,
      ),
    async search(query) {
      const { found, records } = await searchRecords(client, query, true);
      return { found, scenes: records.map(parseRecord) };
    },
    async searchHits(query) {
      const { found, records } = await searchRecords(client, query, false);
      return { found, hits: records.map(parseHit) };
    },
    async *list({ dataset } = {}) {
      const only = dataset === undefined ? raw('') : sql` AND s.dataset = ${dataset}`;
      let after = '';
      while (true) {
        const rows = await client.query<StoredRecord & { view_id: string }>(
          sql`${RECORD} WHERE s.view_id > ${after}${only} ORDER BY s.view_id LIMIT ${LIST_BATCH}`,
        );
        for (const row of rows) yield parseRecord(row);
        if (rows.length < LIST_BATCH) return;
        after = rows[LIST_BATCH - 1]?.view_id ?? after;
      }
    },
    async count() {
      const [row] = await client.query<{ n: string }>(raw('SELECT count(*) AS n FROM scenes'));
      return Number(row?.n ?? 0);
    },
    async countByDataset() {
      const rows = await client.query<{ dataset: string; n: string }>(
        raw('SELECT dataset, count(*) AS n FROM scenes GROUP BY dataset ORDER BY dataset'),
      );
      return new Map(rows.map(({ dataset, n }) => [dataset, Number(n)]));
    },
  };
}
