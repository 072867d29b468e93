import { internal } from '../../errors.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { toPixelStream } from './pixel-stream.ts';
import { toPngFile } from './png-file.ts';

/** A picture in the kernels' memory: red, green, blue, alpha, row by row. */
export interface RgbaPictureAt {
  readonly rgbaAt: number;
  readonly width: number;
  readonly height: number;
  /** Alpha of an opaque picture is neither read nor written, which saves a quarter of the work. */
  readonly isOpaque: boolean;
}

/** A picture of one byte a pixel in the kernels' memory. */
export interface GreyPictureAt {
  readonly greyAt: number;
  readonly width: number;
  readonly height: number;
}

/** A picture of one index a pixel in the kernels' memory, with the colours they name. */
export interface IndexedPictureAt {
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
  const alphas = palette.filter((_, i) => i % 4 === 3);
  const colors = ['PLTE', palette.filter((_, i) => i % 4 !== 3)] as const;
  const transparent = alphas.findLastIndex((alpha) => alpha < 255) + 1;
  return transparent === 0 ? [colors] : [colors, ['tRNS', alphas.subarray(0, transparent)] as const];
}
