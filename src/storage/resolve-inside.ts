import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { sourceBroken } from '../errors.ts';
import { toOpenError } from './file-source.ts';

/** Whether a path lies below a folder, by their names. */
export const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * Builds the following of symbolic links: gives the place a path really leads to, and refuses one outside of all the
 * folders, which may be links themselves.
 */
export function makeResolveInside(folders: readonly string[]): (path: string) => Promise<string> {
  return async (given) => {
    const path = await realpath(given).catch((error: unknown) => {
      throw toOpenError(error);
    });
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (!roots.some((root) => root !== null && isInside(path, root))) {
      throw sourceBroken('bad-href', 'A file of this scene lies outside the folders that are allowed.');
    }
    return path;
  };
}
