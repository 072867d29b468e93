/** What SQLite has of scenes: their records, those known from live catalogs, and what was measured of them. */
import { makePause } from '../../../async/index.ts';
import type { Scene, SceneStore } from '../../../catalog/index.ts';
import type { CoverageStore } from '../../../coverage/index.ts';
import type { KnownScene, KnownSceneStore } from '../../../live/index.ts';
import { makeLru } from '../../../lru.ts';
import type { ContrastStore, IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import type { Measured, SceneStatisticsStore } from '../../../zonal/index.ts';
import { parseHit, parseHits } from '../../sql/hit-pages.ts';
import type { ItemRow, KnownSceneRow } from '../../sql/known-scene-row.ts';
import { ITEM_COLUMNS, toKnownScene, toKnownSceneRow } from '../../sql/known-scene-row.ts';
import { parseRecord, toSceneRow, toSceneRows } from '../../sql/scenes.ts';
import type { Lookups } from '../connection.ts';
import type { FilesRow, PackedRecord, WrittenRow } from '../scenes/packed-records.ts';
import { makeFindFiles, makePacking, unpackRecord } from '../scenes/packed-records.ts';
import type { makeShortSearch } from '../scenes/short-search.ts';
import type { Ask } from '../threads/database-threads.ts';
import { RELEASE } from '../threads/known-scene-operations.ts';

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

/** What a store uses of the database. */
interface Connections {
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
export function makeSqliteSceneStore(
  { database, read, write }: Connections,
  findShort: ReturnType<typeof makeShortSearch>,
): SceneStore {
  const byViewId = database.prepare<PackedRecord>(`${RECORD} WHERE s.view_id = ?`);
  const byName = database.prepare<PackedRecord>(BY_NAME);
  const recent = makeRecentScenes(database);
  const filesOf = database.prepare<FilesRow>(
    `SELECT r.number, r.hit, r.files FROM scenes s JOIN records r ON r.number = s.number WHERE s.view_id = ?`,
  );
  const findFiles = makeFindFiles(database);
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

    async findHit(viewId) {
      const row = filesOf.get(viewId);
      if (row === undefined) return null;
      return parseHit(row.hit, findFiles(row));
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

    searchHits: async (query) => parseHits(findShort(query) ?? (await read('searchHits', query))),

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

/** Known scenes in SQLite. */
export function makeSqliteKnownSceneStore({ database, read, write }: Connections): KnownSceneStore {
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

const PUT_CONTRAST = 'INSERT OR REPLACE INTO contrasts (key, low, high) VALUES (?, ?, ?)';

const TRIM_CONTRAST = 'DELETE FROM contrasts WHERE number <= (SELECT max(number) FROM contrasts) - ?';

/** Computed contrast ranges in SQLite. Only the newest are stored, so that a stream of new expressions does not fill the disk. */
export function makeSqliteContrastStore(database: Lookups, write: Ask, maxStored = 1_000_000): ContrastStore {
  const find = database.prepare<{ min: number; max: number }>(
    'SELECT low AS min, high AS max FROM contrasts WHERE key = ?',
  );
  return {
    async find(key) {
      const row = find.get(key);
      return row === undefined ? null : { min: row.min, max: row.max };
    },
    async put(key, range) {
      await write('run', PUT_CONTRAST, [key, range.min, range.max]);
      await write('run', TRIM_CONTRAST, [maxStored]);
    },
  };
}

const PUT_INTENSITY = 'INSERT OR REPLACE INTO intensities (key, answer) VALUES (?, ?)';
const TRIM_INTENSITY = 'DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ?';

/** Intensity ranges in SQLite. Only the newest are stored, so that a stream of new rectangles does not fill the disk. */
export function makeSqliteIntensityStore(database: Lookups, write: Ask, maxStored = 100_000): IntensityStore {
  const find = database.prepare<{ answer: string }>('SELECT answer FROM intensities WHERE key = ?');
  return {
    async find(key) {
      const row = find.get(key);
      return row === undefined ? null : (JSON.parse(row.answer) as IntensityAnswer);
    },
    async put(key, answer) {
      await write('run', PUT_INTENSITY, [key, JSON.stringify(answer)]);
      await write('run', TRIM_INTENSITY, [maxStored]);
    },
  };
}

const PUT_STATISTICS = `INSERT OR REPLACE INTO scene_statistics (key, measured)
  SELECT value ->> 0, value ->> 1 FROM json_each(?)`;
const TRIM_STATISTICS =
  'DELETE FROM scene_statistics WHERE number <= (SELECT max(number) FROM scene_statistics) - ?';

/** The oldest rows are removed after this many new ones, and not with each, which would be another commit. */
const TRIM_AFTER = 1_000;

/** Measurements in SQLite. Only the newest are stored: about 400 bytes each. */
export function makeSqliteSceneStatisticsStore(
  database: Lookups,
  write: Ask,
  maxStored = 1_000_000,
): SceneStatisticsStore {
  let untrimmed = 0;
  const find = database.prepare<{ measured: string }>('SELECT measured FROM scene_statistics WHERE key = ?');
  return {
    async findMany(keys) {
      const found = new Map<string, Measured>();
      const pause = makePause();
      for (const key of keys) {
        await pause();
        const row = find.get(key);
        if (row !== undefined) found.set(key, JSON.parse(row.measured) as Measured);
      }
      return found;
    },
    async putMany(entries) {
      const rows = entries.map(([key, measured]) => [key, JSON.stringify(measured)]);
      await write('run', PUT_STATISTICS, [JSON.stringify(rows)]);
      untrimmed += rows.length;
      if (untrimmed < TRIM_AFTER) return;
      untrimmed = 0;
      await write('run', TRIM_STATISTICS, [maxStored]);
    },
  };
}

/**
 * Cells of cloud masks in SQLite. Only the newest are stored: most have a few hundred bytes, none more than four
 * kilobytes.
 */
export function makeSqliteCoverageStore(
  { database, read, write }: Connections,
  maxStored = 250_000,
): CoverageStore {
  let untrimmed = 0;
  const findMask = database.prepare<{ mask: string }>('SELECT mask FROM coverage_masks WHERE key = ?');
  return {
    async findMasks(keys) {
      const found = new Map<string, string>();
      const pause = makePause();
      for (const key of keys) {
        await pause();
        const row = findMask.get(key);
        if (row !== undefined) found.set(key, row.mask);
      }
      return found;
    },
    findCells: async (wanted) => read('findCoverageCells', wanted),
    async put(masks, cells) {
      untrimmed += masks.length + cells.length;
      const isTrimmed = untrimmed >= Math.min(TRIM_AFTER, maxStored);
      if (isTrimmed) untrimmed = 0;
      await write('putCoverage', masks, cells, isTrimmed ? { masks: maxStored, cells: maxStored } : null);
    },
  };
}
