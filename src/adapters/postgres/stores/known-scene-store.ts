import { makePause } from '../../../async/index.ts';
import { compareTexts } from '../../../catalog/index.ts';
import type { KnownScene, KnownSceneStore } from '../../../live/index.ts';
import type { ItemRow, KnownSceneRow } from '../../sql/known-scene-row.ts';
import {
  ITEM_COLUMNS,
  MAX_EXPIRED_CLAIMS,
  parseKnownScene,
  toKnownSceneRow,
} from '../../sql/known-scene-row.ts';
import type { StoredRecord } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockKnownScenes } from './write-locks.ts';

const FOUND = raw(
  `SELECT ${ITEM_COLUMNS}, r.hit, r.rest FROM known_scenes s JOIN known_records r ON r.number = s.number`,
);

/**
 * Known scenes in PostgreSQL. Nodes that add or remove scenes do so one after the other. What only notes something about
 * scenes locks their rows in the order of view ids, as `putMany` does, and removal passes over rows that are locked: so no
 * two nodes wait for each other.
 */
export function makePostgresKnownSceneStore(client: SqlClient): KnownSceneStore {
  async function findOne(clause: Clause): Promise<KnownScene | null> {
    // No stored name contains a NUL, and PostgreSQL would reject a query with one.
    if (clause.values.some(hasNul)) return null;
    const [row] = await client.query<ItemRow & StoredRecord>(clause);
    return row === undefined ? null : parseKnownScene(row);
  }

  /** Sets a time of scenes, where it is later than the one they have. */
  async function noteTime(
    through: Pick<SqlClient, 'query'>,
    column: 'used_at' | 'held_until' | 'checked_at',
    viewIds: readonly string[],
    time: string,
  ): Promise<void> {
    const known = viewIds.filter((viewId) => !hasNul(viewId));
    if (known.length === 0) return;
    await through.query({
      sql: `WITH noted AS (
          SELECT number FROM known_scenes WHERE view_id = ANY(?::text[]) AND ${column} < ?
            ORDER BY view_id FOR NO KEY UPDATE
        )
        UPDATE known_scenes s SET ${column} = ? FROM noted WHERE s.number = noted.number`,
      values: [known, time, time],
    });
  }

  async function release(through: Pick<SqlClient, 'query'>, viewId: string, owner: string): Promise<void> {
    if (hasNul(viewId)) return;
    await through.query(sql`DELETE FROM known_scene_claims WHERE view_id = ${viewId} AND owner = ${owner}`);
  }

  return {
    findByViewId: (viewId) => findOne(sql`${FOUND} WHERE s.view_id = ${viewId}`),
    findByName: (dataset, name) =>
      findOne(
        sql`${FOUND} WHERE s.dataset = ${dataset} AND (s.scene_id = ${name} OR s.product_id = ${name})
          ORDER BY s.view_id DESC LIMIT 1`,
      ),
    async putMany(scenes, { max, usedAt, heldUntil, released }) {
      const rows: KnownSceneRow[] = [];
      const pause = makePause();
      for (const scene of scenes) {
        await pause();
        rows.push(toKnownSceneRow(scene));
      }
      await client.inTransaction(async (held) => {
        await lockKnownScenes(held);
        for (const batch of toBatches(rows)) await putBatch(held, batch, usedAt);
        const viewIds = rows.map(({ viewId }) => viewId);
        if (heldUntil !== undefined) await noteTime(held, 'held_until', viewIds, heldUntil);
        await evict(held, max, usedAt);
        if (released !== undefined) await release(held, released.viewId, released.owner);
      });
      return scenes.map(({ scene }, i) => ({ ...scene, version: (rows[i] as KnownSceneRow).version }));
    },
    touch: (viewIds, usedAt) => noteTime(client, 'used_at', viewIds, usedAt),
    hold: (viewIds, until) => noteTime(client, 'held_until', viewIds, until),
    confirm: (viewId, checkedAt) => noteTime(client, 'checked_at', [viewId], checkedAt),
    async remove(viewId) {
      if (hasNul(viewId)) return false;
      return client.inTransaction(async (held) => {
        await lockKnownScenes(held);
        const gone = await held.query(
          sql`DELETE FROM known_scenes WHERE view_id = ${viewId} RETURNING number`,
        );
        return gone.length > 0;
      });
    },
    count: () => readCount(client),
    async claim(viewId, { owner, untilMs }) {
      if (hasNul(viewId)) return false;
      const nowMs = Date.now();
      const claimed = await client.query(
        sql`INSERT INTO known_scene_claims AS c (view_id, owner, until_at) VALUES (${viewId}, ${owner}, ${Math.round(untilMs)})
          ON CONFLICT (view_id) DO UPDATE SET owner = excluded.owner, until_at = excluded.until_at
            WHERE c.owner = excluded.owner OR c.until_at <= ${nowMs}
          RETURNING view_id`,
      );
      if (claimed.length === 0) return false;
      // A statement of its own, which waits for nobody: with the claim in one transaction, two nodes could each have
      // removed the claim that the other one wants.
      await client.query(
        sql`WITH expired AS MATERIALIZED (
            SELECT view_id FROM known_scene_claims WHERE until_at <= ${nowMs} AND view_id <> ${viewId}
              ORDER BY until_at LIMIT ${MAX_EXPIRED_CLAIMS} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM known_scene_claims c USING expired WHERE c.view_id = expired.view_id`,
      );
      return true;
    },
    release: (viewId, owner) => release(client, viewId, owner),
  };
}

