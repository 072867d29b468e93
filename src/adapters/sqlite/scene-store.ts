import type { DatabaseSync } from 'node:sqlite';
import type { Scene, SceneStore, ShapeRelation } from '../../catalog/index.ts';
import { relates, toScene, toSearchFields } from '../../catalog/index.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { toOrder, toWhere } from './scene-query.ts';
import { inTransaction } from './transaction.ts';

/** Scenes in SQLite: the whole record as JSON, beside columns and an R*Tree to find it by. */
export function makeSqliteSceneStore(database: DatabaseSync): SceneStore {
  defineFootprintRelates(database);
  const upsert = database.prepare(
    `INSERT INTO scenes (view_id, scene_id, dataset, date, fields, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (view_id) DO UPDATE SET scene_id = excluded.scene_id, dataset = excluded.dataset,
       date = excluded.date, fields = excluded.fields, record = excluded.record
     RETURNING number`,
  );
  const bound = database.prepare('INSERT OR REPLACE INTO scene_bounds VALUES (?, ?, ?, ?, ?)');
  const byViewId = database.prepare('SELECT record FROM scenes WHERE view_id = ?');
  const count = database.prepare('SELECT count(*) AS n FROM scenes');
  const recent = makeRecentScenes(database);

  return {
    async put(newScene) {
      const scene = toScene(newScene);
      const fields = toSearchFields(scene);
      const { west, east, south, north } = geometryBounds(scene.footprint);
      inTransaction(database, () => {
        const { number } = upsert.get(
          scene.viewId,
          scene.sceneId,
          scene.dataset,
          String(fields.date),
          JSON.stringify(fields),
          JSON.stringify(scene),
        ) as { number: number };
        bound.run(number, west, east, south, north);
      });
      recent.clear();
      return scene;
    },

    async findByViewId(viewId) {
      const known = recent.get(viewId);
      if (known !== undefined) return known;
      const row = byViewId.get(viewId) as { record: string } | undefined;
      if (row === undefined) return null;
      const scene = JSON.parse(row.record) as Scene;
      recent.set(viewId, scene);
      return scene;
    },

    async search(query) {
      const where = toWhere(query);
      const order = toOrder(query);
      const { n } = database
        .prepare(`SELECT count(*) AS n FROM scenes WHERE ${where.sql}`)
        .get(...where.values) as {
        n: number;
      };
      const rows = database
        .prepare(`SELECT record FROM scenes WHERE ${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`)
        .all(...where.values, ...order.values, query.limit, query.offset) as { record: string }[];
      return { found: n, scenes: rows.map((row) => JSON.parse(row.record) as Scene) };
    },

    count: async () => (count.get() as { n: number }).n,
  };
}

/** Scenes remembered at most; a map shows a handful at a time. */
const MAX_RECENT = 256;

/** Parsed records of the last scenes asked for: a map asks for one scene hundreds of times. */
function makeRecentScenes(database: DatabaseSync) {
  const scenes = new Map<string, Scene>();
  // SQLite raises this number when another connection has changed the file; our own changes clear the map themselves.
  const readVersion = database.prepare('PRAGMA data_version');
  let version: unknown;
  return {
    get(viewId: string): Scene | undefined {
      const { data_version: current } = readVersion.get() as { data_version: number };
      if (current !== version) scenes.clear();
      version = current;
      return scenes.get(viewId);
    },
    set(viewId: string, scene: Scene): void {
      if (scenes.size >= MAX_RECENT) scenes.delete(scenes.keys().next().value as string);
      scenes.set(viewId, scene);
    },
    clear: () => scenes.clear(),
  };
}

/** The exact test behind the R*Tree's boxes, as a function SQL can call. */
function defineFootprintRelates(database: DatabaseSync): void {
  database.function('footprint_relates', { deterministic: true }, (record, shape, relation) => {
    const { footprint } = JSON.parse(String(record)) as { footprint: AreaGeometry };
    const geometry = JSON.parse(String(shape)) as PointGeometry | AreaGeometry;
    return Number(relates(footprint, geometry, relation as ShapeRelation));
  });
}
