import type { ColormapContent } from '../../color/index.ts';
import type { ColormapStore } from '../../colormaps/index.ts';
import { sql } from '../sql-clause.ts';
import type { SqlClient } from './sql-client.ts';
import { hasNul } from './without-nul.ts';

/** Custom colormaps in PostgreSQL. */
export function makePostgresColormapStore(client: SqlClient): ColormapStore {
  const read = async (id: string): Promise<string | undefined> => {
    const [row] = await client.query<{ content: string }>(
      sql`SELECT content FROM colormaps WHERE id = ${id}`,
    );
    return row?.content;
  };
  return {
    async put(id, content) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if ((await read(id)) !== undefined) return;
      await client.query(
        sql`INSERT INTO colormaps (id, content) VALUES (${id}, ${JSON.stringify(content)})
          ON CONFLICT (id) DO NOTHING`,
      );
    },
    async find(id) {
      const content = hasNul(id) ? undefined : await read(id);
      // What lies in the table was checked before it got there.
      return content === undefined ? null : (JSON.parse(content) as ColormapContent);
    },
  };
}
