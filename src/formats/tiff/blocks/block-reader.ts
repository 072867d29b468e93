import { makeBufferPool } from '../../../files/index.ts';
import type { PixelArray, SampleType } from '../../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../../raster/index.ts';
import type { ByteRange, ByteSource } from '../../../sources/index.ts';
import { badInput, internal, sourceBroken } from '../../errors.ts';
import { codecOf } from '../codecs/codecs.ts';
import { truncated } from '../directories/directory-reader.ts';
import type { TiffImage } from '../image-reader.ts';
import { maxStoredBytes } from '../limits.ts';
import type { Tiff } from '../tiff-reader.ts';
import { maskOf } from '../tiff-reader.ts';
import type { DecodedRows } from './block-decode.ts';
import { decodeRows, firstByteNeeded, letsGoOfStored } from './block-decode.ts';

/** Which block, counted from 0; the band matters only where bands are stored apart. */
export interface BlockPosition {
  readonly band: number;
  readonly column: number;
  readonly row: number;
}

/** A decoded block. */
export interface Block {
  readonly width: number;
  /** The last strip of an image may have fewer rows than the others; tiles always have all. */
  readonly height: number;
  /** First band that it holds. */
  readonly firstBand: number;
  /** Bands that it holds: all of them, pixel by pixel, or one. */
  readonly bandCount: number;
  readonly type: SampleType;
  /** Row by row; what lies outside the image is padding. */
  readonly pixels: PixelArray;
}

/** A block of which perhaps only the first rows are decoded. */
export interface PartBlock extends Block, DecodedRows {}

/** How much of a block to read. */
export interface ReadRowsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Rows needed, from the top; all of them when left out. */
  readonly rows?: number | undefined;
  /**
   * What an earlier call gave for the same block: it goes on from there, in the same pixels. With no rows ready it
   * only says which memory to decode into.
   */
  readonly from?: DecodedRows | null | undefined;
}

/** Reads and decodes one block; a block that is damaged or cut off is an error, never pixels. */
export async function readBlock(
  tiff: Tiff,
  image: TiffImage,
  position: BlockPosition,
  signal?: AbortSignal,
): Promise<Block> {
  const { width, height, firstBand, bandCount, type, pixels } = await readRows(tiff, image, position, {
    signal,
  });
  return { width, height, firstBand, bandCount, type, pixels };
}

/**
 * Reads and decodes the rows of one block down to the one needed, or more where that costs nothing. Damage further
 * down is not noticed, and deflate's checksum is only verified with the last row.
 */
export async function readRows(
  tiff: Tiff,
  image: TiffImage,
  position: BlockPosition,
  { signal, rows, from = null }: ReadRowsOptions = {},
): Promise<PartBlock> {
  const number = toBlockNumber(image, position);
  const bandCount = image.interleave === 'band' ? 1 : image.bandCount;
  const height = heightOf(image, position.row);
  const firstBand = bandCount === 1 ? position.band : 0;
  const block = { width: image.blockWidth, height, firstBand, bandCount, type: image.type };
  const samples = image.blockWidth * height * bandCount;
  const wanted = checkRows(rows ?? height, height);
  if (from !== null && from.pixels.length !== samples) {
    throw internal('bad-block-state', `The block has ${samples} samples, not ${from.pixels.length}.`);
  }
  if (from !== null && from.rowsReady >= wanted) return { ...block, ...from };

  const offset = image.blockOffsets[number]!;
  const size = image.blockSizes[number]!;
  if (offset === 0 && size === 0) {
    // never written, which means empty (GDAL's sparse files)
    const pixels = makePixels(image.type, samples).fill(image.emptyValue);
    return { ...block, pixels, rowsReady: height, resume: null };
  }
  if (offset === 0 || size === 0 || size > maxStoredBytes(samples * bytesPerSample[image.type])) {
    throw sourceBroken(
      'tiff-bad-index',
      `The TIFF is damaged: block ${number} has ${size} bytes at ${offset}.`,
    );
  }
  if (offset + size > tiff.source.size) throw truncated(`block ${number}`);
  const how = {
    type: image.type,
    bits: image.bits,
    littleEndian: image.littleEndian,
    bitsReversed: image.bitsReversed,
    settings: image.codecSettings,
    codec: codecOf(image.compressionTag)!,
    predictor: image.predictor,
    rowPixels: image.blockWidth,
    rows: height,
    samples: bandCount,
  };
  const skipped = firstByteNeeded(how, from);
  const range = { offset: offset + skipped, length: size - skipped, canLend: letsGoOfStored(how) };
  const decoded = await withStored(tiff.source, { ...range, signal }, (stored) =>
    decodeRows(stored, how, { rows: wanted, from }),
  );
  return { ...block, ...decoded };
}

function checkRows(rows: number, height: number): number {
  if (Number.isInteger(rows) && rows >= 1) return Math.min(rows, height);
  throw badInput('bad-rows', `A block has ${height} rows; ${rows} cannot be read.`);
}

