import { bytesPerSample } from '../../../raster/index.ts';
import type { ByteRange } from '../../../sources/index.ts';
import type { TiffImage } from '../image/image-reader.ts';
import type { Tiff } from '../image/tiff-reader.ts';
import { maxStoredBytes } from '../limits.ts';
import { maskOf } from './block-mask.ts';
import type { BlockPosition } from './block-reader.ts';
import { toBlockNumber } from './block-reader.ts';

/**
 * The bytes that reading a block and its mask will ask for. Blocks that were never written have none, and those that the
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
