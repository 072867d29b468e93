import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The permission bits for other users in a file's mode. */
const OTHERS = 0o007;
/** Swath's own files with keys and addresses; the others hold pictures. */
const OWN_FILES = ['swath.db', 'swath.db-wal', 'swath.db-shm', 'server.lock', 'server.pid'];

/** The result of tightening file permissions. */
interface PrivateFiles {
  /** Mode of files that a user names (reports, exports): these follow the shell's umask. */
  readonly outputMode: number;
  /** Files that every user of the machine could read before. */
  readonly tightened: readonly string[];
}

/**
 * Makes the process, its threads and SQLite create files that only their owner can read (0600, folders 0700). A data
 * directory with permissions for its group and none for others was shared on purpose: then the group gets the same
 * permissions on new files. An existing directory keeps its permissions; Swath's own files only lose those of others.
 */
export function keepFilesPrivate(dataDir: string): PrivateFiles {
  const before = process.umask(toUmask(readMode(dataDir)));
  const tightened = OWN_FILES.filter((name) => tighten(join(dataDir, name)));
  return { outputMode: 0o666 & ~before, tightened };
}

/** The umask for a data directory with this mode. */
export function toUmask(mode: number | null): number {
  const isShared = mode !== null && (mode & OTHERS) === 0;
  return isShared ? ~mode & 0o077 : 0o077;
}

/** The permissions of the data directory as `doctor` and the log report them. */
export function describeRights(dataDir: string): { readonly text: string; readonly ok: boolean } {
  const directory = readMode(dataDir) ?? 0;
  const open = OWN_FILES.filter((name) => ((readMode(join(dataDir, name)) ?? 0) & OTHERS) !== 0);
  const isOpen = (directory & OTHERS) !== 0;
  const text = `directory ${toOctal(directory)}`;
  if (open.length > 0 && isOpen) {
    const words = `all users of this machine can read ${open.join(', ')}`;
    return { text: `${text}; ${words}: chmod o-rwx them, and the directory`, ok: false };
  }
  if (isOpen) return { text: `${text}: open to all users, its database is not`, ok: true };
  return { text, ok: true };
}

const toOctal = (mode: number): string => mode.toString(8).padStart(4, '0');

function readMode(path: string): number | null {
  try {
    return statSync(path).mode & 0o7777;
  } catch {
    return null;
  }
}

/** Removes the permissions of other users; true if the file had any. */
function tighten(path: string): boolean {
  const mode = readMode(path);
  if (mode === null || (mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode & ~OTHERS);
    return true;
  } catch {
    // The file has another owner; `doctor` reports it.
    return false;
  }
}
