/** Notes of syncs in both databases, by statements that both understand. */
import type { SyncNoteStore } from '../../live/index.ts';
import type { Statements } from './sql.ts';
import { sql } from './sql.ts';

/** Where notes of syncs are stored. */
export const makeSyncNoteStore = ({ read, change }: Statements): SyncNoteStore => ({
  async read(sync, name) {
    const [row] = await read<{ readonly content: string }>(
      sql`SELECT content FROM sync_notes WHERE sync = ${sync} AND name = ${name}`,
    );
    return row?.content ?? null;
  },
  async write(sync, name, text) {
    await change(
      sql`INSERT INTO sync_notes (sync, name, content) VALUES (${sync}, ${name}, ${text})
        ON CONFLICT (sync, name) DO UPDATE SET content = excluded.content RETURNING sync`,
    );
  },
});
