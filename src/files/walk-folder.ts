import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import { badInput, sourceBroken, tooLarge } from './errors.ts';
import { isGone, toSystemCode } from './file-state.ts';

/** A file under the scanned folder. */
export interface FoundFile {
  /** The absolute path. */
  readonly path: string;
  /** Names below the folder, the file's own name last. */
  readonly parts: readonly string[];
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Limits of a walk. */
export interface WalkLimits {
  readonly maxDepth: number;
  readonly maxFiles: number;
}

/** Options of a walk. */
export interface WalkOptions {
  readonly signal?: AbortSignal;
  readonly limits?: WalkLimits;
  /** True for a folder to skip, by the names below the scanned folder. */
  readonly isLeftOut?: (parts: readonly string[]) => boolean;
}

/** A folder or link that the walk skipped. */
export interface SkippedEntry {
  /** The shortened path below the folder. */
  readonly name: string;
  readonly code: 'folder-too-deep' | 'folder-unreadable' | 'link-not-followed';
  readonly reason: string;
}

/** The result of a walk. */
export interface WalkedFolder {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Names of the folders above the files, from the root to the scanned one. */
  readonly above: readonly string[];
  readonly skipped: readonly SkippedEntry[];
}

/** Providers' buckets are ten levels deep. A hundred thousand products have a million files: that takes several runs. */
const LIMITS: WalkLimits = { maxDepth: 24, maxFiles: 500_000 };

/**
 * Lists all plain files under a folder. It does not follow symbolic links, so that it reads nothing outside the folder
 * and cannot loop; the folder itself may be a link. Folders that are too deep or unreadable are skipped and reported.
 */
export async function walkFolder(
  folder: string,
  { signal, limits = LIMITS, isLeftOut }: WalkOptions = {},
): Promise<WalkedFolder> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw badInput('no-folder', `The folder ${folder} does not exist or cannot be read.`, { cause });
  });
  const files: FoundFile[] = [];
  const skipped: SkippedEntry[] = [];
  const pending: (readonly string[])[] = [[]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const here = next;
    throwIfCancelled(signal);
    if (here.length > limits.maxDepth) {
      const reason = `It is more than ${limits.maxDepth} folders deep and was not read.`;
      skipped.push({ name: shorten(here), code: 'folder-too-deep', reason });
      continue;
    }
    const entries = await readEntries(root, here).catch((error: unknown) => {
      if (here.length === 0) throw error;
      if (!(error instanceof Error && isGone(error.cause))) skipped.push(toUnreadable(here));
      return [];
    });
    for (const entry of entries) {
      const parts = [...here, entry.name];
      if (entry.isDirectory() && isLeftOut?.(parts) !== true) pending.push(parts);
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      if (files.length + skipped.length >= limits.maxFiles) {
        throw tooLarge(
          'folder-too-full',
          `${folder} holds more than ${limits.maxFiles} files; ingest its subfolders one by one.`,
        );
      }
      if (entry.isSymbolicLink()) {
        skipped.push(toLink(parts));
        continue;
      }
      const path = join(root, ...parts);
      // The file may have been deleted since the folder was listed.
      const stat = await lstat(path).catch(() => null);
      if (stat === null) continue;
      files.push({ path, parts, sizeBytes: stat.size, modifiedMs: stat.mtimeMs });
    }
  }
  const above = root.split(sep).filter((name) => name !== '');
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), above, skipped };
}

const toUnreadable = (parts: readonly string[]): SkippedEntry => ({
  name: shorten(parts),
  code: 'folder-unreadable',
  reason: 'The folder cannot be read.',
});

const toLink = (parts: readonly string[]): SkippedEntry => ({
  name: shorten(parts),
  code: 'link-not-followed',
  reason: 'Symbolic links inside a folder are not followed; ingest the target by its own path.',
});

/** Upper bound of a name in a report line. */
const MAX_NAME_LENGTH = 120;

/** A path without its middle if it is long: both ends help to recognize it. */
function shorten(parts: readonly string[]): string {
  const name = parts.join('/');
  const half = MAX_NAME_LENGTH / 2;
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, half)}…${name.slice(-half)}`;
}

async function readEntries(root: string, parts: readonly string[]): Promise<Dirent[]> {
  return readdir(join(root, ...parts), { withFileTypes: true }).catch((cause: unknown) => {
    const isFile = toSystemCode(cause) === 'ENOTDIR';
    if (isFile) throw badInput('no-folder', `${join(root, ...parts)} is a file, not a folder.`, { cause });
    throw sourceBroken('folder-unreadable', `The folder ${join(root, ...parts)} cannot be read.`, { cause });
  });
}
