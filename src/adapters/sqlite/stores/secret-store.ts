import type { SecretStore } from '../../../keys/index.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';

const INSERT = 'INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING';

/** Secrets in SQLite. */
export function makeSqliteSecretStore(database: Lookups, write: Ask): SecretStore {
  const byName = database.prepare<{ value: string }>('SELECT value FROM secrets WHERE name = ?');
  return {
    async obtain(name, fresh) {
      const known = byName.get(name);
      if (known !== undefined) return known.value;
      await write('run', INSERT, [name, fresh]);
      return byName.get(name)?.value ?? fresh;
    },
  };
}
