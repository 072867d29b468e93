import type { OutputFile } from '../../files/index.ts';
import type { ChunkRange } from './chunk.ts';

/** The file that says what a cube is; the only one of a cube that is ever replaced. */
export const MANIFEST = 'cube.json';

/** A manifest, and what tells this state of it from another. */
export interface StampedManifest {
  readonly stamp: string;
  readonly text: string;
}

/**
 * Where the files of the cubes of a subject are stored: one manifest for each, and files of chunks that never change. A
 * store that cannot be used now throws `unavailable`.
 */
export interface CubeFiles {
  /** How long a manifest is used before it is looked at again; 0 where that costs nothing. */
  readonly freshMs: number;
  /** Names of folders, of which each may be a cube. */
  listNames(): Promise<readonly string[]>;
  /** The manifest of a cube; `same` if it still has the stamp that is known, null if there is none. */
  readManifest(cube: string, knownStamp: string | null): Promise<StampedManifest | 'same' | null>;
  /** A range of a file; throws `cube-chunk-gone` if there is none. */
  readRange(cube: string, range: ChunkRange): Promise<Uint8Array>;
  /** Makes a file, which is there when it is whole; if `write` gives false, nothing is stored. */
  writeFile(cube: string, path: string, write: (file: OutputFile) => Promise<boolean>): Promise<void>;
  /**
   * Replaces the manifest in one step and gives its stamp. A store that can tell throws `cubes-busy` if the manifest is no
   * longer the one of the stamp, or if there is one and the stamp is null.
   */
  replaceManifest(cube: string, text: string, knownStamp: string | null): Promise<string>;
  /** Removes files of chunks, also if they are gone. */
  removeFiles(cube: string, paths: Iterable<string>): Promise<void>;
  /** Removes what writers have left that were killed: files of chunks that are not named. */
  sweep(cube: string, named: ReadonlySet<string>): Promise<void>;
  /** Removes a cube, first its manifest, also if there is none. */
  remove(cube: string): Promise<void>;
}
