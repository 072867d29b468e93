import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceBroken } from '../../errors.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { ChunkRange } from './chunk.ts';
import { CHUNK_STEPS, unpackChunk } from './chunk.ts';
import type { CubeState } from './cube-state.ts';
import { parseManifest } from './manifest.ts';

/** The file that says what a cube is; the only one of a cube that is ever replaced. */
export const MANIFEST = 'cube.json';

/** Reads cubes below a folder; what was read lately is remembered. */
export interface CubeReader {
  /** The cube as it is now; null if there is none. */
  readState(folder: string): Promise<CubeState | null>;
  /** Values of a chunk: cell after cell, each with all its steps. The caller must not change them. */
  readChunk(folder: string, state: CubeState, range: ChunkRange): Promise<Float32Array>;
}

interface CubeReaderOptions {
  /** Memory for chunks. */
  readonly cacheBytes: number;
}

/** Manifests that are remembered. */
const MAX_STATES = 32;

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Builds the reader. */
export function makeCubeReader({ cacheBytes }: CubeReaderOptions): CubeReader {
  const states = makeLru<{ readonly stamp: string; readonly state: CubeState }>({ max: MAX_STATES });
  // A file of chunks is never changed, so that what is remembered is never stale.
  const chunks: Lru<Float32Array> = makeLru({ max: cacheBytes });
  return {
    async readState(folder) {
      const path = join(folder, MANIFEST);
      try {
        // Replaced whole, so that inode, time and size tell one from another.
        const { ino, mtimeMs, size } = await stat(path);
        const stamp = `${ino}-${mtimeMs}-${size}`;
        const known = states.get(folder);
        if (known?.stamp === stamp) return known.state;
        const state = parseManifest(await readFile(path, 'utf8'));
        states.set(folder, { stamp, state });
        return state;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    async readChunk(folder, { chunkSide }, range) {
      const key = `${folder}/${range.path} ${range.offset}`;
      const known = chunks.get(key);
      if (known !== undefined) return known;
      const bytes = await readRange(join(folder, range.path), range).catch((cause: unknown) => {
        const code = isGone(cause) ? 'cube-chunk-gone' : 'cube-unreadable';
        throw sourceBroken(code, 'A chunk of a data cube cannot be read.', { cause });
      });
      const values = await unpackChunk(bytes, chunkSide * chunkSide * CHUNK_STEPS);
      chunks.set(key, values, values.byteLength);
      return values;
    },
  };
}

async function readRange(path: string, { offset, length }: ChunkRange): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error('the file is too short');
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
