import { crc32 } from 'node:zlib';
import type { Allocate, Kernels } from '../raster/index.ts';
import { internal } from './errors.ts';

/** A picture in the kernels' memory: red, green, blue, alpha, row by row. */
interface RgbaPictureAt {
  readonly rgbaAt: number;
  readonly width: number;
  readonly height: number;
  /** Alpha of an opaque picture is neither read nor written, which saves a quarter of the work. */
  readonly isOpaque: boolean;
}

/** A picture of one byte a pixel in the kernels' memory. */
interface GreyPictureAt {
  readonly greyAt: number;
  readonly width: number;
  readonly height: number;
}

/** A picture of one index a pixel in the kernels' memory, with the colours they name. */
interface IndexedPictureAt {
  readonly indexesAt: number;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of 1 to 256 colours; every index names one of them. */
  readonly palette: Uint8Array;
}

const MAX_COLORS = 256;

/** PNG of a picture that lies in the kernels' memory: RGB if it is opaque, otherwise RGBA. The same bytes on every machine. */
export function encodePng(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height, isOpaque }: RgbaPictureAt,
): Uint8Array<ArrayBuffer> {
  const pixels = { pixelsAt: rgbaAt, width, height, channels: isOpaque ? 3 : 4 } as const;
  const stream = toPixelStream(kernels, allocate, pixels);
  return toPngFile({ width, height, colorType: isOpaque ? 2 : 6, chunks: [['IDAT', stream]] });
}

/** PNG of 8-bit grey. */
export function encodeGreyPng(
  kernels: Kernels,
  allocate: Allocate,
  { greyAt, width, height }: GreyPictureAt,
): Uint8Array<ArrayBuffer> {
  const stream = toPixelStream(kernels, allocate, { pixelsAt: greyAt, width, height, channels: 1 });
  return toPngFile({ width, height, colorType: 0, chunks: [['IDAT', stream]] });
}

/** PNG with a palette: a third of the work and of the size of RGB. */
export function encodeIndexedPng(
  kernels: Kernels,
  allocate: Allocate,
  { indexesAt, width, height, palette }: IndexedPictureAt,
): Uint8Array<ArrayBuffer> {
  const colors = palette.length / 4;
  if (!(Number.isInteger(colors) && colors >= 1 && colors <= MAX_COLORS)) {
    throw internal(
      'bad-palette',
      `A palette has 1 to ${MAX_COLORS} colours of 4 bytes, not ${palette.length} bytes.`,
    );
  }
  if (colors < MAX_COLORS) {
    const indexes = new Uint8Array(kernels.buffer(), indexesAt, width * height);
    // Readers refuse such a file, or show what they like.
    if (indexes.some((index) => index >= colors)) {
      throw internal('bad-palette', `The picture has indexes past its palette of ${colors} colours.`);
    }
  }
  const stream = toPixelStream(kernels, allocate, { pixelsAt: indexesAt, width, height, channels: 1 });
  const chunks = [...toPaletteChunks(palette), ['IDAT', stream]] as const;
  return toPngFile({ width, height, colorType: 3, chunks });
}

/** Colours, and when one of them is transparent the alphas up to the last such: those after it are opaque. */
function toPaletteChunks(palette: Uint8Array) {
  const count = palette.length / 4;
  const colors = new Uint8Array(3 * count);
  const alphas = new Uint8Array(count);
  let transparent = 0;
  for (let i = 0; i < count; i++) {
    for (let channel = 0; channel < 3; channel++) colors[3 * i + channel] = palette[4 * i + channel]!;
    alphas[i] = palette[4 * i + 3]!;
    if (alphas[i]! < 255) transparent = i + 1;
  }
  if (transparent === 0) return [['PLTE', colors] as const];
  return [['PLTE', colors] as const, ['tRNS', alphas.subarray(0, transparent)] as const];
}

/** Some whole rows of a PNG, encoded without the others. */
export interface PngStrip {
  /** A chunk of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Adler-32 of what is compressed in it, and how many bytes that are. */
  readonly sum: number;
  readonly filteredBytes: number;
}

/** Encodes some rows of a larger PNG with red, green, blue and alpha; strips can be made in any order, on any thread. */
export function encodePngStrip(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height, isLast }: Omit<RgbaPictureAt, 'isOpaque'> & { readonly isLast: boolean },
): PngStrip {
  const pixels = { pixelsAt: rgbaAt, width, height, channels: 4, isLast } as const;
  const { bytes, ...sums } = toStripStream(kernels, allocate, pixels);
  return { bytes: toChunk('IDAT', bytes), ...sums };
}

/** RFC 1950: deflate with a window of 32 KiB, marked as fast compression. */
const ZLIB_HEAD = Uint8Array.of(0x78, 0x01);
const RGBA = 6;

/** What a PNG of strips begins with. */
export const toPngStripsHead = (size: { readonly width: number; readonly height: number }): Uint8Array =>
  Buffer.concat([toPngHead({ ...size, colorType: RGBA }), toChunk('IDAT', ZLIB_HEAD)]);

/** What a PNG of strips ends with: the checksum of all of them, in their order. */
export function toPngStripsEnd(strips: readonly Omit<PngStrip, 'bytes'>[]): Uint8Array {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(strips.reduce((all, strip) => joinSums(all, strip), 1));
  return Buffer.concat([toChunk('IDAT', sum), toChunk('IEND', new Uint8Array())]);
}

