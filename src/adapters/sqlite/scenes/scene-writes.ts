import type { DatabaseSync } from 'node:sqlite';
import type { PutOutcome } from '../../../catalog/index.ts';
import { listLayouts, MAX_LAYOUTS, toFilesColumn } from '../../sql/hit-pages.ts';
import { fromWkb } from '../../sql/scenes.ts';
import { inSavepoint, inTransaction, prepare } from '../connection.ts';
import type { Portion, WrittenRow } from './packed-records.ts';
import { packRest, piecesOf } from './packed-records.ts';
import type { CountChanges, CountedScene } from './scene-counts.ts';
import { makeCountWrites, noteChange } from './scene-counts.ts';
import { toIndexBoxes } from './scene-search.ts';

/** The columns of a scene that are read before it is replaced or removed. */
type KnownScene = CountedScene & { readonly number: number; readonly version: string };

/** What rows that are put at once share. */
interface PutBatch {
  readonly changes: CountChanges;
  /** Ids of the layouts that are kept. */
  readonly layouts: ReadonlySet<string>;
}

/** Writes of scenes, on the writing thread. */
export function makeSceneWrites(database: DatabaseSync) {
  const writeCounts = makeCountWrites(database);
  const find = prepare<KnownScene>(
    database,
    'SELECT number, version, dataset, date, cloud FROM scenes WHERE view_id = ?',
  );
  // Two statements: INSERT … ON CONFLICT DO UPDATE takes SQLite twice as long as INSERT.
  const insert = database.prepare(
    `INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, unhex(?), jsonb(?))`,
  );
  const update = database.prepare(
    `UPDATE scenes SET view_id = ?, scene_id = ?, product_id = ?, dataset = ?, date = ?, cloud = ?, version = ?,
       footprint = unhex(?), fields = jsonb(?)
     WHERE number = ?`,
  );
  const record = database.prepare(
    'INSERT OR REPLACE INTO records (number, hit, rest, files) VALUES (?, ?, ?, ?)',
  );
  const hasLayout = prepare<{ n: number }>(database, 'SELECT 1 AS n FROM file_layouts WHERE id = ?');
  const addLayout = database.prepare(
    `INSERT INTO file_layouts (id, content) SELECT ?, ? WHERE (SELECT count(*) FROM file_layouts) < ${MAX_LAYOUTS}`,
  );
  const addBox = database.prepare('INSERT INTO scene_boxes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropBoxes = database.prepare('DELETE FROM scene_boxes WHERE id = ? OR id = ?');
  const drop = database.prepare('DELETE FROM scenes WHERE number = ?');

  /** Keeps the layouts of rows, as long as there is room; the ids of those that are kept. */
  function putLayouts(rows: readonly WrittenRow[]): ReadonlySet<string> {
    const kept = listLayouts(rows).filter(
      ({ id, text }) => hasLayout.get(id) !== undefined || addLayout.run(id, text).changes > 0,
    );
    return new Set(kept.map(({ id }) => id));
  }

  function put(row: WrittenRow, rest: Uint8Array | undefined, { changes, layouts }: PutBatch): PutOutcome {
    const known = find.get(row.viewId);
    if (known?.version === row.version) return 'unchanged';
    noteChange(changes, { before: known, after: row });
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
    record.run(number, row.hit, rest ?? packRest(row.rest ?? ''), toFilesColumn(row, layouts));
    if (known !== undefined) dropBoxes.run(number * 2, number * 2 + 1);
    for (const [i, box] of toIndexBoxes(fromWkb(Buffer.from(footprint, 'hex'))).entries()) {
      addBox.run(number * 2 + i, box.west, box.east, box.south, box.north, dataset, date, cloud);
    }
    return known === undefined ? 'added' : 'replaced';
  }

  return {
    /** Puts all rows or none, inside the thread's transaction for all waiting puts. */
    put: (rows: readonly WrittenRow[], packed: readonly Portion[] = []): readonly PutOutcome[] =>
      inSavepoint(database, () => {
        const changes: CountChanges = new Map();
        const rests = packed.flatMap(piecesOf);
        const batch = { changes, layouts: putLayouts(rows) };
        const outcomes = rows.map((row, i) => put(row, rests[i], batch));
        writeCounts(changes);
        return outcomes;
      }),
    /** Replaces a scene; false if it now has another version or is gone. */
    replace: (row: WrittenRow, version: string): boolean =>
      inTransaction(database, () => {
        const known = find.get(row.viewId);
        if (known?.version !== version) return false;
        const changes: CountChanges = new Map();
        put(row, undefined, { changes, layouts: putLayouts([row]) });
        writeCounts(changes);
        return true;
      }),
    remove: (viewId: string): boolean =>
      inTransaction(database, () => {
        const known = find.get(viewId);
        if (known === undefined) return false;
        dropBoxes.run(known.number * 2, known.number * 2 + 1);
        // The foreign key removes its record too.
        drop.run(known.number);
        const changes: CountChanges = new Map();
        noteChange(changes, { before: known });
        writeCounts(changes);
        return true;
      }),
  };
}
