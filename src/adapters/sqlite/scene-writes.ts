import type { DatabaseSync } from 'node:sqlite';
import type { PutOutcome } from '../../catalog/index.ts';
import { fromWkb } from '../well-known-binary.ts';
import { toIndexBoxes } from './index-boxes.ts';
import type { WrittenRow } from './packed-record.ts';
import { packRest } from './packed-record.ts';
import { inSavepoint, inTransaction } from './transaction.ts';

/** Everything that changes scenes; runs on the writing thread. */
export function makeSceneWrites(database: DatabaseSync) {
  const find = database.prepare('SELECT number, version FROM scenes WHERE view_id = ?');
  // Not one statement for both: to insert "or else update" takes SQLite twice as long as to insert.
  const insert = database.prepare(
    `INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, unhex(?), jsonb(?))`,
  );
  const update = database.prepare(
    `UPDATE scenes SET view_id = ?, scene_id = ?, product_id = ?, dataset = ?, date = ?, cloud = ?, version = ?,
       footprint = unhex(?), fields = jsonb(?)
     WHERE number = ?`,
  );
  const record = database.prepare('INSERT OR REPLACE INTO records (number, hit, rest) VALUES (?, ?, ?)');
  const addBox = database.prepare('INSERT INTO scene_boxes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropBoxes = database.prepare('DELETE FROM scene_boxes WHERE id = ? OR id = ?');
  const drop = database.prepare('DELETE FROM scenes WHERE number = ?');

  function put(row: WrittenRow): PutOutcome {
    const known = find.get(row.viewId) as { number: number; version: string } | undefined;
    if (known?.version === row.version) return 'unchanged';
    const { dataset, date, cloud, footprint } = row;
    const values = [
      row.viewId,
      row.sceneId,
      row.productId,
      dataset,
      date,
      cloud,
      row.version,
      footprint,
      row.fields,
    ] as const;
    if (known !== undefined) update.run(...values, known.number);
    const number = known?.number ?? Number(insert.run(...values).lastInsertRowid);
    record.run(number, row.hit, typeof row.rest === 'string' ? packRest(row.rest) : row.rest);
    if (known !== undefined) dropBoxes.run(number * 2, number * 2 + 1);
    for (const [i, box] of toIndexBoxes(fromWkb(Buffer.from(footprint, 'hex'))).entries()) {
      addBox.run(number * 2 + i, box.west, box.east, box.south, box.north, dataset, date, cloud);
    }
    return known === undefined ? 'added' : 'replaced';
  }

  return {
    /** All or none; inside of the transaction that the thread has begun for those who wait. */
    put: (rows: readonly WrittenRow[]): readonly PutOutcome[] => inSavepoint(database, () => rows.map(put)),
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
