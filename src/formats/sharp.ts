import type { Size } from '../geo/index.ts';
import type { Allocate, Kernels } from '../raster/index.ts';
import { sourceBroken } from './errors.ts';

/**
 * The picture library, when a picture needs it: few do, and loading it takes each thread 60 ms. It gets few resources: a pixel
 * thread does one thing at a time, and has a cache of its own for blocks.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

interface WebpPicture {
  readonly rgbaAt: number;
  readonly width: number;
  readonly height: number;
}

/** WebP with transparency, at the library's lowest effort: three times faster for a sixth more bytes. */
export async function encodeWebp(
  kernels: Kernels,
  _allocate: Allocate,
  { rgbaAt, width, height }: WebpPicture,
): Promise<Uint8Array<ArrayBuffer>> {
  // A copy: the library reads it on a thread of its own, while the kernels' memory may grow and move.
  const rgba = new Uint8Array(kernels.buffer(), rgbaAt, width * height * 4).slice();
  const sharp = await loadSharp();
  const bytes = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .webp({ quality: 85, effort: 0 })
    .toBuffer();
  return new Uint8Array(bytes);
}

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
