import { PHOTOMETRIC } from '../codecs/coded-block.ts';
import type { RawDirectory } from '../directories/directory-reader.ts';
import type { TagReader } from '../directories/tag-reader.ts';
import { TAG } from '../directories/tags.ts';
import type { TiffImage } from './image-reader.ts';

/** Colours of a 16-bit palette. */
const MAX_COLOURS = 65_536;

/** Red, green and blue of each pixel value; null for a file without palette, or with one of another length than its own. */
export async function readPalette(
  read: TagReader,
  directory: RawDirectory,
  { codecSettings, bits }: TiffImage,
): Promise<Uint8Array | null> {
  const stored = await read.counts(directory, TAG.colorMap, 3 * MAX_COLOURS);
  const colours = 2 ** bits;
  if (stored === null || codecSettings.photometric !== PHOTOMETRIC.palette || stored.length !== 3 * colours) {
    return null;
  }
  // 16 bits a colour say the standard; some writers fill the lower eight alone
  const shift = stored.every((value) => value < 256) ? 0 : 8;
  const out = new Uint8Array(stored.length);
  // the file has all reds, then all greens, then all blues
  for (let i = 0; i < stored.length; i++) {
    out[(i % colours) * 3 + Math.floor(i / colours)] = stored[i]! >> shift;
  }
  return out;
}
