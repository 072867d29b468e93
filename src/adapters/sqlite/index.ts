import { join } from 'node:path';
import type { SceneStore } from '../../catalog/index.ts';
import type { KeyStore } from '../../keys/index.ts';
import type { ContrastStore } from '../../render/index.ts';
import { makeSqliteContrastStore } from './contrast-store.ts';
import { inspectDatabase, openDatabase } from './database.ts';
import { makeSqliteKeyStore } from './key-store.ts';
import { makeSqliteSceneStore } from './scene-store.ts';

export { prepareDirectory } from './data-directory.ts';
export { lockDirectory } from './directory-lock.ts';

/** The embedded store: every port on one SQLite file in the data directory. */
export interface SqliteStore {
  readonly keys: KeyStore;
  readonly scenes: SceneStore;
  readonly contrasts: ContrastStore;
  /** Throws when the database does not answer. */
  ping(): void;
  close(): void;
}

/** Opens the store of a data directory; several processes may, `lockDirectory` is for servers. */
export function openSqliteStore(directory: string): SqliteStore {
  const database = openDatabase(join(directory, 'swath.db'));
  return {
    keys: makeSqliteKeyStore(database),
    scenes: makeSqliteSceneStore(database),
    contrasts: makeSqliteContrastStore(database),
    ping: () => void database.prepare('SELECT 1').get(),
    close: () => database.close(),
  };
}

/** A look at a store that changes nothing, not even its shape. */
export const inspectSqliteStore = (directory: string) => inspectDatabase(join(directory, 'swath.db'));
