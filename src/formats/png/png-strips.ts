import type { Allocate, Kernels } from '../../raster/index.ts';
import type { RgbaPictureAt } from './encode-png.ts';
import { toStripStream } from './pixel-stream.ts';
import { toChunk, toPngHead } from './png-file.ts';

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
