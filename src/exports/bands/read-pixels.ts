import { rasterizeArea } from '../../areas/index.ts';
import type { BandFile, ReadWindow } from '../../blocks/index.ts';
import { isSwathError } from '../../errors.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PieceSink, PixelArray, PixelType, PixelWindow } from '../../raster/index.ts';
import { cropGrid } from '../../render/native/index.ts';

/** Stored numbers of bands within a part of a scene; plain data. */
export interface StoredPixels {
  /** The record of the scene: its name is for messages, and blocks of different versions never mix. */
  readonly record: { readonly name: string; readonly version: string };
  readonly bands: readonly BandFile[];
  /** Type of the pixels that are given; every number of the files fits into it. */
  readonly type: PixelType;
  /** The part of the files' pixels that counts as the image. */
  readonly window: PixelWindow;
  /** Pixels outside are filled; with the georeference of the image. */
  readonly outside: { readonly outline: AreaOutline; readonly grid: GeoreferencedGrid } | null;
  /** What pixels are that a mask of the file hides, or that lie outside. */
  readonly fill: number;
}

/** Reads a window of a band of the image, as its file has it, into an array of its size. */
export type ReadPixels = (
  pixels: StoredPixels,
  band: number,
  target: { readonly window: PixelWindow; readonly out: PixelArray; readonly signal: AbortSignal },
) => Promise<void>;

/** Takes decoded blocks as they are. */
function makePixelSink(out: PixelArray, { width, height }: PixelWindow, fill: number): PieceSink {
  return {
    begin() {},
    add({ pixels, mask, corner, width: pieceWidth, height: pieceHeight }) {
      const [left, top] = [Math.max(0, corner.x), Math.max(0, corner.y)];
      const columns = Math.min(width, corner.x + pieceWidth) - left;
      const bottom = Math.min(height, corner.y + pieceHeight);
      if (columns <= 0) return;
      for (let y = top; y < bottom; y++) {
        const from = (y - corner.y) * pieceWidth + left - corner.x;
        out.set(pixels.subarray(from, from + columns), y * width + left);
        if (mask === null) continue;
        for (let x = 0; x < columns; x++) if (mask[from + x] === 0) out[y * width + left + x] = fill;
      }
    },
  };
}

function fillOutside(out: PixelArray, pixels: StoredPixels, window: PixelWindow): void {
  if (pixels.outside === null) return;
  const { outline, grid } = pixels.outside;
  const inside = rasterizeArea(outline, cropGrid(grid, window));
  for (let i = 0; i < out.length; i++) if (inside[i] === 0) out[i] = pixels.fill;
}

/** A file may have blocks so large that a reader refuses to decode those of a window at once. */
const isTooMuch = (error: unknown): boolean => isSwathError(error) && error.code === 'too-much-to-decode';

/** Builds the reading of stored numbers. */
export function makeReadPixels({ readWindow }: { readonly readWindow: ReadWindow }): ReadPixels {
  const readRows: ReadPixels = async (pixels, band, { window, out, signal }) => {
    const { record, bands, window: image, fill } = pixels;
    const inFile = { ...window, x: image.x + window.x, y: image.y + window.y };
    const request = { ...bands[band]!, record, read: { level: 0, window: inFile }, isOnce: true };
    try {
      await readWindow(request, makePixelSink(out, window, fill), signal);
    } catch (error) {
      if (!isTooMuch(error) || window.height < 2) throw error;
      const rows = window.height >> 1;
      const middle = rows * window.width;
      const upper = { window: { ...window, height: rows }, out: out.subarray(0, middle), signal };
      const rest = { ...window, y: window.y + rows, height: window.height - rows };
      await readRows(pixels, band, upper);
      await readRows(pixels, band, { window: rest, out: out.subarray(middle), signal });
    }
  };
  return async (pixels, band, target) => {
    await readRows(pixels, band, target);
    fillOutside(target.out, pixels, target.window);
  };
}
