import type { ByteSource } from '../../sources/index.ts';
import { readHeader } from '../../sources/index.ts';
import { sourceBroken } from '../errors.ts';
import { isJp2 } from '../jp2/headers/boxes.ts';
import type { Jp2Decoder } from '../jp2/openjpeg.ts';
import { openJp2 } from '../jp2/reader/jp2-reader.ts';
import { readBlockMask } from '../tiff/blocks/block-mask.ts';
import type { PartBlock } from '../tiff/blocks/block-reader.ts';
import { listStoredRanges, readBlock, readRows, toBlockBuffer } from '../tiff/blocks/block-reader.ts';
import type { TiffLevel } from '../tiff/tiff-reader.ts';
import { joinOverviews, maskOf, openTiff } from '../tiff/tiff-reader.ts';
import type { BlockFile } from './block-file.ts';
import { toJp2BlockFile } from './jp2-block-file.ts';
import type { SidecarFiles } from './sidecars.ts';
import { joinSources, openSidecarOverviews, withSidecarGeoreference } from './sidecars.ts';

interface OpenOptions {
  /** The decoder of this thread. */
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
  /** Sidecars of a TIFF with what its own file lacks; without them only the file itself is read. */
  readonly sidecars?: SidecarFiles | undefined;
}

/** Enough bytes to recognise the format. */
const MAGIC_BYTES = 12;

/** Opens a TIFF or a JPEG 2000 file by its content: the names of some products are wrong. */
export async function openBlockFile(
  source: ByteSource,
  { jp2Decoder, signal, sidecars }: OpenOptions,
): Promise<BlockFile> {
  // The opened file reads from the source itself: the head is not retained.
  const image = await readHeader(
    source,
    async (headed) => {
      const magic = await headed.read(0, Math.min(MAGIC_BYTES, source.size), signal);
      return isJp2(new DataView(magic.buffer, magic.byteOffset, magic.byteLength))
        ? { jp2: await openJp2(headed, signal) }
        : { tiff: await openTiff(headed, signal) };
    },
    signal,
  );
  if (image.jp2 !== undefined) {
    const file = toJp2BlockFile({ ...image.jp2, source }, jp2Decoder);
    return { ...file, readRows: (...block) => readAllRows(file, ...block) };
  }
  const tiff = { ...image.tiff, source };
  if (sidecars === undefined) return toTiffBlockFile(joinOverviews(tiff, null));
  const main = await withSidecarGeoreference(tiff, sidecars, signal);
  const overviews = await openSidecarOverviews(main, sidecars, signal);
  const file = toTiffBlockFile(joinOverviews(main, overviews));
  return overviews === null ? file : { ...file, source: joinSources(source, overviews.source) };
}

/** All rows, for formats that cannot decode fewer. */
async function readAllRows(
  file: Pick<BlockFile, 'readBlock'>,
  ...[level, position, { signal }]: Parameters<BlockFile['readRows']>
): Promise<PartBlock> {
  const block = await file.readBlock(level, position, signal);
  return { ...block, rowsReady: block.height, resume: null };
}

/** A TIFF as a file of blocks, each of its levels with the file that it is read from. */
function toTiffBlockFile(levels: readonly TiffLevel[]): BlockFile {
  const levelAt = (level: number): TiffLevel => {
    const found = levels[level];
    if (found === undefined) throw sourceBroken('no-level', `The image has no level ${level}.`);
    return found;
  };
  const main = levelAt(0);
  const { source, epsg, proj, transform, gcps, nodata, bands, verticalUnit } = main.tiff;
  return {
    format: 'tiff',
    source,
    epsg,
    proj,
    transform,
    gcps,
    nodata,
    bands,
    verticalUnit,
    levels: [main.image, ...levels.slice(1).map(({ image }) => image)],
    async readBlock(level, position, stop) {
      const { tiff, image } = levelAt(level);
      return readBlock(tiff, image, position, stop);
    },
    async readRows(level, position, options) {
      const { tiff, image } = levelAt(level);
      return readRows(tiff, image, position, options);
    },
    async readMask(level, position, block, stop) {
      const { tiff, image } = levelAt(level);
      // In GDAL's order a nodata value comes before alpha, and each band has its own: the caller that reads a band looks for it.
      const hasAlpha = image.alphaBand !== null && tiff.nodata === null;
      if (maskOf(tiff, image) === null && !hasAlpha) return null;
      return readBlockMask(tiff, image, position, { block, signal: stop });
    },
    blockBuffer: (level, position) => toBlockBuffer(levelAt(level).image, position),
    storedRanges(level, position) {
      const { tiff, image } = levelAt(level);
      return listStoredRanges(tiff, image, position).map((range) => ({ ...range, source: tiff.source }));
    },
  };
}
