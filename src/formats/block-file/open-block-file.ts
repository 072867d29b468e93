import type { ByteSource } from '../../sources/index.ts';
import { readHeader } from '../../sources/index.ts';
import { isJp2 } from '../jp2/headers/boxes.ts';
import type { Jp2Decoder } from '../jp2/openjpeg/openjpeg-decoder.ts';
import { openJp2 } from '../jp2/reader/jp2-reader.ts';
import type { PartBlock } from '../tiff/blocks/block-reader.ts';
import { openTiff } from '../tiff/image/tiff-reader.ts';
import { joinOverviews } from '../tiff/sidecars/external-overviews.ts';
import type { BlockFile } from './block-file.ts';
import { toJp2BlockFile } from './jp2-block-file.ts';
import type { SidecarFiles } from './sidecars.ts';
import { joinSources, openSidecarOverviews, withSidecarGeoreference } from './sidecars.ts';
import { toTiffBlockFile } from './tiff-block-file.ts';

interface OpenOptions {
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
  /** Sidecars of a TIFF that tell what its own file lacks; without them only the file itself is read. */
  readonly sidecars?: SidecarFiles | undefined;
}

/** Enough to tell the formats apart. */
const MAGIC_BYTES = 12;

/** Opens a TIFF or a JPEG 2000 file by what it holds: its name may lie, as some products' names do. */
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
