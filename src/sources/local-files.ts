import { constants, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import type { Subject, SwathError } from '../errors.ts';
import { isGone, toFileStamp } from '../files/index.ts';
import type { ByteRange, ByteSource, OpenSource } from './byte-source.ts';
import { SCENE_FILES } from './byte-source.ts';
import { notAllowed, sourceBroken } from './errors.ts';

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

/** The error of a file that cannot be opened, by the reason the system gives. */
const toOpenError = (cause: unknown, subject: Subject): SwathError =>
  // Anything but a name that is not there is there and cannot be read.
  isGone(cause)
    ? sourceBroken.about('source-gone', '{file} cannot be opened.', { cause, subject })
    : sourceBroken.about('source-unreadable', '{file} cannot be read.', { cause, subject });

/** Opens a local file of a scene. */
export const openFileSource = (path: string): Promise<ByteSource> => openFileOf(SCENE_FILES, path);

/** Opens a local file for reading in ranges. One that changes meanwhile is noticed with the next read. */
async function openFileOf(subject: Subject, path: string): Promise<ByteSource> {
  // Without waiting: a pipe would wait for a writer forever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw toOpenError(error, subject);
  });
  try {
    const stats = fstatSync(file.fd);
    if (!stats.isFile())
      throw sourceBroken.about('source-unreadable', '{file} is not a plain file.', { subject });
    const { size } = stats;
    const version = toFileStamp(stats);
    const read = async (bytes: Uint8Array, offset: number, signal?: AbortSignal): Promise<void> => {
      await readExactly(file, bytes, { offset, signal, subject });
      // Cheap compared with a read, and bytes of a file that has changed must not be shown.
      if (toFileStamp(fstatSync(file.fd)) !== version) {
        throw sourceBroken.about('source-changed', '{file} changed while it was read.', { subject });
      }
    };
    return {
      id: path,
      version,
      size,
      isNear: true,
      async read(offset, length, signal) {
        checkRange({ offset, length }, size, subject);
        const bytes = new Uint8Array(length);
        await read(bytes, offset, signal);
        return bytes;
      },
      async readInto(target, offset, signal) {
        checkRange({ offset, length: target.length }, size, subject);
        await read(target, offset, signal);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Compared before it is allocated: a lying header must not make us reserve what the file does not hold. */
function checkRange({ offset, length }: ByteRange, size: number, subject: Subject): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw sourceBroken.about('source-short', '{file} ends before the bytes its header promises.', {
      subject,
    });
  }
}

async function readExactly(
  file: FileHandle,
  bytes: Uint8Array,
  { offset, signal, subject }: { offset: number; signal: AbortSignal | undefined; subject: Subject },
): Promise<void> {
  throwIfCancelled(signal);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file
      .read(bytes, done, bytes.length - done, offset + done)
      .catch((error: unknown) => {
        throw sourceBroken.about('source-unreadable', '{file} cannot be read.', { cause: error, subject });
      });
    if (bytesRead === 0)
      throw sourceBroken.about('source-short', '{file} became shorter while it was read.', { subject });
    done += bytesRead;
  }
}
