import type { PixelArray, PixelWindow, SampleType } from '../raster/index.ts';
import { makePixels } from '../raster/index.ts';
import type { BandWindow } from './band-reader.ts';

/** One decoded block of the band, and where it lies. */
export interface AssemblyPiece {
  readonly pixels: PixelArray;
  readonly width: number;
  readonly height: number;
  /** Upper left corner in the window's pixels; negative when the block begins outside. */
  readonly corner: { readonly x: number; readonly y: number };
  /** The file's own word on where there is data; null when it has none. */
  readonly mask: Uint8Array | null;
}

/** A window that is put together from blocks. */
export interface Assembly {
  add(piece: AssemblyPiece): void;
  /** The window, masked where the file says so, where it holds nodata, and where it is not a number. */
  finish(nodata: number | null): BandWindow;
}

/** Begins a window. Rows are copied in the type of the file: that is a plain move of memory, and half of a float's. */
export function makeAssembly(window: PixelWindow, type: SampleType): Assembly {
  const length = window.width * window.height;
  const pixels = makePixels(type, length);
  let mask: Uint8Array | null = null;

  return {
    add(piece) {
      const { corner, width, height } = piece;
      const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
      const right = Math.min(window.width, corner.x + width);
      const bottom = Math.min(window.height, corner.y + height);
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
      // Most windows hold no empty pixel at all, and to look for one is much faster than to write a mask.
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
