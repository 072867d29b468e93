import type { ByteSource } from '../../storage/index.ts';
import type { Jp2Decoder } from '../jp2/index.ts';
import { isJp2, openJp2 } from '../jp2/index.ts';
import type { SidecarFiles } from '../sidecars/sidecar-files.ts';
import { joinSources, openSidecarOverviews, withSidecarGeoreference } from '../sidecars/tiff-sidecars.ts';
import type { PartBlock } from '../tiff/index.ts';
import { joinOverviews, openTiff } from '../tiff/index.ts';
import type { BlockFile } from './block-file.ts';
import { toJp2BlockFile } from './jp2-block-file.ts';
import { toTiffBlockFile } from './tiff-block-file.ts';

interface OpenOptions {
  /** The thread's own. */
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
  /** Sidecars of a TIFF that tell what its own file lacks; without them only the file itself is read. */
  readonly sidecars?: SidecarFiles | undefined;
}

/** First read of a file: tells the formats apart, and holds the whole header of most. */
export const HEAD_BYTES = 64 * 1024;

/** Opens a TIFF or a JPEG 2000 file by what it holds: its name may lie, as some products' names do. */
export async function openBlockFile(
  source: ByteSource,
  { jp2Decoder, signal, sidecars }: OpenOptions,
): Promise<BlockFile> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const headed = withHead(source, head);
  // The opened file reads from the source itself: the head is not retained.
  if (isJp2(new DataView(head.buffer, head.byteOffset, head.byteLength))) {
    const file = toJp2BlockFile({ ...(await openJp2(headed, signal)), source }, jp2Decoder);
    return { ...file, readRows: (...block) => readAllRows(file, ...block) };
  }
  const tiff = { ...(await openTiff(headed, signal)), source };
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
