import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { notFound } from '../../errors.ts';
import type { ChunkRange } from './chunk.ts';
import type { Cube } from './cube.ts';
import { parseCubeName } from './cube-name.ts';
import type { CubeReader } from './cube-reader.ts';
import { makeCubeReader } from './cube-reader.ts';
import type { CubeState } from './cube-state.ts';
import { toCube } from './cube-state.ts';
import type { CubePlan, CubeWriter } from './cube-writer.ts';
import { openCubeWriter } from './cube-writer.ts';

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

interface CubesOptions {
  /** Folder of the cubes in the data directory. */
  readonly directory: string;
  /** Part of the folder, by subject. */
  readonly subject: string;
  /** Memory for chunks that were read lately; 32 MB unless told. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 32 * 2 ** 20;
/** A state that is replaced this often while one read runs is a bug. */
const MAX_TRIES = 5;
/** Begins with a character that no name of a cube has. */
const REMOVED = '.removed-';

/** Builds the cubes of a subject; nothing is made before the first write. */
export function makeCubes({ directory, subject, cacheBytes = CACHE_BYTES }: CubesOptions): Cubes {
  const root = join(directory, subject);
  const reader: CubeReader = makeCubeReader({ cacheBytes });
  const toFolder = (name: string): string => join(root, parseCubeName(name));

  const find = async (name: string): Promise<Cube | null> => {
    const state = await reader.readState(toFolder(name));
    return state === null ? null : toCube(name, state);
  };

  return {
    find,
    async list() {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
      const cubes = await Promise.all(names.map(({ name }) => find(name)));
      return cubes.filter((cube) => cube !== null).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    readSources: async (name) => (await reader.readState(toFolder(name)))?.sources ?? new Map(),
    openWriter: (name, plan) => openCubeWriter(toFolder(name), plan, reader),
    async remove(name) {
      const folder = toFolder(name);
      if ((await reader.readState(folder)) === null) return false;
      await mkdir(root, { recursive: true });
      // Renamed first, so that a reader sees the cube or does not, but no half of it.
      const leftover = join(root, `${REMOVED}${name}-${process.pid}`);
      await rename(folder, leftover);
      await rm(leftover, { recursive: true, force: true });
      return true;
    },
    async withState(name, read) {
      const folder = toFolder(name);
      for (let tries = 1; ; tries++) {
        const state = await reader.readState(folder);
        if (state === null) throw notFound('unknown-cube', `There is no data cube ${name}.`);
        try {
          return await read({ state, readChunk: (range) => reader.readChunk(folder, state, range) });
        } catch (error) {
          const isOld = (await reader.readState(folder)) !== state;
          if (!isOld || tries === MAX_TRIES) throw error;
        }
      }
    },
  };
}
