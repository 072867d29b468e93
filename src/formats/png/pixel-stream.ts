import { internal } from '../../errors.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';

/** Pixels in the kernels' memory: rows of RGBA, of which 3 channels take the colours, or of one byte a pixel. */
export interface PixelsAt {
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
export function toPixelStream(
  kernels: Kernels,
  allocate: Allocate,
  pixels: PixelsAt,
): Uint8Array<ArrayBuffer> {
  const numbers = allocateStream(allocate, pixels);
  const bytes = kernels.run.png(...numbers);
  return new Uint8Array(kernels.buffer(), numbers[4], bytes);
}

/** A strip of the pixels of a PNG, filtered and compressed. */
export interface StripStream {
  /** Whole bytes of the zlib stream without its header and checksum, a view on the kernels' memory. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Adler-32 of the filtered bytes, and their number. */
  readonly sum: number;
  readonly filteredBytes: number;
}

/** Bytes of the checksum after the stream. */
const SUM_BYTES = 4;

/** Filters and compresses some rows of a PNG that do not know the others; the last ones end the stream. */
export function toStripStream(
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
