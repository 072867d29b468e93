import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { DemLayer } from '../../../terrain/index.ts';
import type { DemFileRow, DemSummary } from '../../sql/dems.ts';
import { DEM_SUMMARY, toDemBox, unknownDem } from '../../sql/dems.ts';
import { inTransaction, prepare } from '../connection.ts';

/** The row of a stored file. */
interface KnownFile {
  readonly number: number;
  readonly layer: number;
}

interface LayerNumber {
  readonly number: number;
}

/** Writes of elevation model files, and reads that scan all of them. */
export function makeDemOperations(database: DatabaseSync) {
  const isDem = database.prepare('SELECT 1 FROM dems WHERE name = ?');
  const putLayer = prepare<LayerNumber>(
    database,
    `INSERT INTO dem_layers (dem, overview, revision) VALUES (?, ?, ?)
     ON CONFLICT (dem, overview) DO UPDATE SET revision = excluded.revision RETURNING number`,
  );
  const revise = database.prepare('UPDATE dem_layers SET revision = ? WHERE number = ?');
  const find = prepare<KnownFile>(database, 'SELECT number, layer FROM dem_files WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO dem_files (id, layer, west, east, south, north, resolution, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE dem_files SET id = ?, layer = ?, west = ?, east = ?, south = ?, north = ?, resolution = ?, record = ?
     WHERE number = ?`,
  );
  const drop = database.prepare('DELETE FROM dem_files WHERE number = ?');
  const addBox = database.prepare('INSERT INTO dem_boxes VALUES (?, ?, ?, ?, ?)');
  const dropBox = database.prepare('DELETE FROM dem_boxes WHERE number = ?');
  const count = prepare<{ n: number }>(
    database,
    `SELECT count(*) AS n FROM dem_layers l JOIN dem_files f ON f.layer = l.number
     WHERE l.dem = ? AND l.overview = 0`,
  );
  const dropBoxes = database.prepare(
    `DELETE FROM dem_boxes WHERE number IN
       (SELECT f.number FROM dem_layers l JOIN dem_files f ON f.layer = l.number WHERE l.dem = ?)`,
  );
  const dropDem = database.prepare('DELETE FROM dems WHERE name = ?');
  const summarize = prepare<DemSummary>(database, DEM_SUMMARY);
  const page = prepare<{ id: string; record: string }>(
    database,
    `SELECT id, record FROM dem_files
     WHERE layer = (SELECT number FROM dem_layers WHERE dem = ? AND overview = ?) AND id > ? ORDER BY id LIMIT ?`,
  );

  /** The number of each layer that the files belong to; marks these layers as changed. */
  function putLayers(rows: readonly DemFileRow[]): (layer: DemLayer) => number {
    const numbers = new Map<string, number>();
    const nameOf = ({ dem, overview }: DemLayer): string => `${overview} ${dem}`;
    for (const row of rows) {
      if (numbers.has(nameOf(row))) continue;
      if (isDem.get(row.dem) === undefined) throw unknownDem(row.dem);
      const { number } = putLayer.get(row.dem, row.overview, randomUUID()) as LayerNumber;
      numbers.set(nameOf(row), number);
    }
    return (layer) => numbers.get(nameOf(layer)) as number;
  }

  function putFile(row: DemFileRow, layer: number): void {
    const { id, west, east, south, north, resolution, record } = row;
    const values = [id, layer, west, east, south, north, resolution, record] as const;
    const known = find.get(id);
    if (known !== undefined) {
      update.run(...values, known.number);
      dropBox.run(known.number);
      if (known.layer !== layer) revise.run(randomUUID(), known.layer);
    }
    const number = known?.number ?? Number(insert.run(...values).lastInsertRowid);
    const box = toDemBox(layer, row);
    addBox.run(number, box.west, box.east, box.low, box.high);
  }

  return {
    put: (rows: readonly DemFileRow[]): void =>
      inTransaction(database, () => {
        const layerOf = putLayers(rows);
        for (const row of rows) putFile(row, layerOf(row));
      }),
    remove: (ids: readonly string[]): void =>
      inTransaction(database, () => {
        const changed = new Set<number>();
        for (const id of ids) {
          const known = find.get(id);
          if (known === undefined) continue;
          dropBox.run(known.number);
          drop.run(known.number);
          changed.add(known.layer);
        }
        for (const layer of changed) revise.run(randomUUID(), layer);
      }),
    /** Removes a model; returns its number of ingested files, or null if there is no such model. */
    removeDem: (name: string): number | null =>
      inTransaction(database, () => {
        if (isDem.get(name) === undefined) return null;
        const files = count.get(name)?.n ?? 0;
        dropBoxes.run(name);
        // The foreign keys remove its layers and files too.
        dropDem.run(name);
        return files;
      }),
    /** Scans every ingested file. */
    summarize: (name: string): DemSummary => summarize.get(name) as DemSummary,
    /** The next records after an id, ordered by id. */
    list: (
      { dem, overview }: DemLayer,
      after: string,
      limit: number,
    ): readonly { id: string; record: string }[] => page.all(dem, overview, after, limit),
  };
}
