import type { PixelWindow } from '../raster/index.ts';

/**
 * The set pixels of a mask as runs: row, first column and the column after the last, one run after the other. Of a field
 * they are a hundredth of the mask.
 */
export type AreaSpans = Int32Array;

/** Numbers of one run. */
const RUN = 3;

/** The runs of a mask of ones and zeros, row by row. */
export function toSpans(mask: Uint8Array, width: number): AreaSpans {
  const found: number[] = [];
  for (let at = mask.indexOf(1); at >= 0; ) {
    const row = Math.floor(at / width);
    const rowEnd = (row + 1) * width;
    const zero = mask.indexOf(0, at);
    const until = zero < 0 || zero > rowEnd ? rowEnd : zero;
    found.push(row, at - row * width, until - row * width);
    at = mask.indexOf(1, until);
  }
  return Int32Array.from(found);
}

/** How many pixels lie in runs. */
export function countPixels(spans: AreaSpans): number {
  let count = 0;
  for (let i = 0; i < spans.length; i += RUN) count += (spans[i + 2] as number) - (spans[i + 1] as number);
  return count;
}

/** The part of runs in a window, as pairs of its first pixel and the one after its last, counted in the window. */
export function cutSpans(spans: AreaSpans, { x, y, width, height }: PixelWindow): Uint32Array {
  const cut = new Uint32Array((2 * spans.length) / RUN);
  let end = 0;
  for (let i = 0; i < spans.length; i += RUN) {
    const row = (spans[i] as number) - y;
    const from = Math.max(0, (spans[i + 1] as number) - x);
    const until = Math.min(width, (spans[i + 2] as number) - x);
    if (row < 0 || row >= height || from >= until) continue;
    cut[end] = row * width + from;
    cut[end + 1] = row * width + until;
    end += 2;
  }
  return cut.subarray(0, end);
}
