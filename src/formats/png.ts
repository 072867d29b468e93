import { Transformer } from '@napi-rs/image';
import type { RgbaPicture } from './picture.ts';

/** The library declares its enums but ships no values for them: Fast is 1, Up is 2 (its index.d.ts). */
const FAST = 1;
const UP = 2;

/** PNG with fast compression: tiles are read once, so a millisecond matters more than a few kilobytes. */
export function encodePng({ rgba, width, height }: RgbaPicture): Uint8Array<ArrayBuffer> {
  const bytes = Transformer.fromRgbaPixels(rgba, width, height).pngSync({
    compressionType: FAST,
    filterType: UP,
  });
  // A copy of our own: the library's memory cannot be moved to another thread.
  return new Uint8Array(bytes);
}
