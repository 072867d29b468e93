import { internal } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { joinBytes } from './encode-jpeg.ts';
import { makeHeader } from './jpeg-header.ts';
import type { JpegPicture } from './jpeg-scan.ts';
import { DEFAULT_QUALITY, encodeScan, LAYOUTS } from './jpeg-scan.ts';
import { makeTables } from './jpeg-tables.ts';

/** T.81, table B.7: the restart interval has 16 bits. */
const MAX_INTERVAL = 65_535;
const LAYOUT = LAYOUTS['4:2:0'];
const END_OF_IMAGE = Uint8Array.of(0xff, 0xd9);

/**
 * Encodes some rows of a larger JPEG, as a part of its scan; strips can be made in any order, on any thread. Between
 * restart markers no block depends on those before, so the pixels are those of the one picture.
 */
export function encodeJpegStrip(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height }: Pick<JpegPicture, 'rgbaAt' | 'width' | 'height'>,
): Uint8Array<ArrayBuffer> {
  const pieces = encodeScan(kernels, allocate, { rgbaAt, width, height });
  return joinBytes(pieces.with(-1, (pieces.at(-1) as Uint8Array).subarray(0, -END_OF_IMAGE.length)));
}

/** What a JPEG of strips begins with; all strips except the last have `stripRows` rows. */
export function toJpegStripsHead({ width, height }: Size, stripRows: number): Uint8Array {
  const interval = Math.ceil(width / LAYOUT.unitPx) * (stripRows / LAYOUT.unitPx);
  if (!Number.isInteger(interval) || interval > MAX_INTERVAL) {
    throw internal('jpeg-strips', `A JPEG of ${width} columns has no strips of ${stripRows} rows.`);
  }
  return makeHeader({ width, height, ...LAYOUT, restartInterval: interval }, makeTables(DEFAULT_QUALITY));
}

/** The marker after a strip: the end of the picture, or one of the eight restart markers in turn. */
export const toJpegStripEnd = (strip: number, isLast: boolean): Uint8Array =>
  isLast ? END_OF_IMAGE : Uint8Array.of(0xff, 0xd0 + (strip % 8));
