import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSwathError } from '../errors.ts';
import type { ObjectLease, ObjectStore } from '../objects/index.ts';
import { makeFolderObjects, openObjects, takeLease } from '../objects/index.ts';
import type { NetworkSources } from '../sources/index.ts';
import type { ChunkRange, Cube, CubeState } from './cube.ts';
import { toCube } from './cube.ts';
import type { CubeFiles, CubeFilesOptions } from './cube-files.ts';
import { makeCubeFiles, makeCubeReader } from './cube-files.ts';
import type { CubePlan, CubeWriter } from './cube-writer.ts';
import { openCubeWriter } from './cube-writer.ts';
import { badInput, conflict, notFound, unavailable } from './errors.ts';

/** The cubes of one subject, such as soil moisture. */
export interface Cubes {
  /** All cubes, by name. */
  list(): Promise<readonly Cube[]>;
  find(name: string): Promise<Cube | null>;
  /** Files that are in a cube, with their stamps; none if there is no such cube. */
  readSources(name: string): Promise<ReadonlyMap<string, string>>;
  /** Opens a cube for writing, which is made with the first values. One process at a time may write. */
  openWriter(name: string, plan: CubePlan): Promise<CubeWriter>;
  /** False if there was none. */
  remove(name: string): Promise<boolean>;
  /** Runs a read of one state of a cube; after a write that has removed a chunk it runs once more on the new state. */
  withState<T>(name: string, read: (opened: OpenedCube) => Promise<T>): Promise<T>;
}

/** One state of a cube, and its chunks. */
export interface OpenedCube {
  readonly state: CubeState;
  readChunk(range: ChunkRange): Promise<Float32Array>;
  /** Values of some cells of a chunk, by their place in it. */
  readCells(range: ChunkRange, cells: readonly number[]): Promise<readonly Float32Array[]>;
}

interface ReadingOptions {
  /** Memory for cached chunks; 32 MB by default. */
  readonly cacheBytes?: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

interface CubesOptions extends ReadingOptions {
  /** Folder of the cubes in the data directory. */
  readonly directory: string;
  /** Part of the folder, by subject. */
  readonly subject: string;
}

const CACHE_BYTES = 32 * 2 ** 20;
/** A state that is replaced this often while one read runs is a bug. */
const MAX_TRIES = 5;

/** Builds the cubes of a subject in a directory; nothing is made before the first write. */
export function makeCubes({ directory, subject, ...reading }: CubesOptions): Cubes {
  const files = makeCubeFiles({
    objects: makeFolderObjects({ folder: directory }),
    subject,
    // On the same disk as the cube, so that a rename is enough.
    toStagingFolder: (cube) => join(directory, subject, cube),
    freshMs: 0,
    // A writer holds the lock of the directory: what is left was left by a killed process.
    leftoverMs: 0,
  });
  return makeCubesOf(files, reading);
}

/** Where cubes are stored in a bucket. */
interface BucketCubesOptions
  extends ReadingOptions,
    Pick<CubeFilesOptions, 'objects' | 'subject' | 'confirm'> {
  readonly stagingFolder: string;
}

/** Manifest TTL: within it all readers share one request. */
const BUCKET_FRESH_MS = 5_000;
/**
 * A writer names its files within minutes. It is longer than the clocks of two machines can differ that a store accepts
 * signatures of (15 minutes).
 */
const BUCKET_LEFTOVER_MS = 3_600_000;

/** Builds the cubes of a subject in a bucket. */
export function makeBucketCubes(options: BucketCubesOptions): Cubes {
  const { objects, subject, stagingFolder, confirm, ...reading } = options;
  const files = makeCubeFiles({
    objects,
    subject,
    toStagingFolder: () => stagingFolder,
    freshMs: BUCKET_FRESH_MS,
    leftoverMs: BUCKET_LEFTOVER_MS,
    confirm,
  });
  return makeCubesOf(files, reading);
}

function makeCubesOf(files: CubeFiles, { cacheBytes = CACHE_BYTES, ...rest }: ReadingOptions): Cubes {
  const reader = makeCubeReader({ ...rest, files, cacheBytes });

  const find = async (name: string): Promise<Cube | null> => {
    const found = await reader.readState(parseCubeName(name));
    return found === null ? null : toCube(name, found.state);
  };

  return {
    find,
    async list() {
      const names = (await reader.listNames()).filter(isCubeName);
      const cubes = await Promise.all(names.map(find));
      return cubes.filter((cube) => cube !== null).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    readSources: async (name) =>
      (await reader.readState(parseCubeName(name)))?.state.sources ?? new Map<string, string>(),
    openWriter: (name, plan) => openCubeWriter(parseCubeName(name), plan, { files, reader }),
    async remove(name) {
      const found = await reader.readState(parseCubeName(name), 'new');
      // Also without a manifest: a writer or a removal that was killed may have left files.
      await files.remove(name);
      reader.remember(name, null);
      return found !== null;
    },
    async withState(name, read) {
      parseCubeName(name);
      let found = await reader.readState(name);
      for (let tries = 1; ; tries++) {
        if (found === null) throw notFound('unknown-cube', `There is no data cube ${name}.`);
        const { stamp, state } = found;
        try {
          return await read({
            state,
            readChunk: (range) => reader.readChunk(name, state, range),
            readCells: (range, cells) => reader.readCells(name, state, range, cells),
          });
        } catch (error) {
          // Only what cannot be read may be there in a newer state.
          if (!isSwathError(error) || error.tag !== 'source-broken') throw error;
          found = await reader.readState(name, 'new');
          if (found?.stamp === stamp || tries === MAX_TRIES) throw error;
        }
      }
    },
  };
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Whether a string can be the name of a cube. */
const isCubeName = (text: string): boolean => NAME.test(text);

/** Checks the name of a cube; any other string throws `usage`. */
export function parseCubeName(text: string): string {
  if (isCubeName(text)) return text;
  throw badInput(
    'usage',
    `"${text.slice(0, 80)}" cannot be the name of a data cube: it takes 1 to 64 lower-case letters, digits, hyphens and underscores, and begins with a letter or a digit.`,
  );
}

/** Folder of data cubes inside the data directory. */
export const CUBES_FOLDER = 'cubes';
/** Folder next to the cubes for files that are made before they are uploaded. */
const STAGING_FOLDER = 'staging';
/** The object of a bucket that holds the writer's lease; no subject has such a name. */
const LEASE_KEY = 'writer.json';

/** The settings for where data cubes are stored. */
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

/** Opens the data cubes of a subject, in the data directory or a bucket; a process that writes them holds the lock. */
export function openCubes(
  config: CubesConfig,
  subject: 'soil-moisture' | 'weather' | 'weather-days',
  lock: Pick<CubesLock, 'confirm'> | null = null,
): Cubes {
  const { dataDir, cubes } = config;
  if (cubes === null) return makeCubes({ directory: join(dataDir, CUBES_FOLDER), subject });
  const objects = openBucket(cubes, config);
  return makeBucketCubes({
    objects,
    subject,
    stagingFolder: toStaging(dataDir),
    confirm: lock?.confirm,
  });
}

/**
 * Keeps others from writing data cubes: two at once would sweep away each other's chunks. In the data directory it is a
 * lock of the operating system, in a bucket a lease in addition.
 */
export async function lockCubes(config: CubesConfig, lockFolder: LockFolder): Promise<CubesLock> {
  const local = lockLocally(config.dataDir, lockFolder);
  try {
    // Left by a process that was killed; no other process stages files here now.
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
