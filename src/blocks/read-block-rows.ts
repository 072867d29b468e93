import type { BufferPool } from '../files/index.ts';
import type { BlockFile, BlockImage, BlockPosition } from '../formats/index.ts';
import type { PixelArray } from '../raster/index.ts';
import { bytesPerSample, viewPixels } from '../raster/index.ts';
import type { BlockNeed, CachedBlock, FreshBlock } from './cache/index.ts';

/** Blocks are read in eighths: finer steps would read their last stored bytes again more often than they save. */
const PARTS = 8;

interface BlockAt {
  readonly level: number;
  readonly position: BlockPosition;
}

/** An opened file, and which of its blocks were once decoded to their end, where the checksum is. */
export interface VerifiedFile {
  readonly file: BlockFile;
  readonly verified: Set<string>;
}

/**
 * Reads a block as far as it is needed, into leased memory, continuing from the cached part. The first time all of it
 * is decoded: the checksum is at the end, and undetected damage would be shown as pixels.
 */
export async function readBlockRows(
  { file, verified }: VerifiedFile,
  { level, position }: BlockAt,
  { rows, withKnown, signal, buffers }: BlockNeed & { readonly buffers: BufferPool },
): Promise<FreshBlock> {
  const image = file.levels[level] as BlockImage;
  const name = `${level} ${file.blockNumber(level, position)}`;
  const leased = leaseRows(file, { level, position }, buffers);
  const known = leased === null ? null : (withKnown((cached) => copyRows(cached, leased.pixels)) ?? null);
  const from = known ?? (leased === null ? null : startIn(leased.pixels));
  const step = Math.ceil(image.blockHeight / PARTS);
  // Continuing with a block reads the rest of it again, which over a network costs more than decoding all of it at
  // once.
  const isEnough = file.source.isNear === true && (known !== null || verified.has(name));
  const wanted = isEnough ? Math.ceil(rows / step) * step : undefined;
  const { rowsReady, resume, ...block } = await file.readRows(level, position, {
    signal,
    rows: wanted,
    from,
  });
  if (rowsReady === block.height) verified.add(name);
  const mask = await file.readMask(level, position, block, signal);
  const isLeased = block.pixels === leased?.pixels;
  // Codecs that cannot decode row by row bring their own memory.
  if (!isLeased) leased?.release();
  return {
    block,
    mask,
    rowsReady,
    ...(resume === null
      ? {}
      : { resume: [resume.headerBit, resume.bit, resume.outBytes, resume.sum] as const }),
    ...(isLeased ? { release: leased.release } : {}),
  };
}

const startIn = (pixels: PixelArray) => ({ pixels, rowsReady: 0, resume: null });

/** Memory for all rows of a block; null when its decoder would not use it. */
function leaseRows(file: BlockFile, { level, position }: BlockAt, buffers: BufferPool) {
  const needed = file.blockBuffer(level, position);
  if (needed === null) return null;
  const { type, samples } = needed;
  const buffer = buffers.lease(samples * bytesPerSample[type]);
  return { pixels: viewPixels(type, buffer, samples), release: () => buffers.release(buffer) };
}

/** Copies the decoded rows, because other threads read those in the cache. */
function copyRows({ block, rowsReady, resume }: Required<CachedBlock>, pixels: PixelArray) {
  if (rowsReady === block.height || block.pixels.length !== pixels.length) return null;
  pixels.set(block.pixels.subarray(0, rowsReady * block.width * block.bandCount));
  const [headerBit, bit, outBytes, sum] = resume;
  return { pixels, rowsReady, resume: { headerBit, bit, outBytes, sum } };
}
