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
const IHDR_BYTES = 13;

/** What a PNG begins with: its signature and what it says about itself. */
export function toPngHead({ width, height, colorType }: Omit<PngParts, 'chunks'>): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(SIGNATURE.length + CHUNK_BYTES + IHDR_BYTES);
  head.set(SIGNATURE);
  putChunk(head, SIGNATURE.length, { type: 'IHDR', body: toIhdr({ width, height, colorType }) });
  return head;
}

/** A chunk of a PNG with its length and checksum. */
export function toChunk(type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(CHUNK_BYTES + body.length);
  putChunk(chunk, 0, { type, body });
  return chunk;
}

/** Puts a PNG file together, in memory of its own that can be moved to another thread. */
export function toPngFile({ chunks, ...picture }: PngParts): Uint8Array<ArrayBuffer> {
  const all = [['IHDR', toIhdr(picture)], ...chunks, ['IEND', new Uint8Array()]] as const;
  const bytes = all.reduce((sum, [, body]) => sum + CHUNK_BYTES + body.length, SIGNATURE.length);
  const file = new Uint8Array(bytes);
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, body] of all) at = putChunk(file, at, { type, body });
  return file;
}

function toIhdr({ width, height, colorType }: Omit<PngParts, 'chunks'>): Uint8Array {
  const head = new Uint8Array(IHDR_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([BITS_PER_SAMPLE, colorType], 8);
  return head;
}

/** Writes a chunk at a position of a file; returns the position after it. */
function putChunk(
  file: Uint8Array<ArrayBuffer>,
  at: number,
  { type, body }: { readonly type: string; readonly body: Uint8Array },
): number {
  const view = new DataView(file.buffer);
  view.setUint32(at, body.length);
  for (let i = 0; i < 4; i += 1) file[at + 4 + i] = type.charCodeAt(i);
  file.set(body, at + 8);
  const end = at + 8 + body.length;
  view.setUint32(end, crc32(file.subarray(at + 4, end)));
  return end + 4;
}
