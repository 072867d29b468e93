import { badInput } from '../../../errors.ts';
import { isStorableCode, isUsableTransform } from '../../tiff/georeference/georeference.ts';
import { MAX_SIDE_PX, MAX_TILES, MAX_WRITTEN_TILE_PX } from '../limits.ts';
import type { WrittenGeoreference } from './gml-text.ts';
import type { WrittenImage } from './written-codestream.ts';

/** Options of a JP2 file: 1 or 3 bands of up to 16 bits, in square tiles whose side is a power of two. */
export interface Jp2Options extends WrittenImage, WrittenGeoreference {}

/** Smaller tiles would not be halved as often as their larger neighbours. */
const MIN_TILE_PX = 32;

/** Refuses options that make no image, or one that other programs would misread. */
export function checkOptions(options: Jp2Options): void {
  const { width, height, bandCount, bitsPerSample, tileSize, epsg, transform } = options;
  const isWhole = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
  const tiles = Math.ceil(width / tileSize) * Math.ceil(height / tileSize);
  if (!isWhole(width, MAX_SIDE_PX) || !isWhole(height, MAX_SIDE_PX)) {
    throw badInput('bad-image-size', `An image needs whole sides from 1, not ${width} × ${height}.`);
  }
  if (bandCount !== 1 && bandCount !== 3) {
    throw badInput('bad-band-count', `A JP2 file has 1 or 3 bands, not ${bandCount}.`);
  }
  if (!isWhole(bitsPerSample, 16)) {
    throw badInput('bad-pixel-bits', `A sample has 1 to 16 bits, not ${bitsPerSample}.`);
  }
  if (
    !isWhole(tileSize, MAX_WRITTEN_TILE_PX) ||
    tileSize < MIN_TILE_PX ||
    (tileSize & (tileSize - 1)) !== 0
  ) {
    throw badInput(
      'bad-block-size',
      `The side of a tile is a power of two from ${MIN_TILE_PX} to ${MAX_WRITTEN_TILE_PX}, not ${tileSize}.`,
    );
  }
  if (tiles > MAX_TILES) {
    throw badInput('bad-block-size', `An image has at most ${MAX_TILES} tiles, not ${tiles}.`);
  }
  if (!isStorableCode(epsg) || !isUsableTransform(transform)) {
    throw badInput(
      'bad-georeference',
      `An image cannot be georeferenced by EPSG code ${epsg} and its transform.`,
    );
  }
}
