import type { PixelArray, PixelType } from '../../../raster/index.ts';
import type { Span } from '../headers/tile-grid.ts';

/** Where the tile lies in what was decoded. */
interface Cut {
  readonly x: Span;
  readonly y: Span;
  /** Pixels of one decoded row. */
  readonly stride: number;
  readonly bandCount: number;
  readonly type: PixelType;
}

function toPixels(bytes: ArrayBuffer, type: PixelType): PixelArray {
  switch (type) {
    case 'uint8':
      return new Uint8Array(bytes);
    case 'uint16':
      return new Uint16Array(bytes);
    case 'int16':
      return new Int16Array(bytes);
    default:
      throw new Error(`JPEG 2000 has no ${type} pixels`);
  }
}

/** The tile's pixels alone; the decoded array itself when it holds nothing else. */
export function cutPixels(decoded: ArrayBuffer, { x, y, stride, bandCount, type }: Cut): PixelArray {
  const all = toPixels(decoded, type);
  if ((x.start === 0 && y.start === 0) || all.length === 0) return all;
  const rowSamples = (x.end - x.start) * bandCount;
  const out = all.slice(0, rowSamples * (y.end - y.start));
  for (let row = y.start; row < y.end; row++) {
    const from = (row * stride + x.start) * bandCount;
    out.set(all.subarray(from, from + rowSamples), (row - y.start) * rowSamples);
  }
  return out;
}
