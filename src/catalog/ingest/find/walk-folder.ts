import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, cancelled, sourceBroken, tooLarge } from '../../../errors.ts';

/** A file under the folder that is looked through. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Names from the folder down, the file's own last. */
  readonly parts: readonly string[];
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** How far a walk goes. */
export interface WalkLimits {
  readonly maxDepth: number;
  readonly maxFiles: number;
}

/** How a walk is made. */
export interface WalkOptions {
  readonly signal?: AbortSignal;
  readonly limits?: WalkLimits;
  /** Called for a folder inside that may not be read, which is then passed over; left out, it ends the walk. */
  readonly onUnreadable?: (name: string) => void;
}

/** Buckets of providers are ten levels deep; a hundred thousand products have a million files, in several runs. */
const LIMITS: WalkLimits = { maxDepth: 24, maxFiles: 500_000 };

/**
 * All plain files under a folder, in order of their paths. Symbolic links are not followed, so that nothing outside
 * the folder is read and no circle is walked; the folder itself may be one.
 */
export async function walkFolder(
  folder: string,
  { signal, limits = LIMITS, onUnreadable }: WalkOptions = {},
): Promise<readonly FoundFile[]> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw badInput('no-folder', `There is no folder ${folder}, or it may not be read.`, { cause });
  });
  const files: FoundFile[] = [];
  const pending: (readonly string[])[] = [[]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const here = next;
    if (signal?.aborted) throw cancelled('cancelled', 'The ingest was stopped.');
    if (here.length > limits.maxDepth) {
      throw tooLarge('folder-too-deep', `${folder} has folders more than ${limits.maxDepth} levels deep.`);
    }
    const entries = await readEntries(root, here).catch((error: unknown) => {
      if (here.length === 0 || onUnreadable === undefined) throw error;
      onUnreadable(here.join('/'));
      return [];
    });
    for (const entry of entries) {
      const parts = [...here, entry.name];
      if (entry.isDirectory()) pending.push(parts);
      if (!entry.isFile()) continue;
      if (files.length >= limits.maxFiles) {
        throw tooLarge(
          'folder-too-full',
          `${folder} holds more than ${limits.maxFiles} files; take parts of it.`,
        );
      }
      const path = join(root, ...parts);
      // A file may be gone by now; then it is as if it had never been there.
      const stat = await lstat(path).catch(() => null);
      if (stat === null) continue;
      files.push({ path, parts, sizeBytes: stat.size, modifiedMs: stat.mtimeMs });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readEntries(root: string, parts: readonly string[]): Promise<Dirent[]> {
  return readdir(join(root, ...parts), { withFileTypes: true }).catch((cause: unknown) => {
    const isFile = (cause as NodeJS.ErrnoException).code === 'ENOTDIR';
    if (isFile) throw badInput('no-folder', `${join(root, ...parts)} is a file and no folder.`, { cause });
    throw sourceBroken('folder-unreadable', `The folder ${join(root, ...parts)} cannot be read.`, { cause });
  });
}
