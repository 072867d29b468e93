import type { DatabaseSync } from 'node:sqlite';
import type { PutBounds } from '../../../live/index.ts';
import type { KnownSceneRow } from '../../sql/known-scene-row.ts';
import { MAX_EXPIRED_CLAIMS } from '../../sql/known-scene-row.ts';
import { inSavepoint, prepare } from '../connection.ts';
import { packRest } from '../scenes/packed-records.ts';

/** The scenes that go, when `?2` are too many: the least recently used that are not held at the time `?1`. */
export const LEAST_USED =
  'SELECT number FROM known_scenes WHERE held_until <= ?1 ORDER BY used_at, number LIMIT ?2';

export const RELEASE = 'DELETE FROM known_scene_claims WHERE view_id = ? AND owner = ?';

/** All that is done with known scenes beyond look-ups and single statements. */
export function makeKnownSceneOperations(database: DatabaseSync) {
  const find = prepare<{ number: number; version: string }>(
    database,
    'SELECT number, version FROM known_scenes WHERE view_id = ?',
  );
  const insert = database.prepare(
    `INSERT INTO known_scenes (view_id, scene_id, product_id, dataset, version, checked_at, item_state, catalog, item_url,
       used_at, held_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE known_scenes SET scene_id = ?, product_id = ?, dataset = ?, version = ?, checked_at = ?, item_state = ?,
       catalog = ?, item_url = ?, used_at = max(used_at, ?), held_until = max(held_until, ?)
     WHERE number = ?`,
  );
  const record = database.prepare(
    'INSERT OR REPLACE INTO known_records (number, hit, rest) VALUES (?, ?, ?)',
  );
  const count = prepare<{ n: number }>(database, 'SELECT count(*) AS n FROM known_scenes');
  // The records go with them, by the foreign key.
  const evict = database.prepare(`DELETE FROM known_scenes WHERE number IN (${LEAST_USED})`);
  const claim = database.prepare(
    `INSERT INTO known_scene_claims (view_id, owner, until_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (view_id) DO UPDATE SET owner = excluded.owner, until_at = excluded.until_at
       WHERE owner = excluded.owner OR until_at <= ?4`,
  );
  const expire = database.prepare(
    `DELETE FROM known_scene_claims WHERE view_id IN
       (SELECT view_id FROM known_scene_claims WHERE until_at <= ?1 AND view_id <> ?2 ORDER BY until_at LIMIT ?3)`,
  );

  const release = database.prepare(RELEASE);

  function put(row: KnownSceneRow, { usedAt, heldUntil = '' }: PutBounds): void {
    const { viewId, sceneId, productId, dataset, version, checkedAt, itemState, catalog, itemUrl } = row;
    const known = find.get(viewId);
    const values = [
      sceneId,
      productId,
      dataset,
      version,
      checkedAt,
      itemState,
      catalog,
      itemUrl,
      usedAt,
      heldUntil,
    ] as const;
    if (known !== undefined) update.run(...values, known.number);
    const number = known?.number ?? Number(insert.run(viewId, ...values).lastInsertRowid);
    if (known?.version !== version) record.run(number, row.hit, packRest(row.rest));
  }

  return {
    put: (rows: readonly KnownSceneRow[], bounds: PutBounds): void =>
      inSavepoint(database, () => {
        for (const row of rows) put(row, bounds);
        const { max, usedAt, released } = bounds;
        const tooMany = (count.get()?.n ?? 0) - max;
        if (tooMany > 0) evict.run(usedAt, tooMany);
        if (released !== undefined) release.run(released.viewId, released.owner);
      }),
    /** For a reading thread: of a full table it takes some milliseconds. */
    count: (): number => count.get()?.n ?? 0,
    claim: (viewId: string, owner: string, untilMs: number): boolean =>
      inSavepoint(database, () => {
        const nowMs = Date.now();
        expire.run(nowMs, viewId, MAX_EXPIRED_CLAIMS);
        return Number(claim.run(viewId, owner, Math.round(untilMs), nowMs).changes) > 0;
      }),
  };
}
