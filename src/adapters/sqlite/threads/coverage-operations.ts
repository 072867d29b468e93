import type { DatabaseSync } from 'node:sqlite';
import type { StoredCell, StoredMask, WantedCells } from '../../../coverage/index.ts';
import { inTransaction, prepare } from '../connection.ts';

/** How many masks and cells stay when the oldest are removed. */
interface Kept {
  readonly masks: number;
  readonly cells: number;
}

/** Reads of many cells, and writes of cells with the masks they belong to. */
export function makeCoverageOperations(database: DatabaseSync) {
  const find = prepare<{ pixels: Uint8Array }>(
    database,
    'SELECT pixels FROM coverage_cells WHERE key = ? AND cell = ?',
  );
  const putMask = database.prepare('INSERT OR REPLACE INTO coverage_masks (key, mask) VALUES (?, ?)');
  const putCell = database.prepare(
    'INSERT OR REPLACE INTO coverage_cells (key, cell, pixels) VALUES (?, ?, ?)',
  );
  const trimMasks = database.prepare(
    'DELETE FROM coverage_masks WHERE number <= (SELECT max(number) FROM coverage_masks) - ?',
  );
  const trimCells = database.prepare(
    'DELETE FROM coverage_cells WHERE number <= (SELECT max(number) FROM coverage_cells) - ?',
  );
  return {
    find: (wanted: readonly WantedCells[]): readonly StoredCell[] =>
      wanted.flatMap(({ key, cells }) =>
        cells.flatMap((cell) => {
          const row = find.get(key, cell);
          return row === undefined ? [] : [{ key, cell, pixels: row.pixels }];
        }),
      ),
    put: (masks: readonly StoredMask[], cells: readonly StoredCell[], kept: Kept | null): void =>
      inTransaction(database, () => {
        for (const { key, mask } of masks) putMask.run(key, mask);
        for (const { key, cell, pixels } of cells) putCell.run(key, cell, pixels);
        if (kept === null) return;
        trimMasks.run(kept.masks);
        trimCells.run(kept.cells);
      }),
  };
}
