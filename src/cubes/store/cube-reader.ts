import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { ChunkRange } from './chunk.ts';
import { CHUNK_STEPS, unpackChunk } from './chunk.ts';
import type { CubeFiles } from './cube-files.ts';
import type { CubeState } from './cube-state.ts';
import { parseManifest } from './manifest.ts';

/** A state of a cube, and what tells it from another. */
export interface StampedState {
  readonly stamp: string;
  readonly state: CubeState;
}

/** Reads the cubes of a subject; what was read lately is remembered. */
export interface CubeReader {
  /** Names of folders that may be cubes. */
  listNames(): Promise<readonly string[]>;
  /** The cube as it is; null if there is none. It may be as old as the files allow, unless it is to be new. */
  readState(cube: string, age?: 'new'): Promise<StampedState | null>;
  /** Takes over what this process has written, or null for a cube that it has removed. */
  remember(cube: string, written: StampedState | null): void;
  /** Values of a chunk: cell after cell, each with all its steps. The caller must not change them. */
  readChunk(cube: string, state: CubeState, range: ChunkRange): Promise<Float32Array>;
}

interface CubeReaderOptions {
  readonly files: CubeFiles;
  /** Memory for chunks. */
  readonly cacheBytes: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/** Manifests that are remembered. */
const MAX_STATES = 32;

interface Known {
  readonly found: StampedState | null;
  readonly readAtMs: number;
}

/** Builds the reader. */
export function makeCubeReader(options: CubeReaderOptions): CubeReader {
  const { files, cacheBytes, nowMs = () => performance.now() } = options;
  const states = makeLru<Known>({ max: MAX_STATES });
  // A file of chunks is never changed, so that what is remembered is never stale.
  const chunks: Lru<Float32Array> = makeLru({
    max: cacheBytes,
    sizeOf: ({ byteLength }) => byteLength,
  });
  // Readers that come at the same time share one look at the manifest.
  const pending = new Map<string, Promise<StampedState | null>>();
  let writes = 0;
  let names: { readonly found: readonly string[]; readonly readAtMs: number } | null = null;

  const isFresh = ({ readAtMs }: { readonly readAtMs: number }): boolean =>
    nowMs() - readAtMs < files.freshMs;

  async function look(cube: string): Promise<StampedState | null> {
    const readAtMs = nowMs();
    const writesBefore = writes;
    const known = states.get(cube)?.found ?? null;
    const manifest = await files.readManifest(cube, known?.stamp ?? null);
    const found =
      manifest === 'same'
        ? known
        : manifest === null
          ? null
          : { stamp: manifest.stamp, state: parseManifest(manifest.text) };
    // What this process has written meanwhile is newer.
    if (writes === writesBefore) states.set(cube, { found, readAtMs });
    return found;
  }

  return {
    async listNames() {
      if (names !== null && isFresh(names)) return names.found;
      const [readAtMs, writesBefore] = [nowMs(), writes];
      const found = await files.listNames();
      if (writes === writesBefore) names = { found, readAtMs };
      return found;
    },
    async readState(cube, age) {
      if (age === 'new' || files.freshMs === 0) return look(cube);
      const known = states.get(cube);
      if (known !== undefined && isFresh(known)) return known.found;
      const looking = pending.get(cube) ?? look(cube).finally(() => pending.delete(cube));
      pending.set(cube, looking);
      return looking;
    },
    remember(cube, written) {
      states.set(cube, { found: written, readAtMs: nowMs() });
      names = null;
      writes += 1;
    },
    async readChunk(cube, { chunkSide }, range) {
      const key = `${cube}/${range.path} ${range.offset}`;
      return chunks.rememberLater(key, async () =>
        unpackChunk(await files.readRange(cube, range), chunkSide * chunkSide * CHUNK_STEPS),
      );
    },
  };
}
