import { makePause } from '../../../async/index.ts';
import type { Scene } from '../../../catalog/index.ts';
import type { KnownScene, KnownSceneStore } from '../../../live/index.ts';
import { makeLru } from '../../../lru.ts';
import type { ItemRow, KnownSceneRow } from '../../sql/known-scene-row.ts';
import { ITEM_COLUMNS, toKnownScene, toKnownSceneRow } from '../../sql/known-scene-row.ts';
import { parseRecord } from '../../sql/scene-row.ts';
import type { Lookups } from '../connection.ts';
import type { PackedRecord } from '../scenes/packed-records.ts';
import { unpackRecord } from '../scenes/packed-records.ts';
import type { Ask } from '../threads/database-threads.ts';
import { RELEASE } from '../threads/known-scene-operations.ts';

/** What is read of a scene before its record. */
interface FoundRow extends ItemRow {
  readonly number: number;
  readonly version: string;
}

const FOUND = `SELECT s.number, s.version, ${ITEM_COLUMNS} FROM known_scenes s`;

/** The last scene of a dataset that has a name, as scene or as product. */
export const KNOWN_BY_NAME = `${FOUND} WHERE s.dataset = ?1 AND (s.scene_id = ?2 OR s.product_id = ?2)
  ORDER BY s.view_id DESC LIMIT 1`;

export const TOUCH = `UPDATE known_scenes SET used_at = ?1
  WHERE view_id IN (SELECT value FROM json_each(?2)) AND used_at < ?1`;
const HOLD = `UPDATE known_scenes SET held_until = ?1
  WHERE view_id IN (SELECT value FROM json_each(?2)) AND held_until < ?1`;
const CONFIRM = 'UPDATE known_scenes SET checked_at = ?1 WHERE view_id = ?2 AND checked_at < ?1';
const REMOVE = 'DELETE FROM known_scenes WHERE view_id = ?';

/** Max records remembered; a map shows a handful at a time. */
const MAX_RECENT = 256;

interface KnownSceneStoreDeps {
  /** For look-ups by an index, on the calling thread. */
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

/** Known scenes in SQLite. */
export function makeSqliteKnownSceneStore({ database, read, write }: KnownSceneStoreDeps): KnownSceneStore {
  const byViewId = database.prepare<FoundRow>(`${FOUND} WHERE s.view_id = ?`);
  const byName = database.prepare<FoundRow>(KNOWN_BY_NAME);
  const recordOf = database.prepare<PackedRecord>('SELECT hit, rest FROM known_records WHERE number = ?');
  /** Parsed records, under a number and a version: what they name never changes, however often the table does. */
  const recent = makeLru<Scene>({ max: MAX_RECENT });

  function toFound(row: FoundRow | undefined): KnownScene | null {
    if (row === undefined) return null;
    const key = `${row.number} ${row.version}`;
    const known = recent.get(key);
    if (known !== undefined) return toKnownScene(known, row);
    const record = recordOf.get(row.number);
    // Another process has removed the scene since the row was read.
    if (record === undefined) return null;
    const scene = parseRecord(unpackRecord(record));
    if (scene.version === row.version) recent.set(key, scene);
    return toKnownScene(scene, row);
  }

  return {
    findByViewId: async (viewId) => toFound(byViewId.get(viewId)),
    findByName: async (dataset, name) => toFound(byName.get(dataset, name)),
    async putMany(scenes, bounds) {
      const rows: KnownSceneRow[] = [];
      const pause = makePause();
      for (const scene of scenes) {
        await pause();
        rows.push(toKnownSceneRow(scene));
      }
      await write('putKnownScenes', rows, bounds);
      return scenes.map(({ scene }, i) => ({ ...scene, version: (rows[i] as KnownSceneRow).version }));
    },
    async touch(viewIds, usedAt) {
      await write('run', TOUCH, [usedAt, JSON.stringify(viewIds)]);
    },
    async hold(viewIds, until) {
      await write('run', HOLD, [until, JSON.stringify(viewIds)]);
    },
    async confirm(viewId, checkedAt) {
      await write('run', CONFIRM, [checkedAt, viewId]);
    },
    remove: async (viewId) => (await write('run', REMOVE, [viewId])) > 0,
    count: () => read('countKnownScenes'),
    claim: (viewId, { owner, untilMs }) => write('claimKnownScene', viewId, owner, untilMs),
    async release(viewId, owner) {
      await write('run', RELEASE, [viewId, owner]);
    },
  };
}
