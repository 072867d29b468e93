import { tooLarge } from '../errors.ts';
import type { BlockImage, BlockPosition } from '../formats/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { bytesPerSample } from '../raster/index.ts';

/** The max decoded for one window: about a second's work. */
const MAX_DECODED_BYTES = 256 * 2 ** 20;

/** The blocks that a window touches, row by row. */
export function listBlocks(
  window: PixelWindow,
  { blockWidth, blockHeight }: BlockImage,
  band: number,
): readonly BlockPosition[] {
  const positions: BlockPosition[] = [];
  const [lastX, lastY] = [window.x + window.width - 1, window.y + window.height - 1];
  for (let row = Math.floor(window.y / blockHeight); row <= Math.floor(lastY / blockHeight); row += 1) {
    for (
      let column = Math.floor(window.x / blockWidth);
      column <= Math.floor(lastX / blockWidth);
      column += 1
    ) {
      positions.push({ band, column, row });
    }
  }
  return positions;
}

/** Rows of a block, from its top, that a window needs. */
export const countRows = (
  window: PixelWindow,
  { blockHeight, height }: BlockImage,
  { row }: BlockPosition,
): number =>
  // The last block of an image may be lower than the others.
  Math.min(blockHeight, window.y + window.height - row * blockHeight, height - row * blockHeight);

/** Blocks may hold many bands, and a file may make them as large as it likes. */
export const blockBytes = ({ blockWidth, blockHeight, bandCount, type }: BlockImage): number =>
  blockWidth * blockHeight * bandCount * bytesPerSample[type];

/** A plan knows the window but not the blocks below it: a small file can declare gigabytes of them. */
export function checkCost(count: number, image: BlockImage): void {
  if (count * blockBytes(image) <= MAX_DECODED_BYTES) return;
  throw tooLarge('too-much-to-decode', 'The blocks of this file under the picture are too large to decode.');
}

/** Whether a window lies in an image. */
export const fits = (window: PixelWindow, image: BlockImage): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;
