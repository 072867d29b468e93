import type { DatabaseSync } from 'node:sqlite';
import type { PutOutcome } from '../../catalog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import type { SceneRow } from '../scene-row.ts';
import { toIndexBoxes } from './index-boxes.ts';
import { inTransaction } from './transaction.ts';

/** Everything that changes scenes; runs on the writing thread. */
export function makeSceneWrites(database: DatabaseSync) {
  const find = database.prepare('SELECT number, version FROM scenes WHERE view_id = ?');
  const upsert = database.prepare(
    `INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
     ON CONFLICT (view_id) DO UPDATE SET scene_id = excluded.scene_id, product_id = excluded.product_id,
       dataset = excluded.dataset, date = excluded.date, cloud = excluded.cloud, version = excluded.version,
       footprint = excluded.footprint, fields = excluded.fields
     RETURNING number`,
  );
  const record = database.prepare('INSERT OR REPLACE INTO records (number, hit, rest) VALUES (?, ?, ?)');
  const addBox = database.prepare('INSERT INTO scene_boxes VALUES (?, ?, ?, ?, ?)');
  const dropBoxes = database.prepare('DELETE FROM scene_boxes WHERE id = ? OR id = ?');
  const drop = database.prepare('DELETE FROM scenes WHERE number = ?');

  function put(row: SceneRow): PutOutcome {
    const known = find.get(row.viewId) as { number: number; version: string } | undefined;
    if (known?.version === row.version) return 'unchanged';
    const { viewId, sceneId, productId, dataset, date, cloud, version, footprint, fields } = row;
    const { number } = upsert.get(
      viewId,
      sceneId,
      productId,
      dataset,
      date,
      cloud,
      version,
      footprint,
      fields,
    ) as { number: number };
    record.run(number, row.hit, row.rest);
    if (known !== undefined) dropBoxes.run(number * 2, number * 2 + 1);
    for (const [i, box] of toIndexBoxes(JSON.parse(footprint) as AreaGeometry).entries()) {
      addBox.run(number * 2 + i, box.west, box.east, box.south, box.north);
    }
    return known === undefined ? 'added' : 'replaced';
  }

  return {
    put: (rows: readonly SceneRow[]): readonly PutOutcome[] => inTransaction(database, () => rows.map(put)),
    remove: (viewId: string): boolean =>
      inTransaction(database, () => {
        const known = find.get(viewId) as { number: number } | undefined;
        if (known === undefined) return false;
        dropBoxes.run(known.number * 2, known.number * 2 + 1);
        // Its record goes with it, by the foreign key.
        drop.run(known.number);
        return true;
      }),
  };
}
