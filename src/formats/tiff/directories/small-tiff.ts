import type { IfdEntry } from './ifd-writer.ts';
import { directoryBytes, outsideBytes, writeDirectory } from './ifd-writer.ts';

/** Where the pixels of a small TIFF begin: right after the head of the file. */
export const PIXELS_AT = 8;

/** A classic TIFF of one directory, whose pixels come first: what its tags say of them is known before it is written. */
export function toSmallTiff(entries: readonly IfdEntry[], pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  // Directories begin at even offsets (TIFF 6.0, section 2).
  const at = PIXELS_AT + pixels.length + (pixels.length % 2);
  let end = at + directoryBytes(entries.length, false);
  const outside = new Map<number, number>();
  for (const entry of entries) {
    const bytes = outsideBytes(entry, false);
    if (bytes === 0) continue;
    outside.set(entry.tag, end);
    end += bytes;
  }
  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  // II, 42, and where the directory is
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, at, true);
  file.set(pixels, PIXELS_AT);
  writeDirectory(view, { at, entries, outside, next: 0 }, false);
  return file;
}
