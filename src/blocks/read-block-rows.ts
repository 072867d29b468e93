import type { BlockFile, BlockImage, BlockPosition } from '../formats/index.ts';
import type { PixelArray } from '../raster/index.ts';
import { bytesPerSample, viewPixels } from '../raster/index.ts';
import type { BufferPool } from '../storage/index.ts';
import type { BlockNeed, FreshBlock, KeptBlock } from './cache/index.ts';

/** Blocks are read in eighths: finer steps would read their last stored bytes again more often than they save. */
const PARTS = 8;

interface BlockAt {
  readonly level: number;
  readonly place: BlockPosition;
}

/** An opened file, and which of its blocks were once decoded to their end, where their checksum stands. */
export interface VerifiedFile {
  readonly file: BlockFile;
  readonly verified: Set<string>;
}

/**
 * Reads a block as far as it is needed, into lent memory, going on from what is known of it. The first time all of it is
 * decoded: a checksum stands at the end, and damage before it would be shown as pixels.
 */
export async function readBlockRows(
  { file, verified }: VerifiedFile,
  { level, place }: BlockAt,
  { rows, withKnown, signal, buffers }: BlockNeed & { readonly buffers: BufferPool },
): Promise<FreshBlock> {
  const image = file.levels[level] as BlockImage;
  const name = `${level} ${file.blockNumber(level, place)}`;
  const lent = leaseRows(file, { level, place }, buffers);
  const known = lent === null ? null : (withKnown((kept) => copyRows(kept, lent.pixels)) ?? null);
  const from = known ?? (lent === null ? null : startIn(lent.pixels));
  const step = Math.ceil(image.blockHeight / PARTS);
  // Going on with a block reads the rest of it anew, which over a network costs more than to decode all of it at once.
  const isEnough = file.source.isNear === true && (known !== null || verified.has(name));
  const wanted = isEnough ? Math.ceil(rows / step) * step : undefined;
  const { rowsReady, resume, ...block } = await file.readRows(level, place, { signal, rows: wanted, from });
  if (rowsReady === block.height) verified.add(name);
  const mask = await file.readMask(level, place, block, signal);
  const isLent = block.pixels === lent?.pixels;
  // Codecs that know no rows have memory of their own.
  if (!isLent) lent?.release();
  return {
    block,
    mask,
    rowsReady,
    ...(resume === null
      ? {}
      : { resume: [resume.headerBit, resume.bit, resume.outBytes, resume.sum] as const }),
    ...(isLent ? { release: lent.release } : {}),
  };
}

const startIn = (pixels: PixelArray) => ({ pixels, rowsReady: 0, resume: null });

/** Memory for all rows of a block; null when its decoder would not use it. */
function leaseRows(file: BlockFile, { level, place }: BlockAt, buffers: BufferPool) {
  const shape = file.blockBuffer(level, place);
  if (shape === null) return null;
  const { type, samples } = shape;
  const buffer = buffers.lease(samples * bytesPerSample[type]);
  return { pixels: viewPixels(type, buffer, samples), release: () => buffers.release(buffer) };
}

/** Copies the rows that are decoded, because those of the cache are read by others. */
function copyRows({ block, rowsReady, resume }: Required<KeptBlock>, pixels: PixelArray) {
  if (rowsReady === block.height || block.pixels.length !== pixels.length) return null;
  pixels.set(block.pixels.subarray(0, rowsReady * block.width * block.bandCount));
  const [headerBit, bit, outBytes, sum] = resume;
  return { pixels, rowsReady, resume: { headerBit, bit, outBytes, sum } };
}
