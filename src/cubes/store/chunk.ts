import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sourceBroken } from '../../errors.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';

/** Steps of a chunk: a year of days is in one or two, a month of hours in two or three. */
export const CHUNK_STEPS = 512;

/** Cells of a chunk a side: small grids have small chunks, and large ones do not become too many files. */
export function toChunkSide({ width, height }: Pick<CubeGrid, 'width' | 'height'>): number {
  const cells = width * height;
  if (cells <= 2 ** 18) return 8;
  return cells <= 2 ** 21 ? 16 : 32;
}

/** The fastest of zstd; the noise in the last bits of measurements cannot be packed better by any level. */
const LEVEL = 1;
/** What zstd may add to values that cannot be packed: its header and checksum, and 3 bytes for each block of 128 KB. */
const PACKING_BYTES = 1024;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Where a chunk is stored: a range of a file that holds many. */
export interface ChunkRange {
  /** Inside the folder of the cube. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** Packs the values of a chunk: cell after cell, each with all its steps, as little-endian floats. */
export function packChunk(values: Float32Array): Promise<Uint8Array> {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return compress(raw, {
    // As much as may come of it: with Node's 16 KB every chunk comes in many pieces, each of them a turn of the event loop.
    chunkSize: raw.byteLength + PACKING_BYTES,
    // Otherwise zstd prepares tables for data of any length, which takes longer than packing these.
    pledgedSrcSize: raw.byteLength,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** The inverse; a chunk that is damaged or has another length is an error. */
export async function unpackChunk(bytes: Uint8Array, length: number): Promise<Float32Array> {
  const raw = await decompress(bytes, { chunkSize: 4 * length, maxOutputLength: 4 * length }).catch(
    (cause: unknown) => {
      throw sourceBroken('cube-damaged', 'A chunk of a data cube is damaged.', { cause });
    },
  );
  if (raw.byteLength !== 4 * length)
    throw sourceBroken('cube-damaged', 'A chunk of a data cube is too short.');
  const { buffer, byteOffset, byteLength } = raw;
  // As a rule it has memory of its own; a slice of Node's pool need not be aligned, and would keep the whole of it.
  if (buffer.byteLength === byteLength) return new Float32Array(buffer as ArrayBuffer);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}
