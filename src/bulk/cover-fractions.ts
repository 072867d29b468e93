import type { Grid, MultiPolygonGeometry } from '../geo/index.ts';
import type { PixelWindow } from '../raster/index.ts';

/** A run of pixels in a row, and the share of each that a shape covers; null if it covers all of them. */
export interface FractionRun {
  readonly row: number;
  readonly from: number;
  readonly until: number;
  readonly shares: Float32Array | null;
}

/** From longitude and latitude to columns and rows. */
type ToPixel = (lon: number, lat: number) => readonly [col: number, row: number];

/** Rings in pixels: columns and rows, one after the other. */
type PixelRings = readonly Float64Array[];

/** The corners of a shape in pixels; edges between them are straight. */
export const toPixelRings = ({ coordinates }: MultiPolygonGeometry, toPixel: ToPixel): PixelRings =>
  coordinates.flat().map((ring) => {
    const corners = new Float64Array(2 * ring.length);
    for (const [i, [lon, lat]] of ring.entries()) corners.set(toPixel(lon, lat), 2 * i);
    return corners;
  });

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

/**
 * The pixels that rings cover, and how much of each: the exact area of the polygon in the pixel. Every edge adds, in each row
 * that it crosses, the area between itself and the right end of the row; the running sum along a row is the share of each
 * pixel, because outer rings and holes turn in opposite ways.
 */
export function* coverFractions(rings: PixelRings, window: PixelWindow): Generator<FractionRun> {
  const rows = Math.max(1, Math.floor(BAND_CELLS / (window.width + 2)));
  for (let top = 0; top < window.height; top += rows) {
    const band = { ...window, y: window.y + top, height: Math.min(rows, window.height - top) };
    const sums = new Float64Array((band.width + 2) * band.height);
    for (const ring of rings) addRing(sums, ring, band);
    for (let row = 0; row < band.height; row += 1) yield* toRuns(sums, row, band);
  }
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

/** The runs of a row: whole pixels, and those that are covered in part. */
function* toRuns(sums: Float64Array, row: number, { x, y, width }: PixelWindow): Generator<FractionRun> {
  const at = row * (width + 2);
  const shares = new Float64Array(width);
  let sum = 0;
  for (let col = 0; col < width; col += 1) {
    sum += sums[at + col] as number;
    const share = Math.abs(sum);
    shares[col] = share < ROUNDING ? 0 : share > 1 - ROUNDING ? 1 : share;
  }
  for (let col = 0; col < width; ) {
    const share = shares[col] as number;
    if (share === 0) {
      col += 1;
      continue;
    }
    const isWhole = share === 1;
    let until = col + 1;
    while (until < width && (shares[until] as number) > 0 && (shares[until] === 1) === isWhole) until += 1;
    yield {
      row: y + row,
      from: x + col,
      until: x + until,
      shares: isWhole ? null : Float32Array.from(shares.subarray(col, until)),
    };
    col = until;
  }
}
