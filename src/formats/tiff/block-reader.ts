import { badInput, sourceBroken } from '../../errors.ts';
import type { PixelArray, SampleType } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { decodeBlock } from './block-decode.ts';
import { codecOf } from './codecs.ts';
import { truncated } from './head-reader.ts';
import type { TiffImage } from './image-reader.ts';
import { maxStoredBytes } from './limits.ts';
import type { Tiff } from './tiff-reader.ts';

/** Which block, counted from 0; the band matters only where bands are stored apart. */
export interface BlockPlace {
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

/** Number of a block in its image: a key for caches, equal for all bands that are stored together. */
export function toBlockNumber(image: TiffImage, { band, column, row }: BlockPlace): number {
  const { blocksAcross, blocksDown, bandCount, interleave } = image;
  const isInside = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count;
  if (!isInside(band, bandCount) || !isInside(column, blocksAcross) || !isInside(row, blocksDown)) {
    throw badInput('bad-block', `The image has no block in band ${band}, column ${column}, row ${row}.`);
  }
  return ((interleave === 'band' ? band * blocksDown : 0) + row) * blocksAcross + column;
}

/** Reads and decodes one block; a block that is damaged or cut off is an error, never pixels. */
export async function readBlock(
  tiff: Tiff,
  image: TiffImage,
  place: BlockPlace,
  signal?: AbortSignal,
): Promise<Block> {
  const number = toBlockNumber(image, place);
  const bandCount = image.interleave === 'band' ? 1 : image.bandCount;
  const height = image.isTiled
    ? image.blockHeight
    : Math.min(image.blockHeight, image.height - place.row * image.blockHeight);
  const firstBand = bandCount === 1 ? place.band : 0;
  const block = { width: image.blockWidth, height, firstBand, bandCount, type: image.type };
  const samples = image.blockWidth * height * bandCount;

  const offset = image.blockOffsets[number]!;
  const size = image.blockSizes[number]!;
  if (offset === 0 && size === 0) {
    // never written, which means empty (GDAL's sparse files)
    return { ...block, pixels: makePixels(image.type, samples).fill(image.emptyValue) };
  }
  if (offset === 0 || size === 0 || size > maxStoredBytes(samples * bytesPerSample[image.type])) {
    throw sourceBroken(
      'tiff-bad-index',
      `The TIFF is damaged: block ${number} has ${size} bytes at ${offset}.`,
    );
  }
  if (offset + size > tiff.source.size) throw truncated(`block ${number}`);
  const stored = await tiff.source.read(offset, size, signal);
  signal?.throwIfAborted();
  const pixels = await decodeBlock(stored, {
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
  });
  return { ...block, pixels };
}

/** The pixels of one band of a block: the block's own array when it holds no other band, else a copy. */
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
