import type { FiledHit, PutOutcome, Scene, SceneStore } from '../../../catalog/index.ts';
import { parseHit, parseHits, toFilesColumn, toHitLists, toSharedFiles } from '../../sql/hit-pages.ts';
import type { SceneRow, StoredRecord } from '../../sql/scenes.ts';
import { parseRecord, toSceneRow, toSceneRows } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import type { FilesRow } from './file-layouts.ts';
import { FILES_COLUMNS, makeFileLayouts } from './file-layouts.ts';
import { searchRecords } from './scene-search.ts';

/** Scenes that `list` reads in one batch. */
const LIST_BATCH = 200;

const RECORD = raw('SELECT s.view_id, r.hit, r.rest FROM scenes s JOIN records r ON r.number = s.number');
const FILES = raw(`SELECT ${FILES_COLUMNS} FROM scenes s JOIN records r ON r.number = s.number`);

/** Scenes in PostgreSQL. */
export function makePostgresSceneStore(client: SqlClient): SceneStore {
  const layouts = makeFileLayouts(client);
  async function findRow<Row>(clause: Clause): Promise<Row | null> {
    // No stored name contains NUL, and PostgreSQL refuses a statement with it.
    if (clause.values.some(hasNul)) return null;
    const [row] = await client.query<Row>(clause);
    return row ?? null;
  }
  async function findOne(clause: Clause): Promise<Scene | null> {
    const row = await findRow<StoredRecord>(clause);
    return row === null ? null : parseRecord(row);
  }
  const putAll = async (rows: readonly SceneRow[]) => putRows(client, rows, await layouts.keep(rows));
  return {
    async put(scene) {
      const row = toSceneRow(scene);
      await putAll([row]);
      return { ...scene, version: row.version };
    },
    async replace(scene, version) {
      const row = toSceneRow(scene);
      const kept = await layouts.keep([row]);
      return client.inTransaction(async (held) => {
        const [known] = await held.query<{ version: string }>(
          sql`SELECT version FROM scenes WHERE view_id = ${row.viewId} FOR UPDATE`,
        );
        if (known?.version !== version) return null;
        await putRows(held, [row], kept);
        return { ...scene, version: row.version };
      });
    },
    putMany: async (scenes) => putAll(await toSceneRows(scenes)),
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
    async findHit(viewId) {
      const row = await findRow<FilesRow>(sql`${FILES} WHERE s.view_id = ${viewId}`);
      if (row === null) return null;
      const [files] = await layouts.readFiles([row]);
      return parseHit(row.hit, files as FiledHit['files']);
    },
    findByName: (dataset, name) =>
      findOne(
        sql`${RECORD} WHERE s.dataset = ${dataset} AND (s.scene_id = ${name} OR s.product_id = ${name})
          ORDER BY s.view_id DESC LIMIT 1`,
      ),
    async search(query) {
      const { found, records } = await searchRecords(client, query, 'whole');
      return { found, scenes: records.map(parseRecord) };
    },
    async searchHits(query) {
      if (query.withFiles !== true) {
        const { found, records } = await searchRecords(client, query, 'hits');
        return parseHits({ found, hits: toHitLists(records.map(({ hit }) => hit)) });
      }
      const { found, records } = await searchRecords(client, query, 'files');
      const hits = toHitLists(records.map(({ hit }) => hit));
      return parseHits({ found, hits, files: toSharedFiles(await layouts.readFiles(records)) });
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
        // The count table has a row for a month: counting a million scenes would take a tenth of a second.
        raw(
          `SELECT dataset, sum(totals[cardinality(totals)]) AS n FROM month_tallies GROUP BY dataset
            HAVING sum(totals[cardinality(totals)]) > 0 ORDER BY dataset`,
        ),
      );
      return new Map(rows.map(({ dataset, n }) => [dataset, Number(n)]));
    },
  };
}

/** Rows per statement: about 3 MB of JSON. */
const ROWS_AT_A_TIME = 500;

