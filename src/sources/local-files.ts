import type { Stats } from 'node:fs';
import { constants, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import type { Subject, SwathError } from '../errors.ts';
import { isGone } from '../files/index.ts';
import type { ByteRange, ByteSource, OpenSource } from './byte-source.ts';
import { SCENE_FILES } from './byte-source.ts';
import { notAllowed, sourceBroken } from './errors.ts';

/** Plain names joined by single slashes: no way up, no absolute path, no drive, nothing hidden. */
const SAFE_HREF = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){0,19}$/;

/** True for an href that cannot leave the data directory. */
export const isDataHref = (href: string): boolean => SAFE_HREF.test(href);

/**
 * Opens files of the data directory and nothing outside it, not even through a symbolic link, unless the link leads into
 * one of the named folders.
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

/** The longest path that Linux accepts. */
const MAX_PATH_LENGTH = 4_096;

/** True for an href that is an absolute path in canonical form. */
export const isFolderHref = (href: string): boolean =>
  isAbsolute(href) && href.length <= MAX_PATH_LENGTH && !href.includes('\0') && normalize(href) === href;

/** Opens files of the folders that an operator has named and nothing outside them, not even through a symbolic link. */
export function makeFolderFiles(folders: readonly string[], subject = SCENE_FILES): OpenSource {
  const resolveInside = makeResolveInside(folders, subject);
  return async (href) => {
    if (!isFolderHref(href) || !folders.some((folder) => isInside(href, folder))) {
      throw sourceBroken.about('bad-href', '{file} has an address that is not allowed.', { subject });
    }
    return openFileOf(subject, await resolveInside(href));
  };
}

/** The folders that may hold local files. */
interface Locations {
  readonly dataDir: string;
  readonly folders: readonly string[];
}

/** Whether a path may hold scenes: it is inside an allowed folder, or contains one. */
export const mayHoldScenes = (path: string, { dataDir, folders }: Locations): boolean =>
  [dataDir, ...folders].some((folder) => path === folder || isInside(path, folder)) ||
  folders.some((folder) => isInside(folder, path));

/** The href of a local file for the catalog; refuses a file that could not be opened again. */
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

/** Whether a path is below a folder, by name alone. */
const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * Builds the function that resolves symbolic links and refuses a real path outside all folders, which may be links
 * themselves.
 */
function makeResolveInside(folders: readonly string[], subject: Subject): (path: string) => Promise<string> {
  return async (given) => {
    const path = await realpath(given).catch((error: unknown) => {
      throw toOpenError(error, subject);
    });
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (!roots.some((root) => root !== null && isInside(path, root))) {
      throw sourceBroken.about('bad-href', '{file} is outside the allowed folders.', { subject });
    }
    return path;
  };
}

/**
 * The state of a file: its size and modification time, which Node reads to a fraction of a microsecond. The inode number
 * is not part of it: copies on several nodes and user-space file systems (s3fs, rclone) have different ones for the same
 * bytes, and catalogs store this string.
 */
export const toFileStamp = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string =>
  `${size}-${mtimeMs}`;

/** The state of a local file by its href; null if the file is missing or remote. */
export type ReadFileStamp = (href: string) => Promise<string | null>;

/** Builds the function that reads the state of a local file without opening it; equals `version` of the opened file. */
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

/** The error for a file that cannot be opened, by the system's error. */
const toOpenError = (cause: unknown, subject: Subject): SwathError =>
  // Every other error means that the file exists and cannot be read.
  isGone(cause)
    ? sourceBroken.about('source-gone', '{file} cannot be opened.', { cause, subject })
    : sourceBroken.about('source-unreadable', '{file} cannot be read.', { cause, subject });

/** Opens a local file of a scene. */
export const openFileSource = (path: string): Promise<ByteSource> => openFileOf(SCENE_FILES, path);

/** Opens a local file for reading in ranges. The next read notices a change of the file. */
async function openFileOf(subject: Subject, path: string): Promise<ByteSource> {
  // O_NONBLOCK, because a named pipe would wait for a writer forever.
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
      // Cheap compared with a read, and bytes of a changed file must not be shown.
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

/** Called before memory is allocated: a false header must not reserve more than the file holds. */
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
