import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SwathError } from '../../errors.ts';
import { badInput, conflict, unavailable } from '../errors.ts';
import { explainSqlite, NEEDS_OPERATOR_S } from './explain-sqlite.ts';

/** Creates the data directory if it is missing; the error says why it cannot be used. */
export function prepareDirectory(directory: string): void {
  try {
    // The permissions of an existing directory are its owner's choice.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainDirectory(error, directory);
  }
}

/** File system errors for a directory that cannot be written now, and our codes for them. */
const UNAVAILABLE: ReadonlyMap<string, { readonly code: string; readonly reason: string }> = new Map([
  ['ENOSPC', { code: 'store-full', reason: 'the disk is full' }],
  ['EDQUOT', { code: 'store-full', reason: 'the quota of the disk is used up' }],
  ['EIO', { code: 'store-io-error', reason: 'the disk fails' }],
  ['EROFS', { code: 'store-read-only', reason: 'its disk is mounted read-only' }],
  ['EACCES', { code: 'store-read-only', reason: 'its owner or rights forbid it' }],
  ['EPERM', { code: 'store-read-only', reason: 'its owner or rights forbid it' }],
]);

/** File system errors for a path that cannot be a directory. */
const WRONG_PATH: ReadonlySet<string> = new Set(['ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']);

/** Turns a file system error of the data directory into a message that a person can act on. */
export function explainDirectory(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = UNAVAILABLE.get(code);
  if (known !== undefined) {
    const text = `The data directory ${directory} cannot be written (${code}): ${known.reason}.`;
    return new SwathError('unavailable', known.code, `${text} Fix that, or choose another with SWATH_DATA.`, {
      cause: error,
      details: { retryAfterS: NEEDS_OPERATOR_S },
    });
  }
  if (!WRONG_PATH.has(code)) return error;
  return badInput(
    'data-not-writable',
    `The data directory ${directory} cannot be written (${code}). Check its path, or choose another with SWATH_DATA.`,
    { cause: error },
  );
}

/** The lock that a server holds while it uses a data directory. */
interface DirectoryLock {
  release(): void;
}

/**
 * Keeps a second server out of a data directory. The lock is an open exclusive transaction on a small SQLite file: the
 * operating system releases it whenever the process dies, so that no stale lock can remain.
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

/** The process id for the message only; the lock does not depend on it. */
function readOwner(path: string): string {
  try {
    return ` (process ${readFileSync(path, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/** With less free space the next write of a large area does not fit. */
const SCARCE_BYTES = 4 * 2 ** 20;

/** Rejects when the disk is full or the database may not be written; writes nothing. */
export async function checkDisk(directory: string, path: string): Promise<void> {
  const details = { retryAfterS: NEEDS_OPERATOR_S };
  try {
    await access(directory, constants.W_OK);
    await access(path, constants.W_OK);
  } catch (error) {
    throw unavailable(
      'store-read-only',
      `The database ${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Check its owner and rights, and that its disk is not mounted read-only.`,
      { cause: error, details },
    );
  }
  const { blocks, bfree, bavail, bsize } = await statfs(directory);
  // The superuser may use reserved blocks. A file system without a block count says nothing.
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  if (blocks > 0 && free < SCARCE_BYTES) {
    const text = `The disk of the database ${path} is full: ${Math.floor(free / 1024)} KiB are left.`;
    throw unavailable('store-full', text, { details });
  }
}
