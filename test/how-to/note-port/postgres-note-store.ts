import type { SqlClient } from '../../../src/adapters/postgres/connection/sql-client.ts';
import { hasNul } from '../../../src/adapters/postgres/connection/sql-client.ts';
import { sql } from '../../../src/adapters/sql/sql.ts';
import type { Note, NoteStore } from './note-store.ts';

/** Notes in PostgreSQL. */
export function makePostgresNoteStore(client: SqlClient): NoteStore {
  return {
    async put({ id, text }) {
      await client.query(
        sql`INSERT INTO notes (id, text) VALUES (${id}, ${text})
          ON CONFLICT (id) DO UPDATE SET text = excluded.text`,
      );
    },
    async find(id) {
      // PostgreSQL refuses such a text even in a question.
      if (hasNul(id)) return null;
      const [row] = await client.query<Note>(sql`SELECT id, text FROM notes WHERE id = ${id}`);
      return row ?? null;
    },
  };
}
