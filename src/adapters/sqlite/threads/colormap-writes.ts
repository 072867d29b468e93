import type { DatabaseSync } from 'node:sqlite';
import type { ColormapUsage } from '../../../library/index.ts';
import { prepare } from '../database/queries.ts';
import { inTransaction } from '../database/transaction.ts';

/** What changes custom colormaps; for the writing thread. */
export function makeColormapWrites(database: DatabaseSync) {
  const owned = database.prepare('SELECT 1 FROM colormap_owners WHERE owner = ? AND id = ?');
  const usage = prepare<ColormapUsage>(
    database,
    'SELECT count(*) AS colormaps, coalesce(sum(bytes), 0) AS bytes FROM colormap_owners WHERE owner = ?',
  );
  const insert = database.prepare(
    'INSERT INTO colormaps (id, content) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const own = database.prepare('INSERT INTO colormap_owners (owner, id, bytes) VALUES (?, ?, ?)');
  const disown = prepare<{ id: string }>(
    database,
    'DELETE FROM colormap_owners WHERE owner = ?1 AND (?2 IS NULL OR id = ?2) RETURNING id',
  );
  const removeUnowned = database.prepare(
    'DELETE FROM colormaps WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM colormap_owners WHERE id = ?1)',
  );
  return {
    put: (
      { id, text, owner }: { readonly id: string; readonly text: string; readonly owner: string },
      maxColormaps: number,
    ): ColormapUsage | null =>
      inTransaction(database, () => {
        if (owned.get(owner, id) !== undefined) return null;
        const used = usage.get(owner) ?? { colormaps: 0, bytes: 0 };
        if (used.colormaps + 1 > maxColormaps) return used;
        insert.run(id, text);
        own.run(owner, id, Buffer.byteLength(text));
        return null;
      }),
    /** Removes an owner from one colormap, or from all with null, and deletes colormaps without an owner. */
    remove: (owner: string, id: string | null): number =>
      inTransaction(database, () => {
        const rows = disown.all(owner, id);
        for (const row of rows) removeUnowned.run(row.id);
        return rows.length;
      }),
  };
}
