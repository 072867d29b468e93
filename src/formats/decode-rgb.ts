import { sourceBroken } from '../errors.ts';
import type { Size } from '../geo/index.ts';
import { loadSharp } from './load-sharp.ts';

/** Decoded pixels: three bytes each, row by row. */
export interface RgbPixels extends Size {
  readonly rgb: Uint8Array;
}

/** The largest picture that is decoded whole: four times the largest map tile. */
const MAX_PX = 1_024 * 1_024;

/** Decodes a PNG or lossless WebP of 8-bit red, green and blue, without any conversion of colours; alpha is dropped. */
export async function decodeRgb(bytes: Uint8Array): Promise<RgbPixels> {
  const sharp = await loadSharp();
  const decoded = await sharp(bytes, { limitInputPixels: MAX_PX, failOn: 'truncated' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw sourceBroken('broken-picture', 'A tile cannot be decoded as a picture.', { cause });
    });
  const { data, info } = decoded;
  if (info.channels !== 3)
    throw sourceBroken('broken-picture', 'A tile is not a picture of red, green and blue.');
  return { rgb: data, width: info.width, height: info.height };
}
