import { sourceBroken } from '../../errors.ts';
import type { Affine } from '../../geo/index.ts';
import type { ByteSource } from '../../storage/index.ts';
import type { Jp2Decoder } from '../jp2/index.ts';
import { isJp2, openJp2 } from '../jp2/index.ts';
import type { BesideFiles } from '../sidecars/sidecar-files.ts';
import { joinSources, openOverviewsBeside, placeByBeside } from '../sidecars/tiff-sidecars.ts';
import type {
  Block,
  BlockPlace,
  ControlPoint,
  PartBlock,
  ReadRowsOptions,
  TiffImage,
  TiffLevel,
} from '../tiff/index.ts';
import {
  joinOverviews,
  maskOf,
  openTiff,
  readBlock,
  readBlockMask,
  readRows,
  toBlockNumber,
  toBlockShape,
} from '../tiff/index.ts';
import { toJp2BlockFile } from './jp2-block-file.ts';

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
  readonly format: 'tiff' | 'jp2';
  readonly source: ByteSource;
  /** Full resolution first, then its smaller copies, largest first. */
  readonly levels: readonly [BlockImage, ...BlockImage[]];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** The reference system as a PROJ string or WKT when it has no code; null when it has, or is none we know. */
  readonly proj: string | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  /** Points of images without transform (see `parseLattice`). */
  readonly gcps: readonly ControlPoint[];
  /** As pixels hold it; null when there is none. */
  readonly nodata: number | null;
  /** Reads and decodes one block; damage is an error, never pixels. */
  readBlock(level: number, place: BlockPlace, signal?: AbortSignal): Promise<Block>;
  /**
   * Reads and decodes the rows of one block down to the one needed; later calls go on from what an earlier one gave.
   * Formats and codecs that know no rows give the whole block.
   */
  readRows(level: number, place: BlockPlace, options: ReadRowsOptions): Promise<PartBlock>;
  /**
   * Where a block has data by a mask or an alpha band of the file, 1 a pixel; null when the file has neither, so that
   * only the nodata value tells.
   */
  readMask(level: number, place: BlockPlace, block: Block, signal?: AbortSignal): Promise<Uint8Array | null>;
  /**
   * Samples of a block, all of its bands together, and their type: the memory `readRows` may be given. Null where the
   * decoder always has memory of its own.
   */
  blockShape(
    level: number,
    place: BlockPlace,
  ): { readonly type: TiffImage['type']; readonly samples: number } | null;
  /** Number of a block in its level: a key for caches, equal for all bands that are stored together. */
  blockNumber(level: number, place: BlockPlace): number;
}

interface OpenOptions {
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
  /** Files beside a TIFF that tell what it lacks; none are looked for when left out. */
  readonly beside?: BesideFiles | undefined;
}

/** First read of a file: tells the formats apart, and holds the whole header of most. */
const HEAD_BYTES = 64 * 1024;

/** Opens a TIFF or a JPEG 2000 file by what it holds: its name may lie, as some products' names do. */
export async function openBlockFile(
  source: ByteSource,
  { jp2Decoder, signal, beside }: OpenOptions,
): Promise<BlockFile> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const headed = withHead(source, head);
  // The opened file reads from the source itself: the head is not kept.
  if (isJp2(new DataView(head.buffer, head.byteOffset, head.byteLength))) {
    const file = toJp2BlockFile({ ...(await openJp2(headed, signal)), source }, jp2Decoder);
    return { ...file, readRows: (...block) => readAllRows(file, ...block) };
  }
  const tiff = { ...(await openTiff(headed, signal)), source };
  if (beside === undefined) return toTiffBlockFile(joinOverviews(tiff, null));
  const placed = await placeByBeside(tiff, beside, signal);
  const overviews = await openOverviewsBeside(placed, beside, signal);
  const file = toTiffBlockFile(joinOverviews(placed, overviews));
  return overviews === null ? file : { ...file, source: joinSources(source, overviews.source) };
}

/** All rows, where there is no way to read fewer. */
async function readAllRows(
  file: Pick<BlockFile, 'readBlock'>,
  ...[level, place, { signal }]: Parameters<BlockFile['readRows']>
): Promise<PartBlock> {
  const block = await file.readBlock(level, place, signal);
  return { ...block, rowsReady: block.height, resume: null };
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

function toTiffBlockFile(levels: readonly TiffLevel[]): BlockFile {
  const levelAt = (level: number): TiffLevel => {
    const found = levels[level];
    if (found === undefined) throw sourceBroken('no-level', `The image has no level ${level}.`);
    return found;
  };
  const main = levelAt(0);
  const { source, epsg, proj, transform, gcps, nodata } = main.tiff;
  return {
    format: 'tiff',
    source,
    epsg,
    proj,
    transform,
    gcps,
    nodata,
    levels: [main.image, ...levels.slice(1).map(({ image }) => image)],
    async readBlock(level, place, stop) {
      const { tiff, image } = levelAt(level);
      return readBlock(tiff, image, place, stop);
    },
    async readRows(level, place, options) {
      const { tiff, image } = levelAt(level);
      return readRows(tiff, image, place, options);
    },
    async readMask(level, place, block, stop) {
      const { tiff, image } = levelAt(level);
      // In GDAL's order a nodata value comes before alpha, and it is each band's own: who reads a band looks for it.
      const hasAlpha = image.alphaBand !== null && tiff.nodata === null;
      if (maskOf(tiff, image) === null && !hasAlpha) return null;
      return readBlockMask(tiff, image, place, { block, ...(stop ? { signal: stop } : {}) });
    },
    blockShape: (level, place) => toBlockShape(levelAt(level).image, place),
    blockNumber: (level, place) => toBlockNumber(levelAt(level).image, place),
  };
}
