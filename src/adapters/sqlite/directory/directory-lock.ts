import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { conflict } from '../../../errors.ts';
import { explainSqlite } from '../database/explain-sqlite.ts';
import { explainDirectory } from './data-directory.ts';

/** Held as long as a server uses a data directory. */
interface DirectoryLock {
  release(): void;
}

/**
 * Keeps a second server out of a data directory. The lock is an open exclusive transaction on a small SQLite file:
 * the operating system drops it when the process dies, however it dies, so that no stale lock can stay behind.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'server.lock');
  const ownerPath = join(directory, 'server.pid');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) {
      throw conflict(
        'store-locked',
        `Another Swath server${readOwner(ownerPath)} uses the data directory ${directory}. ` +
          'Stop it, or give this one its own directory with SWATH_DATA.',
      );
    }
    throw explainSqlite(error, path);
  }
  const held = database;
  try {
    writeFileSync(ownerPath, `${process.pid}\n`);
  } catch (error) {
    held.close();
    throw explainDirectory(error, directory);
  }
  return {
    release() {
      rmSync(ownerPath, { force: true });
      held.close();
    },
  };
}

/** The process id is only a courtesy in the message; the lock does not depend on it. */
function readOwner(path: string): string {
  try {
    return ` (process ${readFileSync(path, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
