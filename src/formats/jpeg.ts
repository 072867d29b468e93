import sharp from 'sharp';
import type { RgbaPicture } from './picture.ts';

/** Good enough that a JPEG tile does not look worse than its PNG on a map. */
const QUALITY = 85;

/** JPEG without transparency: transparent pixels come out black. */
export async function encodeJpeg({ rgba, width, height }: RgbaPicture): Promise<Uint8Array<ArrayBuffer>> {
  // Optimised Huffman tables cost twice the time for 4 % of the size.
  const bytes = await sharp(dropAlpha(rgba), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: QUALITY, optimiseCoding: false })
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Four pixels at a time as whole words, 0.06 instead of 0.9 ms for a tile; the rest byte by byte. */
function dropAlpha(rgba: Uint8Array): Uint8Array {
  const count = rgba.length / 4;
  const rgb = new Uint8Array(count * 3);
  const fours = rgba.byteOffset % 4 === 0 && IS_LITTLE_ENDIAN ? Math.floor(count / 4) : 0;
  const from = new Uint32Array(rgba.buffer, fours > 0 ? rgba.byteOffset : 0, fours * 4);
  const to = new Uint32Array(rgb.buffer, 0, fours * 3);
  for (let i = 0, f = 0, t = 0; i < fours; i += 1, f += 4, t += 3) {
    const [a, b, c, d] = [
      from[f] as number,
      from[f + 1] as number,
      from[f + 2] as number,
      from[f + 3] as number,
    ];
    to[t] = (a & 0xffffff) | (b << 24);
    to[t + 1] = ((b >>> 8) & 0xffff) | (c << 16);
    to[t + 2] = ((c >>> 16) & 0xff) | (d << 8);
  }
  for (let i = fours * 4; i < count; i += 1) rgb.set(rgba.subarray(i * 4, i * 4 + 3), i * 3);
  return rgb;
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
