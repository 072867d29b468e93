import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What others may not do, by the last three bits of a file's mode. */
const OTHERS = 0o007;
/** Swath's own files that tell about keys and addresses of files; the others hold pictures. */
const OWN_FILES = ['swath.db', 'swath.db-wal', 'swath.db-shm', 'server.lock', 'server.pid'];

/** What was found and done about the rights on files. */
interface PrivateFiles {
  /** Mode of files that a person has named (reports, exports): those are shared as the shell says. */
  readonly outputMode: number;
  /** Files that all users of the machine could read until now. */
  readonly tightened: readonly string[];
}

/**
 * Lets the process, its threads and SQLite make files that only their owner can read (0600, folders 0700). Where the
 * data directory has rights for a group and none for others, somebody has shared it on purpose: then the group keeps
 * on new files what it has on the directory. Nothing is taken from a directory that is there already, and from
 * Swath's own files only what everybody could do.
 */
export function keepFilesPrivate(dataDir: string): PrivateFiles {
  const before = process.umask(toUmask(readMode(dataDir)));
  const tightened = OWN_FILES.filter((name) => tighten(join(dataDir, name)));
  return { outputMode: 0o666 & ~before, tightened };
}

/** What new files lack, for a data directory of that mode. */
export function toUmask(mode: number | null): number {
  const isShared = mode !== null && (mode & OTHERS) === 0;
  return isShared ? ~mode & 0o077 : 0o077;
}

/** The rights on the data directory as `doctor` and the log tell them. */
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

/** True when it was open to all, and no longer is. */
function tighten(path: string): boolean {
  const mode = readMode(path);
  if (mode === null || (mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode & ~OTHERS);
    return true;
  } catch {
    // Somebody else's file; doctor tells.
    return false;
  }
}
