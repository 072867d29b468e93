import { Transformer } from '@napi-rs/image';
import type { RgbaPicture } from './picture.ts';

/** The library declares its enums but ships no values for them: Fast is 1, Up is 2 (its index.d.ts). */
const FAST = 1;
const UP = 2;

/** PNG with fast compression: tiles are read once, so a millisecond matters more than a few kilobytes. */
export function encodePng({ rgba, width, height }: RgbaPicture): Uint8Array<ArrayBuffer> {
  return toOwnBytes(
    Transformer.fromRgbaPixels(rgba, width, height).pngSync({ compressionType: FAST, filterType: UP }),
  );
}

/** A copy when the library's buffer is part of a larger one, so that it can be moved to another thread. */
function toOwnBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  const whole = buffer.byteOffset === 0 && buffer.byteLength === buffer.buffer.byteLength;
  return whole ? new Uint8Array(buffer.buffer as ArrayBuffer) : new Uint8Array(buffer);
}
