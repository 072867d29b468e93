/** What the service stores in the data directory, or in the bucket of SWATH_CUBES, where all nodes have it. */

import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isSwathError } from '../errors.ts';
import { walkFolder } from '../files/index.ts';
import type { NetworkSources } from '../sources/index.ts';
import { unavailable } from './errors.ts';
import { makeFolderObjects } from './folder-objects.ts';
import type { ObjectStore } from './object-store.ts';
import { openObjects } from './open-objects.ts';

/** The settings for where the service stores what it has made. */
export interface OwnPlace {
  readonly dataDir: string;
  /** `s3://bucket/prefix`; null for the data directory. */
  readonly cubes: string | null;
  readonly sources: { readonly network?: NetworkSources | undefined };
}

const withoutSlash = (href: string): string => href.replace(/\/$/, '');

/** Opens the objects of one kind, such as `stations`: a folder of the data directory, or of the bucket. */
export function openOwnObjects({ dataDir, cubes, sources }: OwnPlace, folder: string): ObjectStore {
  if (cubes === null) return makeFolderObjects({ folder: join(dataDir, folder) });
  const { network } = sources;
  return openObjects({
    bucketHref: `${withoutSlash(cubes)}/${folder}`,
    ...(network === undefined ? {} : { network }),
  });
}

/**
 * Image files that Swath makes and the catalog names, by keys such as `converted/x/B04.tif`. Each is made on a disk of this
 * machine. Its address means the same on every node that has the same settings.
 */
export interface OwnFiles {
  /** Where a file is made; its folder is there. */
  prepare(key: string): Promise<string>;
  /** Makes a complete file of this machine the file of its key; in a bucket, the local one is removed. Gives its address. */
  publish(key: string, signal?: AbortSignal): Promise<string>;
  /** Publishes a copy of every file below a folder of this machine, which stays; the folder lies in the data directory. */
  publishCopies(folder: string, signal?: AbortSignal): Promise<void>;
  toHref(key: string): string;
  has(key: string): Promise<boolean>;
  /** Keys below a folder, whose name ends with a slash. */
  list(folder: string): Promise<readonly string[]>;
  /** Also when there is none. */
  remove(key: string): Promise<void>;
  removeBelow(folder: string): Promise<void>;
}

/** Opens the files in the data directory or the bucket. */
export function openOwnFiles(place: OwnPlace): OwnFiles {
  const { dataDir, cubes } = place;
  const objects = openOwnObjects(place, '');
  const toPath = (key: string): string => join(dataDir, key);
  const toHref = (key: string): string => (cubes === null ? key : `${withoutSlash(cubes)}/${key}`);
  return {
    toHref,
    async prepare(key) {
      await mkdir(dirname(toPath(key)), { recursive: true });
      return toPath(key);
    },
    async publish(key, signal) {
      if (cubes === null) return key;
      const path = toPath(key);
      const options = { contentType: 'image/tiff', ...(signal === undefined ? {} : { signal }) };
      await withBucketErrors(() => objects.publish(key, path, options));
      await rm(path, { force: true });
      return toHref(key);
    },
    async publishCopies(folder, signal) {
      if (cubes === null) return;
      const below = relative(dataDir, folder).split(sep).join('/');
      for (const { parts } of (await walkFolder(folder)).files) {
        const bytes = await readFile(join(folder, ...parts), { signal });
        const key = [below, ...parts].join('/');
        await withBucketErrors(() =>
          objects.put(key, bytes, { contentType: 'application/octet-stream', when: 'always' }),
        );
      }
    },
    async has(key) {
      if (cubes !== null) return (await withBucketErrors(() => objects.stat(key))) !== null;
      return stat(toPath(key)).then(
        () => true,
        () => false,
      );
    },
    list: (folder) =>
      withBucketErrors(async () => {
        const keys: string[] = [];
        for await (const page of objects.list(folder)) keys.push(...page.map(({ key }) => key));
        return keys;
      }),
    remove: (key) => withBucketErrors(() => objects.remove(key)),
    removeBelow: (folder) => withBucketErrors(() => objects.removeBelow(folder)),
  };
}

/** Reports a failing bucket as unavailable instead of blaming the file that was to be stored in it. */
async function withBucketErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSwathError(error) || !['source-broken', 'timed-out', 'not-allowed'].includes(error.tag))
      throw error;
    throw unavailable('own-files-unavailable', 'The bucket of SWATH_CUBES cannot be used at the moment.', {
      cause: error,
    });
  }
}
