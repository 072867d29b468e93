import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All files and folders below a folder that a running service changes; none if there is no such folder. Node's own recursive
 * list fails when a folder vanishes while it is read; here what vanishes is left out.
 */
export function listLiveEntries(folder: string): readonly Dirent[] {
  // Reads: nothing more
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry, ...listLiveEntries(join(folder, entry.name))] : [entry],
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The paths of all files among them. */
export const listLiveFiles = (folder: string): readonly string[] =>
  listLiveEntries(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
