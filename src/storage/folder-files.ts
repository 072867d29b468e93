import { isAbsolute, join, normalize, sep } from 'node:path';
import { notAllowed, sourceBroken } from '../errors.ts';
import type { OpenSource } from './data-files.ts';
import { isDataHref } from './data-files.ts';
import { openFileSource } from './file-source.ts';
import { isInside, makeResolveInside } from './resolve-inside.ts';

/** Linux takes no longer ones. */
const MAX_PATH_LENGTH = 4_096;

/** True for an href that is a path of this machine, spelt the one way it can be. */
export const isFolderHref = (href: string): boolean =>
  isAbsolute(href) && href.length <= MAX_PATH_LENGTH && !href.includes('\0') && normalize(href) === href;

/** Opens files of the folders an operator has named, and nothing outside of them, also not through a symbolic link. */
export function makeFolderFiles(folders: readonly string[]): OpenSource {
  const resolveInside = makeResolveInside(folders);
  return async (href) => {
    if (!isFolderHref(href) || !folders.some((folder) => isInside(href, folder))) {
      throw sourceBroken('bad-href', 'A file of this scene has an address that is not allowed.');
    }
    return openFileSource(await resolveInside(href));
  };
}

interface Places {
  readonly dataDir: string;
  readonly folders: readonly string[];
}

/** Whether scenes could lie at or below a folder: it lies in an allowed place, or one of the named ones in it. */
export const mayHoldScenes = (path: string, { dataDir, folders }: Places): boolean =>
  [dataDir, ...folders].some((place) => path === place || isInside(path, place)) ||
  folders.some((folder) => isInside(folder, path));

/** What a catalog writes down for a file of this machine; refuses one that could not be opened again. */
export function toFileHref(path: string, { dataDir, folders }: Places): string {
  const plain = normalize(path);
  if (isInside(plain, dataDir)) {
    const href = plain.slice(join(dataDir, sep).length).split(sep).join('/');
    if (isDataHref(href)) return href;
  }
  if (isFolderHref(plain) && folders.some((folder) => isInside(plain, folder))) return plain;
  throw notAllowed(
    'folder-not-allowed',
    `${path} lies neither in the data directory nor in a folder of SWATH_SOURCES; add its folder there.`,
  );
}
