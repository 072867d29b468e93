import type { ColormapContent } from '../../../color/index.ts';
import type { ColormapStore } from '../../../library/index.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Custom colormaps in SQLite. */
export function makeSqliteColormapStore(database: Lookups, write: Ask): ColormapStore {
  const byId = database.prepare<{ content: string }>('SELECT content FROM colormaps WHERE id = ?');
  const owned = database.prepare('SELECT 1 FROM colormap_owners WHERE owner = ? AND id = ?');
  const usage = database.prepare<{ owner: string; colormaps: number; bytes: number }>(
    `SELECT owner, count(*) AS colormaps, sum(bytes) AS bytes FROM colormap_owners WHERE owner <> '' GROUP BY owner`,
  );
  return {
    async put({ id, content, owner }, maxColormaps) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if (owned.get(owner, id) !== undefined) return null;
      return write('putColormap', { id, text: JSON.stringify(content), owner }, maxColormaps);
    },
    async find(id) {
      const row = byId.get(id);
      // What lies in the table was checked before it got there.
      return row === undefined ? null : (JSON.parse(row.content) as ColormapContent);
    },
    remove: async (id, owner) => (await write('removeColormaps', owner, id)) === 1,
    removeAll: (owner) => write('removeColormaps', owner, null),
    async usage() {
      return new Map(usage.all().map(({ owner, colormaps, bytes }) => [owner, { colormaps, bytes }]));
    },
  };
}
