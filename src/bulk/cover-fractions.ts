import type { Grid } from '../geo/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { PixelRings } from '../zonal/measuring.ts';
import type { RunList } from './run-list.ts';

/** The window of a grid around rings; null if they lie outside, or have no position there. */
export function windowAroundRings(rings: PixelRings, { width, height }: Grid): PixelWindow | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      left = Math.min(left, ring[i] as number);
      right = Math.max(right, ring[i] as number);
      top = Math.min(top, ring[i + 1] as number);
      bottom = Math.max(bottom, ring[i + 1] as number);
    }
  }
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  const [endX, endY] = [Math.min(width, Math.ceil(right)), Math.min(height, Math.ceil(bottom))];
  return endX > x && endY > y ? { x, y, width: endX - x, height: endY - y } : null;
}

/** Smaller shares, and smaller gaps, are those of rounding. */
const ROUNDING = 1e-9;

/** Cells of the sums in memory at a time. */
const BAND_CELLS = 1_048_576;

/** Adds the pixels that rings cover in a window to a list, row by row, and how much of each they cover. */
export type CoverFractions = (
  rings: PixelRings,
  window: PixelWindow,
  list: Pick<RunList, 'addRun' | 'addWeighted'>,
) => void;

/**
 * Finds the exact area of a polygon in each pixel. Every edge adds, in each row that it crosses, the area between itself and
 * the right end of the row; the running sum along a row is the share of each pixel, because outer rings and holes turn in
 * opposite ways. The memory for sums serves one shape after the other.
 */
export function makeCoverFractions(): CoverFractions {
  let memory = new Float64Array(4_096);
  return (rings, window, list) => {
    const rows = Math.max(1, Math.floor(BAND_CELLS / (window.width + 2)));
    for (let top = 0; top < window.height; top += rows) {
      const band = { ...window, y: window.y + top, height: Math.min(rows, window.height - top) };
      const cells = (band.width + 2) * band.height;
      if (cells > memory.length) memory = new Float64Array(2 * cells);
      else memory.fill(0, 0, cells);
      for (const ring of rings) addRing(memory, ring, band);
      for (let row = 0; row < band.height; row += 1) addRuns(memory, row, band, list);
    }
  };
}

function addRing(sums: Float64Array, ring: Float64Array, { x, y, width, height }: PixelWindow): void {
  for (let i = 2; i < ring.length; i += 2) {
    const [fromX, fromY] = [(ring[i - 2] as number) - x, (ring[i - 1] as number) - y];
    const [toX, toY] = [(ring[i] as number) - x, (ring[i + 1] as number) - y];
    if (fromY === toY) continue;
    // Downwards; the turn of the edge decides what is added or taken away.
    const sign = fromY < toY ? 1 : -1;
    const [topX, topY, endX, endY] = fromY < toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (endX - topX) / (endY - topY);
    const [first, last] = [Math.max(0, Math.floor(topY)), Math.min(height - 1, Math.ceil(endY) - 1)];
    for (let row = first; row <= last; row += 1) {
      const [upper, lower] = [Math.max(topY, row), Math.min(endY, row + 1)];
      if (lower <= upper) continue;
      const clamp = (col: number): number =>
        Math.min(Math.max(col, Math.min(topX, endX)), Math.max(topX, endX));
      const [upperX, lowerX] = [clamp(topX + (upper - topY) * slope), clamp(topX + (lower - topY) * slope)];
      addPiece(sums, row * (width + 2), width, {
        left: Math.min(upperX, lowerX),
        right: Math.max(upperX, lowerX),
        height: sign * (lower - upper),
      });
    }
  }
}

/** A piece of an edge within a row, from its left to its right end. */
interface EdgePiece {
  readonly left: number;
  readonly right: number;
  /** Negative for edges that go up. */
  readonly height: number;
}

// Four parameters: where, how wide, and what.
function addPiece(sums: Float64Array, at: number, width: number, { left, right, height }: EdgePiece): void {
  if (left >= width) return;
  if (right <= 0) {
    sums[at] = (sums[at] as number) + height;
    return;
  }
  const perPixel = right > left ? height / (right - left) : 0;
  // What lies to the left of the window covers all of it.
  if (left < 0) sums[at] = (sums[at] as number) - left * perPixel;
  const end = Math.min(right, width);
  let from = Math.max(0, left);
  if (right === left) {
    addCell(sums, at + Math.floor(left), left - Math.floor(left), height);
    return;
  }
  while (from < end) {
    const cell = Math.floor(from);
    const to = Math.min(end, cell + 1);
    addCell(sums, at + cell, (from + to) / 2 - cell, perPixel * (to - from));
    from = to;
  }
}

/** Adds an edge of a height whose middle lies at an offset in a pixel: it covers what is to the right of it. */
function addCell(sums: Float64Array, at: number, offset: number, height: number): void {
  sums[at] = (sums[at] as number) + height * (1 - offset);
  sums[at + 1] = (sums[at + 1] as number) + height * offset;
}

/** Adds the runs of a row: whole pixels, and those that are covered in part. The sums of the row become shares. */
// Four parameters: the sums, of which row, where it lies, and where to.
function addRuns(
  sums: Float64Array,
  row: number,
  { x, y, width }: PixelWindow,
  list: Pick<RunList, 'addRun' | 'addWeighted'>,
): void {
  const at = row * (width + 2);
  let sum = 0;
  for (let i = at; i < at + width; i += 1) {
    sum += sums[i] as number;
    const share = Math.abs(sum);
    sums[i] = share < ROUNDING ? 0 : share > 1 - ROUNDING ? 1 : share;
  }
  for (let col = 0; col < width; ) {
    const share = sums[at + col] as number;
    if (share === 0) {
      col += 1;
      continue;
    }
    const isWhole = share === 1;
    let until = col + 1;
    while (until < width && (sums[at + until] as number) > 0 && (sums[at + until] === 1) === isWhole)
      until += 1;
    if (isWhole) list.addRun(y + row, x + col, x + until);
    else list.addWeighted(y + row, x + col, x + until, sums, at + col);
    col = until;
  }
}