/** The base of Adler-32: RFC 1950, 8.2. */
const BASE = 65_521;

/** Adler-32 of some bytes and then of others, from the sums of both. */
function joinSums(before: number, { sum, filteredBytes }: Omit<PngStrip, 'bytes'>): number {
  const [a1, b1] = [before & 0xffff, before >>> 16];
  const [a2, b2] = [sum & 0xffff, sum >>> 16];
  // The first byte after the others is added to a sum that begins with theirs instead of with 1.
  const a = (a1 + a2 + BASE - 1) % BASE;
  const b = (b1 + b2 + (filteredBytes % BASE) * (a1 + BASE - 1)) % BASE;
  return b * 65_536 + a;
}

/** Pixels in the kernels' memory: rows of RGBA, of which 3 channels take the colours, or of one byte a pixel. */
interface PixelsAt {
  readonly pixelsAt: number;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

/** kernels/deflate.ts: a code for each pair of bytes. */
const PAIRS_BYTES = 65_536 * 4;
/** Zeros before and after a line of pixels: LINE_MARGIN of kernels/png-filter.ts. */
const LINE_MARGIN = 16;
/**
 * Filtered bytes that share a set of codes: a tile of 256 pixels square is one block even with transparency. Smaller
 * blocks gain less by fitting better than their codes cost, and larger ones leave the processor's cache.
 */
const BLOCK_BYTES = 288 * 1024;
/** RFC 1951, 3.2.4: a stored piece holds that much, and its header is 3 bits, filled up to a byte, and 4 bytes. */
const STORED_MAX = 65_535;
const STORED_HEADER = 6;
/** RFC 1950: two bytes before and four after; a byte that is not full; and the empty block after a strip. */
const ZLIB_BYTES = 7 + 5;

/**
 * Filters and compresses the pixels of a PNG; returns its zlib stream, a view on the kernels' memory. All rooms are
 * taken before: the stream is at most as long as if nothing could be compressed.
 */
function toPixelStream(kernels: Kernels, allocate: Allocate, pixels: PixelsAt): Uint8Array<ArrayBuffer> {
  const numbers = allocateStream(allocate, pixels);
  const bytes = kernels.run.png(...numbers);
  return new Uint8Array(kernels.buffer(), numbers[4], bytes);
}

/** A strip of the pixels of a PNG, filtered and compressed. */
interface StripStream {
  /** Whole bytes of the zlib stream without its header and checksum, a view on the kernels' memory. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Adler-32 of the filtered bytes, and their number. */
  readonly sum: number;
  readonly filteredBytes: number;
}

/** Bytes of the checksum after the stream. */
const SUM_BYTES = 4;

/** Filters and compresses some rows of a PNG that do not know the others; the last ones end the stream. */
function toStripStream(
  kernels: Kernels,
  allocate: Allocate,
  { isLast, ...pixels }: PixelsAt & { readonly isLast: boolean },
): StripStream {
  const numbers = allocateStream(allocate, pixels);
  const [, width, height, channels, outAt] = numbers;
  const end = kernels.run.pngStrip(...numbers, isLast ? 1 : 0) - SUM_BYTES;
  const sum = new DataView(kernels.buffer(), outAt + end, SUM_BYTES).getUint32(0);
  return {
    bytes: new Uint8Array(kernels.buffer(), outAt, end),
    sum,
    filteredBytes: height * (width * channels + 1),
  };
}

/** Allocates a stream and its work memory; returns the parameters of kernels/png.ts. */
function allocateStream(allocate: Allocate, { pixelsAt, width, height, channels }: PixelsAt) {
  if (!(width >= 1 && height >= 1)) throw internal('empty-picture', 'A PNG has at least one pixel.');
  const rowBytes = width * channels + 1;
  const blockRows = Math.max(1, Math.min(height, Math.floor(BLOCK_BYTES / rowBytes)));
  const lineBytes = Math.ceil((rowBytes + 2 * LINE_MARGIN) / 16) * 16;
  const outAt = allocate(maxStreamBytes({ rowBytes, height, blockRows }));
  const workAt = allocate(PAIRS_BYTES + LINE_MARGIN + 2 * lineBytes + blockRows * rowBytes);
  return [pixelsAt, width, height, channels, outAt, workAt, blockRows, lineBytes] as const;
}

interface FilteredRows {
  readonly rowBytes: number;
  readonly height: number;
  readonly blockRows: number;
}

/** A block that codes would not make smaller is stored, in pieces of which the last may be short. */
function maxStreamBytes({ rowBytes, height, blockRows }: FilteredRows): number {
  const piecesPerBlock = Math.ceil((blockRows * rowBytes) / STORED_MAX);
  const blocks = Math.ceil(height / blockRows);
  return height * rowBytes + blocks * piecesPerBlock * STORED_HEADER + ZLIB_BYTES;
}

/** What a PNG file says about itself, and its chunks except IHDR and IEND in their order. */
interface PngParts {
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
function toPngHead({ width, height, colorType }: Omit<PngParts, 'chunks'>): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(SIGNATURE.length + CHUNK_BYTES + IHDR_BYTES);
  head.set(SIGNATURE);
  putChunk(head, SIGNATURE.length, { type: 'IHDR', body: toIhdr({ width, height, colorType }) });
  return head;
}

/** A chunk of a PNG with its length and checksum. */
function toChunk(type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
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
