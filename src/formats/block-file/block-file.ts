import type { Affine } from '../../geo/index.ts';
import type { ByteRange, ByteSource } from '../../sources/index.ts';
import type { Block, BlockPosition, PartBlock, ReadRowsOptions } from '../tiff/blocks/block-reader.ts';
import type { ControlPoint } from '../tiff/georeference/georeference.ts';
import type { TiffImage } from '../tiff/image-reader.ts';
import type { BandInfo } from '../tiff/samples/gdal-metadata.ts';

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
  /** `pixel`: each block holds all bands; `band`: one. */
  readonly interleave: TiffImage['interleave'];
}

/** Bytes of one of the files that an image is stored in. */
export interface StoredRange extends ByteRange {
  readonly source: ByteSource;
}

/** An opened image of any format whose pixels are read in blocks. */
export interface BlockFile {
  readonly format: 'tiff' | 'jp2';
  readonly source: ByteSource;
  /** Full resolution first, then its smaller copies, largest first. */
  readonly levels: readonly [BlockImage, ...BlockImage[]];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** The reference system as a PROJ string or WKT when it has no code; null when it has one or is unknown. */
  readonly proj: string | null;
  /** Transform of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  /** Points of images without transform (see `parseLattice`). */
  readonly gcps: readonly ControlPoint[];
  /** In the type of the pixels; null when there is none. */
  readonly nodata: number | null;
  /** What the file says about each band in addition to its pixels. */
  readonly bands: readonly BandInfo[];
  /** EPSG code of the unit of heights, as the georeference says it; null when it does not. */
  readonly verticalUnit: number | null;
  /** Reads and decodes one block; damage is an error, never pixels. */
  readBlock(level: number, position: BlockPosition, signal?: AbortSignal): Promise<Block>;
  /**
   * Reads and decodes the rows of one block down to the one needed; later calls go on from what an earlier one gave.
   * Formats and codecs that know no rows give the whole block.
   */
  readRows(level: number, position: BlockPosition, options: ReadRowsOptions): Promise<PartBlock>;
  /**
   * Where a block has data by a mask or an alpha band of the file, 1 a pixel; null when the file has neither, and
   * only the nodata value says it.
   */
  readMask(
    level: number,
    position: BlockPosition,
    block: Block,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null>;
  /**
   * Samples of a block, all of its bands together, and their type: the memory `readRows` may be given. Null where the
   * decoder always has memory of its own.
   */
  blockBuffer(
    level: number,
    position: BlockPosition,
  ): { readonly type: TiffImage['type']; readonly samples: number } | null;
  /**
   * The ranges that reading a block with its mask will ask for, exactly, so that they can be read before. It may leave out
   * some: what is missing is read with the block.
   */
  storedRanges(level: number, position: BlockPosition): readonly StoredRange[];
}
