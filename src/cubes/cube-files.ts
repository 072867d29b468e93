import { mkdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { isSwathError } from '../errors.ts';
import type { OutputFile } from '../files/index.ts';
import { nodeFiles, toWriteError } from '../files/index.ts';
import type { Lru } from '../lru.ts';
import { makeLru } from '../lru.ts';
import type { ObjectStore } from '../objects/index.ts';
import type { ChunkRange, CubeState } from './cube.ts';
import { CHUNK_STEPS, parseManifest } from './cube.ts';
import type { CubeGrid } from './cube-grid.ts';
import { conflict, sourceBroken, tooLarge, unavailable } from './errors.ts';

/**
 * Where the files of the cubes of a subject are stored: one manifest for each, and files of chunks that never change. A
 * store that cannot be used now throws `unavailable`.
 */
export interface CubeFiles {
  /** Manifest TTL; 0 where reading it again costs nothing. */
  readonly freshMs: number;
  /** Names of folders, of which each may be a cube. */
  listNames(): Promise<readonly string[]>;
  /** The manifest of a cube; `same` if it still has the stamp that is known, null if there is none. */
  readManifest(cube: string, knownStamp: string | null): Promise<StampedManifest | 'same' | null>;
  /** A range of a file; throws `cube-chunk-gone` if there is none. */
  readRange(cube: string, range: ChunkRange): Promise<Uint8Array>;
  /** Makes a file, which appears when it is complete; if `write` resolves to false, nothing is stored. */
  writeFile(cube: string, path: string, write: (file: OutputFile) => Promise<boolean>): Promise<void>;
  /**
   * Replaces the manifest in one step and gives its stamp. A store that can tell throws `cubes-busy` if the manifest is no
   * longer the one of the stamp, or if there is one and the stamp is null.
   */
  replaceManifest(cube: string, text: string, knownStamp: string | null): Promise<string>;
  /** Removes files of chunks, also if they are gone. */
  removeFiles(cube: string, paths: Iterable<string>): Promise<void>;
  /** Removes what killed writers have left: files of chunks that the manifest does not name. */
  sweep(cube: string, named: ReadonlySet<string>): Promise<void>;
  /** Removes a cube, first its manifest, also if there is none. */
  remove(cube: string): Promise<void>;
}

/** A manifest, and the stamp of its state. */
interface StampedManifest {
  readonly stamp: string;
  readonly text: string;
}

/** Reads the cubes of a subject, through a cache. */
export interface CubeReader {
  /** Names of folders that may be cubes. */
  listNames(): Promise<readonly string[]>;
  /** The state of a cube; null if there is none. It may be as old as the TTL of the files, unless `new` is passed. */
  readState(cube: string, age?: 'new'): Promise<StampedState | null>;
  /** Caches what this process has written, or null for a cube that it has removed. */
  remember(cube: string, written: StampedState | null): void;
  /** Values of a chunk: cell after cell, each with all its steps. The caller must not change them. */
  readChunk(cube: string, state: CubeState, range: ChunkRange): Promise<Float32Array>;
  /** Values of some cells of a chunk, each with all its steps, in the order of the cells. The caller must not change them. */
  readCells(
    cube: string,
    state: CubeState,
    range: ChunkRange,
    cells: readonly number[],
  ): Promise<readonly Float32Array[]>;
}

/** A state of a cube, and its stamp. */
interface StampedState {
  readonly stamp: string;
  readonly state: CubeState;
}

interface CubeReaderOptions {
  readonly files: CubeFiles;
  /** Memory for chunks. */
  readonly cacheBytes: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/** Memory for series of single cells: two years of a dozen variables in 150 cells. */
const CELL_CACHE_BYTES = 16 * 2 ** 20;
/** The max number of cached manifests. */
const MAX_STATES = 32;

interface Known {
  readonly found: StampedState | null;
  readonly readAtMs: number;
}

/** Builds the reader. */
export function makeCubeReader(options: CubeReaderOptions): CubeReader {
  const { files, cacheBytes, nowMs = () => performance.now() } = options;
  const states = makeLru<Known>({ max: MAX_STATES });
  // Files of chunks never change, so that cached chunks are never stale.
  const chunks: Lru<Float32Array> = makeLru({
    max: cacheBytes,
    sizeOf: ({ byteLength }) => byteLength,
  });
  // Neighbouring places share cells: each is taken out of its chunk once, however many chunks their days have.
  const cellSeries: Lru<Float32Array> = makeLru({
    max: CELL_CACHE_BYTES,
    sizeOf: ({ byteLength }) => byteLength,
  });
  // Concurrent readers share one read of the manifest.
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
    // A write of this process in the meantime is newer.
    if (writes === writesBefore) states.set(cube, { found, readAtMs });
    return found;
  }

  async function readChunk(cube: string, { chunkSide }: CubeState, range: ChunkRange): Promise<Float32Array> {
    const key = `${cube}/${range.path} ${range.offset}`;
    return chunks.rememberLater(key, async () =>
      unpackChunk(await files.readRange(cube, range), chunkSide * chunkSide * CHUNK_STEPS),
    );
  }

  return {
    readChunk,
    async readCells(cube, state, range, cells) {
      const toKey = (cell: number): string => `${cube}/${range.path} ${range.offset} ${cell}`;
      const known = cells.map((cell) => cellSeries.get(toKey(cell)));
      if (known.every((series) => series !== undefined)) return known;
      const chunk = await readChunk(cube, state, range);
      return cells.map((cell) => {
        const series = chunk.slice(cell * CHUNK_STEPS, (cell + 1) * CHUNK_STEPS);
        cellSeries.set(toKey(cell), series);
        return series;
      });
    },
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
  };
}

/** Where cubes are stored. */
export interface CubeFilesOptions {
  readonly objects: ObjectStore;
  /** Name of the folder of the cubes in the store of objects. */
  readonly subject: string;
  /** The folder of this machine in which files of a cube are made before they are published. */
  readonly toStagingFolder: (cube: string) => string;
  /** Manifest TTL; 0 where reading it again costs nothing. */
  readonly freshMs: number;
  /** Files that no manifest names are kept for this long. */
  readonly leftoverMs: number;
  /** Throws if this process may no longer write; called right before anything is replaced or removed. */
  readonly confirm?: (() => Promise<void>) | undefined;
}

/** The file that describes a cube; the only file of a cube that is ever replaced. */
const MANIFEST = 'cube.json';

/** The max length of a string; a manifest has about 90 bytes for each chunk. */
const MAX_MANIFEST_BYTES = 500 * 2 ** 20;
/** The max number of objects that are removed concurrently. */
const AT_ONCE = 8;
/** When a caller should retry after the store did not answer. */
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

/** Maps errors of the object store to errors of data cubes. */
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

/** Cells of a chunk a side: small grids have small chunks, and large ones do not become too many files. */
export function toChunkSide({ width, height }: Pick<CubeGrid, 'width' | 'height'>): number {
  const cells = width * height;
  if (cells <= 2 ** 18) return 8;
  return cells <= 2 ** 21 ? 16 : 32;
}

/** The fastest level of zstd; no level compresses the noise in the last bits of measurements better. */
const LEVEL = 1;
/** What zstd may add to values that cannot be packed: its header and checksum, and 3 bytes for each block of 128 KB. */
const PACKING_BYTES = 1024;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Packs the values of a chunk: cell after cell, each with all its steps, as little-endian floats. */
export function packChunk(values: Float32Array): Promise<Uint8Array> {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return compress(raw, {
    // The max size of the result: with Node's 16 KB each chunk comes in many pieces, each a turn of the event loop.
    chunkSize: raw.byteLength + PACKING_BYTES,
    // Otherwise zstd prepares tables for data of any length, which takes longer than packing these.
    pledgedSrcSize: raw.byteLength,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** Unpacks a chunk; one that is damaged or has another length is an error. */
async function unpackChunk(bytes: Uint8Array, length: number): Promise<Float32Array> {
  const raw = await decompress(bytes, { chunkSize: 4 * length, maxOutputLength: 4 * length }).catch(
    (cause: unknown) => {
      throw sourceBroken('cube-damaged', 'A chunk of a data cube is damaged.', { cause });
    },
  );
  if (raw.byteLength !== 4 * length)
    throw sourceBroken('cube-damaged', 'A chunk of a data cube is too short.');
  const { buffer, byteOffset, byteLength } = raw;
  // Usually it has a buffer of its own; a slice of Node's pool may be unaligned, and would keep the whole pool alive.
  if (buffer.byteLength === byteLength) return new Float32Array(buffer as ArrayBuffer);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}
