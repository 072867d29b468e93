import type { DatabaseSync } from 'node:sqlite';
import type { ColormapContent } from '../../color/index.ts';
import type { ColormapStore } from '../../colormaps/index.ts';
import type { Ask } from './database-threads.ts';

const PUT = 'INSERT INTO colormaps (id, content) VALUES (?, ?) ON CONFLICT (id) DO NOTHING';

/** Custom colormaps in SQLite. */
export function makeSqliteColormapStore(database: DatabaseSync, write: Ask): ColormapStore {
  const byId = database.prepare('SELECT content FROM colormaps WHERE id = ?');
  const read = (id: string) => byId.get(id) as { content: string } | undefined;
  return {
    async put(id, content) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if (read(id) === undefined) await write('run', PUT, [id, JSON.stringify(content)]);
    },
    async find(id) {
      const row = read(id);
      // What lies in the table was checked before it got there.
      return row === undefined ? null : (JSON.parse(row.content) as ColormapContent);
    },
  };
}
