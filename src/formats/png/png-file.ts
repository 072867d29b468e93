import { crc32 } from 'node:zlib';

/** What a PNG file says about itself, and its chunks except IHDR and IEND in their order. */
export interface PngParts {
  readonly width: number;
  readonly height: number;
  /** PNG 3rd edition, table 8: 0 grey, 2 RGB, 3 indexes of a palette, 6 RGBA; always 8 bits a sample here. */
  readonly colorType: 0 | 2 | 3 | 6;
  readonly chunks: readonly (readonly [type: 'PLTE' | 'tRNS' | 'IDAT', body: Uint8Array])[];
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BITS_PER_SAMPLE = 8;
/** Length and type before a chunk's body, and the checksum after it. */
const CHUNK_BYTES = 12;

/** Puts a PNG file together, in memory of its own that can be moved to another thread. */
export function toPngFile({ width, height, colorType, chunks }: PngParts): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(13);
  const headView = new DataView(head.buffer);
  headView.setUint32(0, width);
  headView.setUint32(4, height);
  head.set([BITS_PER_SAMPLE, colorType], 8);
  const all = [['IHDR', head], ...chunks, ['IEND', new Uint8Array()]] as const;
  const bytes = all.reduce((sum, [, body]) => sum + CHUNK_BYTES + body.length, SIGNATURE.length);
  const file = new Uint8Array(bytes);
  const view = new DataView(file.buffer);
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, body] of all) {
    view.setUint32(at, body.length);
    for (let i = 0; i < 4; i += 1) file[at + 4 + i] = type.charCodeAt(i);
    file.set(body, at + 8);
    const end = at + 8 + body.length;
    view.setUint32(end, crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
  return file;
}
