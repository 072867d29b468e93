import type { PieceSink, PixelArray, PixelWindow } from '../../raster/index.ts';
import type { ReadWindow, WindowRequest } from '../index.ts';

/** The pixels of a window of one band, in the type of the file. */
export interface BandWindow {
  readonly pixels: PixelArray;
  /** 1 where there is data; null when everywhere. */
  readonly mask: Uint8Array | null;
}

/** Reads a window into its own arrays, masked where the file says so, where it holds nodata or is not a number. */
export async function readBandWindow(
  readWindow: ReadWindow,
  request: WindowRequest,
  signal: AbortSignal,
): Promise<BandWindow> {
  const assembly = makeAssembly(request.read.window);
  await readWindow(request, assembly, signal);
  return assembly.finish(request.nodata);
}

/** Begins a window. Rows are copied in the type of the file: a plain memory copy, of half the bytes of floats. */
function makeAssembly(window: PixelWindow): PieceSink & { finish(nodata: number | null): BandWindow } {
  const length = window.width * window.height;
  let pixels: PixelArray = new Uint8Array(0);
  let mask: Uint8Array | null = null;

  return {
    begin() {
      pixels = new Uint8Array(0);
      mask = null;
    },
    add(piece) {
      const { corner, width, height } = piece;
      const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
      const right = Math.min(window.width, corner.x + width);
      const bottom = Math.min(window.height, corner.y + height);
      if (pixels.length === 0) pixels = makeLike(piece.pixels, length);
      if (piece.mask !== null) mask ??= new Uint8Array(length).fill(1);
      for (let y = top; y < bottom; y += 1) {
        const from = (y - corner.y) * width - corner.x;
        const to = y * window.width;
        pixels.set(piece.pixels.subarray(from + left, from + right), to + left);
        if (piece.mask !== null) mask?.set(piece.mask.subarray(from + left, from + right), to + left);
      }
    },

    finish(nodata) {
      const isFloat = pixels instanceof Float32Array || pixels instanceof Float64Array;
      // Most windows hold no empty pixel at all, and searching for one is much faster than writing a mask.
      const hasEmpty =
        (nodata !== null && pixels.includes(nodata)) || (isFloat && pixels.includes(Number.NaN));
      if (hasEmpty) {
        mask ??= new Uint8Array(length).fill(1);
        for (let i = 0; i < length; i += 1) {
          const value = pixels[i] as number;
          if (value === nodata || Number.isNaN(value)) mask[i] = 0;
        }
      }
      return { pixels, mask };
    },
  };
}

const makeLike = (array: PixelArray, length: number): PixelArray =>
  new (array.constructor as new (length: number) => PixelArray)(length);
