import { mkdir, rm } from 'node:fs/promises';
import { conflict, isSwathError, sourceBroken, tooLarge, unavailable } from '../../errors.ts';
import { nodeFiles, toWriteError } from '../../files/index.ts';
import type { ObjectStore } from '../../objects/index.ts';
import type { CubeFiles } from './cube-files.ts';
import { MANIFEST } from './cube-files.ts';

/** Where cubes are stored. */
export interface CubeFilesOptions {
  readonly objects: ObjectStore;
  /** Name of the folder of the cubes in the store of objects. */
  readonly subject: string;
  /** The folder of this machine in which files of a cube are made before they are published. */
  readonly toStagingFolder: (cube: string) => string;
  /** How long a manifest is used before it is looked at again; 0 where that costs nothing. */
  readonly freshMs: number;
  /** Files that no manifest names are left alone for so long. */
  readonly leftoverMs: number;
  /** Throws if this process is no longer the one that may write; asked right before anything is replaced or removed. */
  readonly confirm?: () => Promise<void>;
}

/** What a string may hold; a manifest has about 90 bytes for each chunk. */
const MAX_MANIFEST_BYTES = 500 * 2 ** 20;
/** Objects that are removed at the same time. */
const AT_ONCE = 8;
/** How long a caller waits before it asks a store again that does not answer. */
const RETRY_AFTER_S = 30;
const CHUNKS_TYPE = 'application/octet-stream';

/** Builds the files of cubes. Writing an object is one step, and a manifest is stamped by its ETag. */
export function makeCubeFiles(options: CubeFilesOptions): CubeFiles {
  const { objects, subject, toStagingFolder, freshMs, leftoverMs, confirm = async () => {} } = options;
  const toKey = (cube: string, path: string): string => `${subject}/${cube}/${path}`;

  const removeKeys = async (keys: Iterable<string>): Promise<void> => {
    const waiting = keys[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (let one = waiting.next(); !one.done; one = waiting.next()) await objects.remove(one.value);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  const files: CubeFiles = {
    freshMs,
    listNames: () => objects.listFolders(`${subject}/`),
    async readManifest(cube, knownStamp) {
      const limits = { maxBytes: MAX_MANIFEST_BYTES };
      const found = await objects.read(
        toKey(cube, MANIFEST),
        knownStamp === null ? limits : { ...limits, knownEtag: knownStamp },
      );
      if (found === null || found === 'same') return found;
      return { stamp: found.etag, text: new TextDecoder().decode(found.bytes) };
    },
    async readRange(cube, range) {
      // The name of a file is never used again, so that its bytes need no ETag.
      const bytes = await objects.readRange(toKey(cube, range.path), range).catch((cause: unknown) => {
        if (isSwathError(cause)) throw cause;
        throw sourceBroken('cube-unreadable', 'A chunk of a data cube cannot be read.', { cause });
      });
      if (bytes !== null) return bytes;
      throw sourceBroken('cube-chunk-gone', 'A chunk of a data cube cannot be read.');
    },
    async writeFile(cube, path, write) {
      const folder = toStagingFolder(cube);
      await mkdir(folder, { recursive: true });
      const { path: staged, file } = await nodeFiles.createTemporary(folder);
      try {
        const isWanted = await write(file).finally(() => file.close());
        if (isWanted) await objects.publish(toKey(cube, path), staged, { contentType: CHUNKS_TYPE });
      } catch (error) {
        throw toWriteError(error);
      } finally {
        await rm(staged, { force: true });
      }
    },
    async replaceManifest(cube, text, knownStamp) {
      await confirm();
      const stamp = await objects.put(toKey(cube, MANIFEST), Buffer.from(text), {
        contentType: 'application/json',
        when: knownStamp === null ? 'absent' : { etag: knownStamp },
      });
      if (stamp !== null) return stamp;
      throw conflict('cubes-busy', 'Another process has written this data cube meanwhile: ingest again.');
    },
    removeFiles: (cube, paths) => removeKeys([...paths].map((path) => toKey(cube, path))),
    async sweep(cube, named) {
      const old: string[] = [];
      for await (const page of objects.list(toKey(cube, ''))) {
        for (const { key, modifiedAtMs } of page) {
          const path = key.slice(toKey(cube, '').length);
          const isOld =
            leftoverMs === 0 || (modifiedAtMs !== null && Date.now() - modifiedAtMs >= leftoverMs);
          if (path !== MANIFEST && !named.has(path) && isOld) old.push(key);
        }
      }
      await confirm();
      await removeKeys(old);
      await objects.sweepUploads(toKey(cube, 'chunks/'), leftoverMs);
    },
    async remove(cube) {
      await confirm();
      await objects.remove(toKey(cube, MANIFEST));
      await objects.removeBelow(toKey(cube, ''));
    },
  };
  return withCubeErrors(files);
}

/** Turns what a store throws into errors of data cubes. */
function withCubeErrors(files: CubeFiles): CubeFiles {
  const explain =
    <Arguments extends readonly unknown[], Result>(work: (...some: Arguments) => Promise<Result>) =>
    (...some: Arguments): Promise<Result> =>
      work(...some).catch((error: unknown) => {
        throw toCubeError(error);
      });
  return {
    freshMs: files.freshMs,
    listNames: explain(files.listNames),
    readManifest: explain(files.readManifest),
    readRange: explain(files.readRange),
    writeFile: explain(files.writeFile),
    replaceManifest: explain(files.replaceManifest),
    removeFiles: explain(files.removeFiles),
    sweep: explain(files.sweep),
    remove: explain(files.remove),
  };
}

function toCubeError(error: unknown): unknown {
  if (!isSwathError(error)) return error;
  if (error.code === 'no-space')
    return tooLarge('no-space', 'There is no room left to store the data cube.', { cause: error });
  if (error.code.startsWith('cube-')) return error;
  switch (error.tag) {
    case 'source-broken':
    case 'timed-out':
    case 'not-allowed':
      return unavailable('cubes-unavailable', 'The storage of data cubes cannot be used at the moment.', {
        cause: error,
        details: { retryAfterS: RETRY_AFTER_S },
      });
    default:
      return error;
  }
}
