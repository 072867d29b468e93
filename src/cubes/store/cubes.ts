import { join } from 'node:path';
import { isSwathError, notFound } from '../../errors.ts';
import { makeFolderObjects } from '../../objects/index.ts';
import type { ChunkRange } from './chunk.ts';
import type { Cube } from './cube.ts';
import type { CubeFiles } from './cube-files.ts';
import { isCubeName, parseCubeName } from './cube-name.ts';
import { makeCubeReader } from './cube-reader.ts';
import type { CubeState } from './cube-state.ts';
import { toCube } from './cube-state.ts';
import type { CubePlan, CubeWriter } from './cube-writer.ts';
import { openCubeWriter } from './cube-writer.ts';
import type { CubeFilesOptions } from './make-cube-files.ts';
import { makeCubeFiles } from './make-cube-files.ts';

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
}

interface ReadingOptions {
  /** Memory for chunks that were read lately; 32 MB unless told. */
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
    ...(confirm === undefined ? {} : { confirm }),
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
          return await read({ state, readChunk: (range) => reader.readChunk(name, state, range) });
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