/** Rows of one statement: some 3 MB of JSON. */
const ROWS_AT_A_TIME = 500;

/** The last row of each view id, in the order of view ids, so many at a time. */
function toBatches(rows: readonly KnownSceneRow[]): readonly (readonly KnownSceneRow[])[] {
  const last = new Map(rows.map((row) => [row.viewId, row]));
  const sorted = [...last.values()].sort((a, b) => compareTexts(a.viewId, b.viewId));
  const batches: KnownSceneRow[][] = [];
  for (let i = 0; i < sorted.length; i += ROWS_AT_A_TIME) batches.push(sorted.slice(i, i + ROWS_AT_A_TIME));
  return batches;
}

/**
 * The versions from before are read first: an equal record is not written again. By number, because another node may
 * remove a scene in between: then it has a new number, and its record is written.
 */
const PUT = `
  WITH input AS (
    SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
      ?::text[], ?::text[], ?::text[])
      AS row(view_id, scene_id, product_id, dataset, version, checked_at, item_state, catalog, item_url, hit, rest)
  ), before AS (
    SELECT s.number, s.version FROM known_scenes s JOIN input USING (view_id)
  ), put AS (
    INSERT INTO known_scenes AS s (view_id, scene_id, product_id, dataset, version, checked_at, item_state, catalog,
        item_url, used_at)
      SELECT view_id, scene_id, product_id, dataset, version, checked_at, item_state, catalog, item_url, ?
      FROM input ORDER BY view_id
    ON CONFLICT (view_id) DO UPDATE SET scene_id = excluded.scene_id, product_id = excluded.product_id,
      dataset = excluded.dataset, version = excluded.version, checked_at = excluded.checked_at,
      item_state = excluded.item_state, catalog = excluded.catalog, item_url = excluded.item_url,
      used_at = greatest(s.used_at, excluded.used_at)
    RETURNING s.number, s.view_id
  )
  INSERT INTO known_records (number, hit, rest)
    SELECT put.number, input.hit, input.rest FROM put JOIN input USING (view_id)
      LEFT JOIN before USING (number)
    WHERE before.version IS DISTINCT FROM input.version
  ON CONFLICT (number) DO UPDATE SET hit = excluded.hit, rest = excluded.rest`;

async function putBatch(client: SqlClient, rows: readonly KnownSceneRow[], usedAt: string): Promise<void> {
  await client.query({
    sql: PUT,
    values: [
      rows.map(({ viewId }) => viewId),
      rows.map(({ sceneId }) => sceneId),
      rows.map(({ productId }) => productId),
      rows.map(({ dataset }) => dataset),
      rows.map(({ version }) => version),
      rows.map(({ checkedAt }) => checkedAt),
      rows.map(({ itemState }) => itemState),
      rows.map(({ catalog }) => catalog),
      rows.map(({ itemUrl }) => itemUrl),
      rows.map(({ hit }) => hit),
      rows.map(({ rest }) => rest),
      usedAt,
    ],
  });
}

/** Triggers keep the count. */
async function readCount(client: SqlClient): Promise<number> {
  const [row] = await client.query<{ n: string }>(raw('SELECT n FROM known_scene_count'));
  return Number(row?.n ?? 0);
}

/** The records go with their scenes, by the foreign key. A row that is locked is in use. */
async function evict(client: SqlClient, max: number, usedAt: string): Promise<void> {
  const tooMany = (await readCount(client)) - max;
  if (tooMany <= 0) return;
  await client.query(
    sql`WITH gone AS MATERIALIZED (
        SELECT number FROM known_scenes WHERE held_until <= ${usedAt} ORDER BY used_at, number
          LIMIT ${tooMany} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM known_scenes s USING gone WHERE s.number = gone.number`,
  );
}
