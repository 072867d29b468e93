import type { Allocate, Kernels } from '../../raster/index.ts';
import { makeHeader } from './jpeg-header.ts';
import type { JpegPicture } from './jpeg-scan.ts';
import { DEFAULT_QUALITY, encodeScan, LAYOUTS } from './jpeg-scan.ts';
import { makeTables } from './jpeg-tables.ts';

/**
 * Encodes a baseline JPEG; transparent pixels, which are zeros, come out black. The bytes depend on nothing but the
 * picture, and are their own copy.
 */
export function encodeJpeg(
  kernels: Kernels,
  allocate: Allocate,
  picture: JpegPicture,
): Uint8Array<ArrayBuffer> {
  const { width, height, quality = DEFAULT_QUALITY, color = '4:2:0' } = picture;
  const scan = encodeScan(kernels, allocate, picture);
  return joinBytes([makeHeader({ width, height, ...LAYOUTS[color] }, makeTables(quality)), ...scan]);
}

/** Pieces in memory of their own. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