/** Puts all rows or none; returns the outcome of each, in order. */
async function putRows(
  client: SqlClient,
  rows: readonly SceneRow[],
  layouts: ReadonlySet<string>,
): Promise<readonly PutOutcome[]> {
  const outcomes = new Array<PutOutcome>(rows.length).fill('unchanged');
  const batches = toBatches(rows);
  const putAll = async (held: SqlClient): Promise<void> => {
    for (const batch of batches) {
      const changed = await putBatch(
        held,
        batch.map((i) => rows[i] as SceneRow),
        layouts,
      );
      for (const i of batch) outcomes[i] = changed.get((rows[i] as SceneRow).viewId) ?? 'unchanged';
    }
  };
  // A single statement is its own transaction.
  await (batches.length > 1 ? client.inTransaction(putAll) : putAll(client));
  return outcomes;
}

/**
 * Divides rows into statements, as positions. Sorted by view id, so that nodes that write the same scenes at once wait for
 * each other and do not deadlock; a repeated view id goes into a later statement.
 */
function toBatches(rows: readonly SceneRow[]): readonly (readonly number[])[] {
  const positions = [...rows.keys()].sort(
    (a, b) => compare(rows[a] as SceneRow, rows[b] as SceneRow) || a - b,
  );
  const batches: number[][] = [];
  let last: string | undefined;
  for (const i of positions) {
    const { viewId } = rows[i] as SceneRow;
    const open = batches.at(-1);
    if (open === undefined || open.length >= ROWS_AT_A_TIME || viewId === last) batches.push([i]);
    else open.push(i);
    last = viewId;
  }
  return batches;
}

const compare = (a: SceneRow, b: SceneRow): number =>
  a.viewId < b.viewId ? -1 : Number(a.viewId > b.viewId);

const PUT = `
  WITH input AS (
    SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::float8[], ?::text[],
      string_to_array(?, chr(1)), string_to_array(?, chr(1)), string_to_array(?, chr(1)), string_to_array(?, chr(1)), ?::text[])
      AS row(view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields, hit, rest, files)
  ), changed AS (
    INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
      SELECT view_id, scene_id, product_id, dataset, date, cloud, version, footprint::geometry, fields::jsonb
      FROM input
    ON CONFLICT (view_id) DO UPDATE SET scene_id = excluded.scene_id, product_id = excluded.product_id,
      dataset = excluded.dataset, date = excluded.date, cloud = excluded.cloud, version = excluded.version,
      footprint = excluded.footprint, fields = excluded.fields
      WHERE scenes.version <> excluded.version
    -- xmax is 0 in a row that has had no other version.
    RETURNING number, view_id, (xmax = 0) AS added
  ), written AS (
    INSERT INTO records (number, hit, rest, files)
      SELECT changed.number, input.hit, input.rest, input.files FROM changed JOIN input USING (view_id)
    ON CONFLICT (number) DO UPDATE SET hit = excluded.hit, rest = excluded.rest, files = excluded.files
  )
  SELECT view_id, added FROM changed`;

/** JSON contains only escaped control characters, so long lists are joined by one, which avoids quoting them again. */
const SEPARATOR = '\u0001';

async function putBatch(
  client: SqlClient,
  rows: readonly SceneRow[],
  layouts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, PutOutcome>> {
  const values = [
    rows.map(({ viewId }) => viewId),
    rows.map(({ sceneId }) => sceneId),
    rows.map(({ productId }) => productId),
    rows.map(({ dataset }) => dataset),
    rows.map(({ date }) => date),
    rows.map(({ cloud }) => cloud),
    rows.map(({ version }) => version),
    rows.map(({ footprint }) => footprint).join(SEPARATOR),
    rows.map(({ fields }) => fields).join(SEPARATOR),
    rows.map(({ hit }) => hit).join(SEPARATOR),
    rows.map(({ rest }) => rest).join(SEPARATOR),
    rows.map((row) => toFilesColumn(row, layouts)),
  ];
  const changed = await client.query<{ view_id: string; added: boolean }>({ sql: PUT, values });
  return new Map(changed.map(({ view_id, added }) => [view_id, added ? 'added' : 'replaced']));
}
