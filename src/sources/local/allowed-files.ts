import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { Subject } from '../../errors.ts';
import { notAllowed, sourceBroken } from '../../errors.ts';
import { toFileStamp } from '../../files/index.ts';
import type { OpenSource } from '../ranges/byte-source.ts';
import { SCENE_FILES } from '../subject.ts';
import { openFileOf, toOpenError } from './file-source.ts';

/** Plain names joined by single slashes: no way up, no absolute path, no drive, nothing hidden. */
const SAFE_HREF = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){0,19}$/;

/** True for an href that can only lie inside the data directory. */
export const isDataHref = (href: string): boolean => SAFE_HREF.test(href);

/**
 * Opens files of the data directory, and nothing outside of it, also not through a symbolic link, unless
 * that leads into one of the named folders.
 */
export function makeDataFiles(
  directory: string,
  folders: readonly string[] = [],
  subject = SCENE_FILES,
): OpenSource {
  const resolveInside = makeResolveInside([directory, ...folders], subject);
  return async (href) => {
    if (!isDataHref(href))
      throw sourceBroken.about('bad-href', '{file} has an address that is not allowed.', { subject });
    return openFileOf(subject, await resolveInside(join(directory, href)));
  };
}

/** Linux accepts no longer paths. */
const MAX_PATH_LENGTH = 4_096;

/** True for an href that is a path of this machine, spelt the one way it can be. */
export const isFolderHref = (href: string): boolean =>
  isAbsolute(href) && href.length <= MAX_PATH_LENGTH && !href.includes('\0') && normalize(href) === href;

/** Opens files of the folders an operator has named, and nothing outside of them, also not through a symbolic link. */
export function makeFolderFiles(folders: readonly string[], subject = SCENE_FILES): OpenSource {
  const resolveInside = makeResolveInside(folders, subject);
  return async (href) => {
    if (!isFolderHref(href) || !folders.some((folder) => isInside(href, folder))) {
      throw sourceBroken.about('bad-href', '{file} has an address that is not allowed.', { subject });
    }
    return openFileOf(subject, await resolveInside(href));
  };
}

/** Where local files may lie. */
interface Locations {
  readonly dataDir: string;
  readonly folders: readonly string[];
}

/** Whether scenes could lie at or below a path: it lies in an allowed folder, or contains one. */
export const mayHoldScenes = (path: string, { dataDir, folders }: Locations): boolean =>
  [dataDir, ...folders].some((folder) => path === folder || isInside(path, folder)) ||
  folders.some((folder) => isInside(folder, path));

/** What a catalog writes down for a file of this machine; refuses one that could not be opened again. */
export function toFileHref(path: string, { dataDir, folders }: Locations): string {
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

/** Whether a path lies below a folder, by their names. */
const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * Builds the resolution of symbolic links: gives the real path, and refuses one outside all the folders, which may be
 * links themselves.
 */
function makeResolveInside(folders: readonly string[], subject: Subject): (path: string) => Promise<string> {
  return async (given) => {
    const path = await realpath(given).catch((error: unknown) => {
      throw toOpenError(error, subject);
    });
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (!roots.some((root) => root !== null && isInside(path, root))) {
      throw sourceBroken.about('bad-href', '{file} lies outside the folders that are allowed.', { subject });
    }
    return path;
  };
}

/** The state of a file by its href; null if the disk cannot tell: the file is gone, or remote. */
export type ReadFileStamp = (href: string) => Promise<string | null>;

/** Builds the reading of the state of local files without opening them: the same text as `version` of the opened file. */
export function makeReadFileStamp(dataDir: string): ReadFileStamp {
  return async (href) => {
    const path = isFolderHref(href) ? href : isDataHref(href) ? join(dataDir, href) : null;
    if (path === null) return null;
    try {
      return toFileStamp(await stat(path));
    } catch {
      // A file that cannot be read is reported when it is opened.
      return null;
    }
  };
}
