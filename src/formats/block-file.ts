import { sourceBroken } from '../errors.ts';
import type { Affine } from '../geo/index.ts';
import type { ByteSource } from '../storage/index.ts';
import type { Jp2Decoder } from './jp2/index.ts';
import { isJp2, openJp2 } from './jp2/index.ts';
import { toJp2BlockFile } from './jp2-blocks.ts';
import type { Block, BlockPlace, Tiff, TiffImage } from './tiff/index.ts';
import { maskOf, openTiff, readBlock, readBlockMask, toBlockNumber } from './tiff/index.ts';

/** One resolution of an image, cut into blocks of one size; those at its right and lower edge may be smaller. */
export interface BlockImage {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly bandCount: number;
  readonly type: TiffImage['type'];
}

/** An opened image of any format whose pixels are read in blocks. */
export interface BlockFile {
  readonly source: ByteSource;
  /** Full resolution first, then its smaller copies, largest first. */
  readonly levels: readonly [BlockImage, ...BlockImage[]];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  /** As pixels hold it; null when there is none. */
  readonly nodata: number | null;
  /** Reads and decodes one block; damage is an error, never pixels. */
  readBlock(level: number, place: BlockPlace, signal?: AbortSignal): Promise<Block>;
  /**
   * Where a block has data by a mask or an alpha band of the file, 1 a pixel; null when the file has neither, so that
   * only the nodata value tells.
   */
  readMask(level: number, place: BlockPlace, block: Block, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Number of a block in its level: a key for caches, equal for all bands that are stored together. */
  blockNumber(level: number, place: BlockPlace): number;
}

interface OpenOptions {
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
}

/** First read of a file: tells the formats apart, and holds the whole header of most. */
const HEAD_BYTES = 64 * 1024;

/** Opens a TIFF or a JPEG 2000 file by what it holds: its name may lie, as some products' names do. */
export async function openBlockFile(
  source: ByteSource,
  { jp2Decoder, signal }: OpenOptions,
): Promise<BlockFile> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const headed = withHead(source, head);
  // The opened file reads from the source itself: the head is not kept.
  if (isJp2(new DataView(head.buffer, head.byteOffset, head.byteLength))) {
    return toJp2BlockFile({ ...(await openJp2(headed, signal)), source }, jp2Decoder);
  }
  return toTiffBlockFile({ ...(await openTiff(headed, signal)), source });
}

/** The same bytes, of which the first are known. */
const withHead = (source: ByteSource, head: Uint8Array): ByteSource => ({
  id: source.id,
  version: source.version,
  size: source.size,
  async read(offset, length, signal) {
    const isKnown = offset >= 0 && length >= 0 && offset + length <= head.length;
    return isKnown ? head.subarray(offset, offset + length) : source.read(offset, length, signal);
  },
  close: () => source.close(),
});

function toTiffBlockFile(tiff: Tiff): BlockFile {
  const imageAt = (level: number) => {
    const image = tiff.images[level];
    if (image === undefined) throw sourceBroken('no-level', `The image has no level ${level}.`);
    return image;
  };
  return {
    source: tiff.source,
    levels: tiff.images,
    epsg: tiff.epsg,
    transform: tiff.transform,
    nodata: tiff.nodata,
    readBlock: async (level, place, stop) => readBlock(tiff, imageAt(level), place, stop),
    async readMask(level, place, block, stop) {
      const image = imageAt(level);
      if (maskOf(tiff, image) === null && image.alphaBand === null) return null;
      return readBlockMask(tiff, image, place, { block, ...(stop ? { signal: stop } : {}) });
    },
    blockNumber: (level, place) => toBlockNumber(imageAt(level), place),
  };
}
