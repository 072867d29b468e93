import { makePause } from '../../../async/index.ts';
import type { Scene, SceneHit, SceneStore } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import { parseRecord, toSceneRow, toSceneRows } from '../../sql/scene-row.ts';
import type { Lookups } from '../connection.ts';
import type { PackedRecord, WrittenRow } from '../scenes/packed-records.ts';
import { makePacking, unpackRecord } from '../scenes/packed-records.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Upper bound of cached scenes; a map shows a handful at a time. */
const MAX_RECENT = 256;

/** Parsed records of recently used scenes: a map reads one scene hundreds of times. */
function makeRecentScenes(database: Lookups) {
  const scenes = makeLru<Scene>({ max: MAX_RECENT });
  // SQLite raises this number when another connection changes the file; this connection never writes.
  const readVersion = database.prepare<{ data_version: number }>('PRAGMA data_version');
  let version: number | undefined;
  return {
    get(viewId: string): Scene | undefined {
      const current = readVersion.get()?.data_version;
      if (current !== version) scenes.clear();
      version = current;
      return scenes.get(viewId);
    },
    set: (viewId: string, scene: Scene): void => scenes.set(viewId, scene),
  };
}

interface SceneStoreDeps {
  /** For look-ups by an index, on the calling thread. */
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

/** From this many rows on, packing on another thread pays off. */
const MANY_ROWS = 100;

/** Scenes that `list` reads in one batch. */
const LIST_BATCH = 200;

const RECORD = 'SELECT r.hit, r.rest FROM scenes s JOIN records r ON r.number = s.number';

/** The last scene of a dataset with this scene or product id. */
export const BY_NAME = `${RECORD} WHERE s.dataset = ?1 AND (s.scene_id = ?2 OR s.product_id = ?2)
  ORDER BY s.view_id DESC LIMIT 1`;

/** Scenes in SQLite. */
export function makeSqliteSceneStore({ database, read, write }: SceneStoreDeps): SceneStore {
  const byViewId = database.prepare<PackedRecord>(`${RECORD} WHERE s.view_id = ?`);
  const byName = database.prepare<PackedRecord>(BY_NAME);
  const recent = makeRecentScenes(database);
  /** Splits one list after the other: in parallel, all of them would be in memory half-done. */
  let splitting: Promise<unknown> = Promise.resolve();
  const toRecord = (row: PackedRecord): Scene => parseRecord(unpackRecord(row));

  return {
    async put(scene) {
      const row = toSceneRow(scene);
      await write('putScenes', [row]);
      return { ...scene, version: row.version };
    },

    async replace(scene, version) {
      const row = toSceneRow(scene);
      const isReplaced = await write('replaceScene', row, version);
      return isReplaced ? { ...scene, version: row.version } : null;
    },

    async putMany(scenes) {
      const packing = scenes.length < MANY_ROWS ? null : makePacking((texts) => read('packRests', texts));
      const split = splitting.then(() =>
        toSceneRows(scenes, (row): WrittenRow => {
          if (packing === null) return row;
          packing.add(row.rest);
          return { ...row, rest: null };
        }),
      );
      splitting = split.catch(() => {});
      const rows = await split;
      return packing === null ? write('putScenes', rows) : write('putScenes', rows, await packing.end());
    },

    remove: (viewId) => write('removeScene', viewId),

    async findByViewId(viewId) {
      const known = recent.get(viewId);
      if (known !== undefined) return known;
      const row = byViewId.get(viewId);
      if (row === undefined) return null;
      const scene = toRecord(row);
      recent.set(viewId, scene);
      return scene;
    },

    async findByName(dataset, name) {
      const row = byName.get(dataset, name);
      return row === undefined ? null : toRecord(row);
    },

    async search(query) {
      const { found, records } = await read('searchScenes', query);
      const pause = makePause();
      const scenes: Scene[] = [];
      for (const record of records) {
        await pause();
        scenes.push(parseRecord(record));
      }
      return { found, scenes };
    },

    async searchHits(query) {
      const { found, hits } = await read('searchHits', query);
      return { found, hits: JSON.parse(hits) as SceneHit[] };
    },

    async *list({ dataset } = {}) {
      let after = '';
      while (true) {
        const records = await read('listScenes', after, dataset ?? null, LIST_BATCH);
        for (const record of records) yield parseRecord(record);
        if (records.length < LIST_BATCH) return;
        after = records[LIST_BATCH - 1]?.viewId ?? after;
      }
    },

    count: () => read('countScenes'),
    countByDataset: async () => new Map(await read('countByDataset')),
  };
}
