import type { DemStore } from '../../../terrain/index.ts';
import type { DemSummary, ListedRow } from '../../sql/dems.ts';
import {
  DEM_SUMMARY,
  LISTED_DEMS,
  makeDemList,
  parseDem,
  parseDemFile,
  toDemFileRow,
} from '../../sql/dems.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../scenes/without-nul.ts';
import { toFindFiles } from './dem-statements.ts';
import { putDemFiles, removeDem, removeDemFiles } from './dem-writes.ts';

/** Files read ahead by `listFiles`. */
const LIST_BATCH = 500;

/** Elevation models in PostgreSQL. */
export function makePostgresDemStore(client: SqlClient): DemStore {
  const toDemList = makeDemList(async (name) => {
    const [summary] = await client.query<DemSummary>({ sql: DEM_SUMMARY, values: [name] });
    return summary as DemSummary;
  });

  return {
    async putDem(dem) {
      await client.query(
        sql`INSERT INTO dems (name, record) VALUES (${dem.name}, ${JSON.stringify(dem)})
          ON CONFLICT (name) DO UPDATE SET record = excluded.record`,
      );
    },
    async putFiles(files) {
      if (files.length === 0) return;
      const rows = files.map(toDemFileRow);
      await client.inTransaction((held) => putDemFiles(held, rows));
    },
    async list() {
      return toDemList(await client.query<ListedRow>(raw(LISTED_DEMS)));
    },
    async find(name) {
      // PostgreSQL refuses such a text even in a question.
      if (hasNul(name)) return null;
      const [row] = await client.query<{ record: string }>(sql`SELECT record FROM dems WHERE name = ${name}`);
      return row === undefined ? null : parseDem(row.record);
    },
    async findFiles(layers, bounds, limit) {
      const named = layers.filter(({ dem }) => !hasNul(dem));
      if (named.length === 0 || limit <= 0) return [];
      const rows = await client.query<{ record: string }>(toFindFiles(named, bounds, limit));
      return rows.map(({ record }) => parseDemFile(record));
    },
    async *listFiles({ dem, overview }) {
      if (hasNul(dem)) return;
      let after = '';
      while (true) {
        const rows = await client.query<{ id: string; record: string }>(
          sql`SELECT id, record FROM dem_files
            WHERE layer = (SELECT number FROM dem_layers WHERE dem = ${dem} AND overview = ${overview})
              AND id > ${after} ORDER BY id LIMIT ${LIST_BATCH}`,
        );
        for (const { record } of rows) yield parseDemFile(record);
        if (rows.length < LIST_BATCH) return;
        after = rows[LIST_BATCH - 1]?.id ?? after;
      }
    },
    async removeFiles(ids) {
      const named = ids.filter((id) => !hasNul(id));
      if (named.length > 0) await client.inTransaction((held) => removeDemFiles(held, named));
    },
    async removeDem(name) {
      return hasNul(name) ? null : client.inTransaction((held) => removeDem(held, name));
    },
  };
}