/** Number of a block in its image: a key for caches, equal for all bands that are stored together. */
export function toBlockNumber(
  {
    blocksAcross,
    blocksDown,
    bandCount,
    interleave,
  }: Pick<TiffImage, 'blocksAcross' | 'blocksDown' | 'bandCount' | 'interleave'>,
  { band, column, row }: BlockPosition,
): number {
  const isInside = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count;
  if (!isInside(band, bandCount) || !isInside(column, blocksAcross) || !isInside(row, blocksDown)) {
    throw badInput('bad-block', `The image has no block in band ${band}, column ${column}, row ${row}.`);
  }
  return ((interleave === 'band' ? band * blocksDown : 0) + row) * blocksAcross + column;
}

/** Samples of a block with all bands that it holds, and their type; null when its codec has memory of its own. */
export function toBlockBuffer(image: TiffImage, { row }: BlockPosition) {
  const codec = codecOf(image.compressionTag);
  if (codec === null || 'decodePicture' in codec || codec.decodeRows === undefined) return null;
  const bandCount = image.interleave === 'band' ? 1 : image.bandCount;
  return { type: image.type, samples: image.blockWidth * heightOf(image, row) * bandCount };
}

/** The last strip may be lower than the others; tiles never are. */
const heightOf = ({ isTiled, blockHeight, height }: TiffImage, row: number): number =>
  isTiled ? blockHeight : Math.min(blockHeight, height - row * blockHeight);

/** The pixels of one band of a block: the block's own array when it holds no other band, otherwise a copy. */
export function toBandPixels(block: Block, band: number): PixelArray {
  const { pixels, bandCount, firstBand, type } = block;
  if (!Number.isInteger(band) || band < firstBand || band >= firstBand + bandCount) {
    throw badInput('bad-band', `The block does not hold band ${band}.`);
  }
  if (bandCount === 1) return pixels;
  const out = makePixels(type, pixels.length / bandCount);
  for (let i = 0, from = band - firstBand; i < out.length; i++, from += bandCount) out[i] = pixels[from]!;
  return out;
}

/** Of a thread: as many stored blocks of common size as it reads at once. */
const buffers = makeBufferPool(8 * 1024 * 1024);

interface StoredRange {
  readonly offset: number;
  readonly length: number;
  readonly signal: AbortSignal | undefined;
  /** Nothing looks at the bytes after `work`, so that they may be read into memory that is used again. */
  readonly canLend: boolean;
}

/** Reads bytes of a source and does `work` with them. */
async function withStored<Result>(
  source: ByteSource,
  { offset, length, signal, canLend }: StoredRange,
  work: (stored: Uint8Array) => Promise<Result>,
): Promise<Result> {
  if (!canLend || source.readInto === undefined) {
    const stored = await source.read(offset, length, signal);
    signal?.throwIfAborted();
    return work(stored);
  }
  const buffer = buffers.lease(length);
  const stored = new Uint8Array(buffer, 0, length);
  await source.readInto(stored, offset, signal);
  signal?.throwIfAborted();
  // Given back only after success: after a failure a read may still be writing into it.
  const result = await work(stored);
  buffers.release(buffer);
  return result;
}

/**
 * The bytes that reading a block and its mask will request. Blocks that were never written have none, and those that the
 * reader would refuse are left to it.
 */
export function listStoredRanges(
  tiff: Tiff,
  image: TiffImage,
  position: BlockPosition,
): readonly ByteRange[] {
  const mask = maskOf(tiff, image);
  const own = findRange(tiff, image, position);
  if (mask !== null) return [...own, ...listUnder(tiff, { image, mask, position })];
  const { alphaBand } = image;
  // Stored pixel by pixel, the alpha band is in the block itself.
  const isApart = image.interleave === 'band' && alphaBand !== null && alphaBand !== position.band;
  if (tiff.nodata !== null || !isApart) return own;
  return [...own, ...findRange(tiff, image, { ...position, band: alphaBand })];
}

/** The blocks of a mask under a block of its image. */
function listUnder(
  tiff: Tiff,
  { image, mask, position }: { image: TiffImage; mask: TiffImage; position: BlockPosition },
): readonly ByteRange[] {
  const [left, top] = [position.column * image.blockWidth, position.row * image.blockHeight];
  const right = Math.min(image.width, left + image.blockWidth);
  const bottom = Math.min(image.height, top + image.blockHeight);
  const ranges: ByteRange[] = [];
  for (let row = Math.floor(top / mask.blockHeight); row * mask.blockHeight < bottom; row++) {
    for (let column = Math.floor(left / mask.blockWidth); column * mask.blockWidth < right; column++) {
      ranges.push(...findRange(tiff, mask, { band: 0, column, row }));
    }
  }
  return ranges;
}

function findRange(tiff: Tiff, image: TiffImage, position: BlockPosition): readonly ByteRange[] {
  const number = toBlockNumber(image, position);
  const [offset = 0, length = 0] = [image.blockOffsets[number], image.blockSizes[number]];
  const bandCount = image.interleave === 'band' ? 1 : image.bandCount;
  const blockBytes = image.blockWidth * image.blockHeight * bandCount * bytesPerSample[image.type];
  const isRead = offset > 0 && length > 0 && length <= maxStoredBytes(blockBytes);
  return isRead && offset + length <= tiff.source.size ? [{ offset, length }] : [];
}
