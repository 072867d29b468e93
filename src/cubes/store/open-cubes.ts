import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { conflict, isSwathError, unavailable } from '../../errors.ts';
import { makeHdf5Thread } from '../../formats/hdf5/index.ts';
import type { ObjectLease, ObjectStore } from '../../objects/index.ts';
import { openObjects, takeLease } from '../../objects/index.ts';
import type { NetworkSources } from '../../sources/index.ts';
import { makeOpenSource, toFileHref } from '../../sources/index.ts';
import type { IngestGridsOptions } from '../ingest/ingest-grids.ts';
import type { Cubes } from './cubes.ts';
import { makeBucketCubes, makeCubes } from './cubes.ts';

/** Folder of data cubes inside the data directory. */
export const CUBES_FOLDER = 'cubes';
/** Folder next to the cubes for files that are made before they are uploaded. */
const STAGING_FOLDER = 'staging';
/** The object of a bucket that says who writes; no subject has such a name. */
const LEASE_KEY = 'writer.json';

/** The settings that say where data cubes are stored. */
export interface CubesConfig {
  readonly dataDir: string;
  /** `s3://bucket/prefix`; null for the data directory. */
  readonly cubes: string | null;
  readonly sources: {
    readonly folders: readonly string[];
    readonly network?: NetworkSources | undefined;
  };
}

/**
 * Keeps other processes out of a folder, which is created if needed; the operating system releases the lock when the
 * process dies. Throws `store-locked` if another process holds it.
 */
export type LockFolder = (directory: string) => { release(): void };

/** Held by the one process that writes data cubes. */
export interface CubesLock {
  /** Throws if another process may write by now. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

const toStaging = (dataDir: string): string => join(dataDir, CUBES_FOLDER, STAGING_FOLDER);

function openBucket(href: string, { sources: { network } }: CubesConfig): ObjectStore {
  return openObjects({ bucketHref: href, ...(network === undefined ? {} : { network }) });
}

/** The data cubes of a subject, in the data directory or a bucket; a process that writes them has the lock. */
export function openCubes(
  config: CubesConfig,
  subject: 'soil-moisture' | 'weather' | 'weather-days',
  lock: Pick<CubesLock, 'confirm'> | null = null,
): Cubes {
  const { dataDir, cubes } = config;
  if (cubes === null) return makeCubes({ directory: join(dataDir, CUBES_FOLDER), subject });
  const objects = openBucket(cubes, config);
  const options = { objects, subject, stagingFolder: toStaging(dataDir) };
  return makeBucketCubes(lock === null ? options : { ...options, confirm: lock.confirm });
}

/**
 * Keeps others from writing data cubes: two at once would sweep away each other's chunks. In the data directory it is a
 * lock of the operating system, in a bucket a lease in addition.
 */
export async function lockCubes(config: CubesConfig, lockFolder: LockFolder): Promise<CubesLock> {
  const local = lockLocally(config.dataDir, lockFolder);
  try {
    // Of a process that was killed; no other one stages files here now.
    await rm(toStaging(config.dataDir), { recursive: true, force: true });
    const lease = config.cubes === null ? null : await leaseBucket(openBucket(config.cubes, config));
    return {
      confirm: async () => lease?.confirm(),
      async release() {
        await lease?.release();
        local.release();
      },
    };
  } catch (error) {
    local.release();
    throw error;
  }
}

function lockLocally(dataDir: string, lockFolder: LockFolder): ReturnType<LockFolder> {
  try {
    return lockFolder(join(dataDir, CUBES_FOLDER));
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'store-locked') throw error;
    const message = 'Another Swath writes data cubes in this data directory: wait for it, or stop it.';
    throw conflict('cubes-busy', message, { cause: error });
  }
}

async function leaseBucket(objects: ObjectStore): Promise<ObjectLease> {
  const lease = await takeLease(objects, { key: LEASE_KEY }).catch((error: unknown) => {
    if (!isSwathError(error) || !['source-broken', 'timed-out', 'not-allowed'].includes(error.tag))
      throw error;
    throw unavailable('cubes-unavailable', 'The bucket of SWATH_CUBES cannot be written at the moment.', {
      cause: error,
    });
  });
  if (lease !== null) return lease;
  throw conflict(
    'cubes-busy',
    'Another Swath writes data cubes in the bucket of SWATH_CUBES: wait for it, or stop it. If it was killed, its lease ends two minutes later.',
  );
}

/** Where an ingest into data cubes reads and writes. */
export interface GridPlaces {
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
  readonly from: string;
}

/** Runs an ingest with everything that opens files of fields, while no other process writes data cubes. */
export async function withGridFiles<T>(
  { config, lockFolder, from }: GridPlaces,
  work: (deps: Pick<IngestGridsOptions, 'open' | 'hdf5'>, lock: CubesLock) => Promise<T>,
): Promise<T> {
  const lock = await lockCubes(config, lockFolder);
  const hdf5 = makeHdf5Thread();
  // Values are copied, so that the files may lie anywhere; but nothing outside of the folder that was named is read.
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const root = isFolder ? from : dirname(from);
  const open = makeOpenSource({
    dataDir: root,
    subject: { file: 'the file', server: 'the server of the file' },
  });
  try {
    const files = {
      open: (path: string) => open(toFileHref(path, { dataDir: root, folders: [] })),
      hdf5,
    };
    return await work(files, lock);
  } finally {
    await hdf5.close();
    await lock.release();
  }
}
