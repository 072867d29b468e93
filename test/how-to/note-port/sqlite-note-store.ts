import type { Lookups } from '../../../src/adapters/sqlite/connection.ts';
import type { Ask } from '../../../src/adapters/sqlite/threads/database-threads.ts';
import type { Note, NoteStore } from './note-store.ts';

const PUT = 'INSERT INTO notes (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text';

/** Notes in SQLite. */
export function makeSqliteNoteStore(database: Lookups, write: Ask): NoteStore {
  const byId = database.prepare<Note>('SELECT id, text FROM notes WHERE id = ?');
  return {
    async put({ id, text }) {
      await write('run', PUT, [id, text]);
    },
    async find(id) {
      const row = byId.get(id);
      return row === undefined ? null : { ...row };
    },
  };
}
