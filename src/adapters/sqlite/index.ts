import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SceneStore } from '../../catalog/index.ts';
import { badInput, tooLarge } from '../../errors.ts';
import type { KeyStore } from '../../keys/index.ts';
import type { ContrastStore } from '../../render/index.ts';
import { makeSqliteContrastStore } from './contrast-store.ts';
import { inspectDatabase, openDatabase } from './database.ts';
import { makeSqliteKeyStore } from './key-store.ts';
import { makeSqliteSceneStore } from './scene-store.ts';

export { type DirectoryLock, lockDirectory } from './directory-lock.ts';

/** The embedded store: every port on one SQLite file in the data directory. */
export interface SqliteStore {
  readonly keys: KeyStore;
  readonly scenes: SceneStore;
  readonly contrasts: ContrastStore;
  /** Throws when the database does not answer. */
  ping(): void;
  close(): void;
}

/** Makes the data directory when it is missing, and says clearly why when it cannot be used. */
export function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') {
      throw tooLarge('disk-full', `The data directory ${directory} cannot be made: the disk is full.`, {
        cause: error,
      });
    }
    throw badInput(
      'data-not-writable',
      `The data directory ${directory} cannot be written (${code}). Check its owner and rights, or choose another with SWATH_DATA.`,
      { cause: error },
    );
  }
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
