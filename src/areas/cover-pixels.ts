/** Which pixels of a grid an area covers: as a mask, and as runs for statistics and for shares of an area. */

import type { AreaOutline, Grid } from '../geo/index.ts';
import { fillOutline, LON_LAT_GRID, WGS84_RADIUS_M } from '../geo/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { coverRows } from './cover-rows.ts';
import { tooLarge } from './errors.ts';
import { fillProjected } from './fill-projected.ts';

/**
 * The set pixels of a mask as runs, one after the other: the first pixel of each and the one after its last. The runs of
 * a field take a hundredth of its mask.
 */
export type AreaSpans = Uint32Array;

/** What an area covers of a grid. */
export interface CoveredPixels {
  readonly spans: AreaSpans;
  readonly count: number;
}

/** Which pixels count: those whose centre lies in the area, or those that it touches. */
export type CoverRule = 'centres' | 'touched';

/** What an area covers of several grids. */
export interface CoveredPieces {
  /** One for each grid. */
  readonly pieces: readonly CoveredPixels[];
  readonly count: number;
  readonly isTouched: boolean;
}

/** The pixels whose centre lies in an area; those that it touches if there are none in all grids. */
export function coverPieces(
  grids: readonly Grid[],
  cover: (rule: CoverRule, grid: Grid) => CoveredPixels,
): CoveredPieces {
  const byRule = (rule: CoverRule): CoveredPieces => {
    const pieces = grids.map((grid) => cover(rule, grid));
    const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
    return { pieces, count, isTouched: rule === 'touched' };
  };
  const centres = byRule('centres');
  return centres.count > 0 ? centres : byRule('touched');
}

/** The pixels of one grid that count by a rule. */
export function coverPixels(
  rule: CoverRule,
  outline: AreaOutline,
  grid: Grid,
  allocate?: ReturnType<typeof makeMaskMemory>,
): CoveredPixels {
  const spans = (rule === 'centres' ? findRows(outline, grid) : null) ?? toSpans(toMask());
  return { spans, count: countPixels(spans) };

  function toMask(): Uint8Array {
    if (rule === 'touched') return touchPixels(outline, grid);
    return rasterizeArea(outline, grid, { isExact: true, allocate });
  }
}

/** The runs of an area row by row, without a mask; null for grids whose rows are parallels, and where `coverRows` finds none. */
function findRows(outline: AreaOutline, grid: Grid): AreaSpans | null {
  if (grid.width * grid.height > MAX_PIXELS || isLattice(grid)) return null;
  return coverRows(outline, grid);
}

/** The largest picture has a quarter of it; native grids of scenes are processed window by window. */
const MAX_PIXELS = 16_777_216;
const DEG = 180 / Math.PI;

/** How a mask is made. */
interface RasterizeOptions {
  readonly isExact?: boolean | undefined;
  readonly allocate?: ((bytes: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/**
 * A mask of the grid: 1 where the centre of a pixel lies in the area, 0 elsewhere. The area is that of `toOutline`,
 * within ±180, with edges that are straight in degrees; the grid may be in any reference system, extend beyond ±180, or
 * have a lattice of control points.
 * Grids on one lattice (e.g. tiles of a zoom level) agree to the pixel wherever they overlap.
 * Centres may be off by a hundredth of a pixel, which no picture shows; `isExact` computes those near an edge one by one.
 * Memory that is allocated for it must be zero.
 */
export function rasterizeArea(
  outline: AreaOutline,
  grid: GeoreferencedGrid,
  { isExact = false, allocate = allocateMask }: RasterizeOptions = {},
): Uint8Array<ArrayBuffer> {
  if (grid.width * grid.height > MAX_PIXELS) {
    throw tooLarge('mask-too-large', `A mask may have at most ${MAX_PIXELS} pixels.`);
  }
  const mask = allocate(grid.width * grid.height);
  if (mask.length === 0 || outline.length === 0) return mask;
  const lattice = toLattice(grid);
  if (lattice === null) fillProjected(mask, outline, grid, isExact);
  else fillOutline(mask, repeatTurns(outline, lattice.lons), lattice);
  return mask;
}

const allocateMask = (pixels: number): Uint8Array<ArrayBuffer> => new Uint8Array(pixels);

/** Whether the columns of a grid are meridians, and its rows parallels. */
function isLattice({ epsg, proj, transform, lattice }: GeoreferencedGrid): boolean {
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = transform;
  const isUpright = rowShear === 0 && colShear === 0 && pixelWidth > 0 && pixelHeight < 0;
  return isUpright && lattice == null && proj == null && (epsg === 3857 || epsg === 4326);
}

/** Longitudes of the columns and latitudes of the rows of a grid that has them; null otherwise. */
function toLattice(grid: GeoreferencedGrid) {
  if (!isLattice(grid)) return null;
  const { epsg, transform, width, height } = grid;
  const [, pixelWidth, , , , pixelHeight] = transform;
  // Counted from the origin of the reference system, so that a pixel has the same centre in every grid that holds it.
  const [firstColumn, firstRow] = makePixelMapping(grid, LON_LAT_GRID).targetOffset;
  const x = (column: number): number => (firstColumn + column + 0.5) * pixelWidth;
  const y = (row: number): number => (firstRow + row + 0.5) * pixelHeight;
  const isDegrees = epsg === 4326;
  return {
    lons: Float64Array.from({ length: width }, (_, i) => (isDegrees ? x(i) : (x(i) / WGS84_RADIUS_M) * DEG)),
    lats: Float64Array.from({ length: height }, (_, i) =>
      isDegrees ? y(i) : Math.atan(Math.sinh(y(i) / WGS84_RADIUS_M)) * DEG,
    ),
  };
}

/** The max turns of a grid round the globe; no reference system extends further. */
const MAX_TURNS = 3;

/** The outline, repeated for each turn of the columns round the globe: mostly once. */
function repeatTurns(outline: AreaOutline, lons: Float64Array): AreaOutline {
  const first = Math.floor((lons[0]! + 180) / 360);
  const last = Math.min(first + MAX_TURNS - 1, Math.floor((lons[lons.length - 1]! + 180) / 360));
  if (first === 0 && last === 0) return outline;
  const repeated = new Float64Array(outline.length * (last - first + 1));
  for (let turn = first; turn <= last; turn++) {
    const turned = outline.map((degrees, i) => (i % 2 === 0 ? degrees + 360 * turn : degrees));
    repeated.set(turned, outline.length * (turn - first));
  }
  return repeated;
}

/** The largest mask whose memory is reused: that of an area of 20 km in pixels of 10 m. */
const MAX_MASK_BYTES = 4 * 2 ** 20;

/** Zeroed memory for one mask at a time; a fresh array for each would keep the garbage collector busy. */
export function makeMaskMemory(): (bytes: number) => Uint8Array<ArrayBuffer> {
  let memory = new Uint8Array(0);
  return (bytes) => {
    if (bytes > MAX_MASK_BYTES) return new Uint8Array(bytes);
    if (bytes > memory.length) memory = new Uint8Array(bytes);
    else memory.fill(0, 0, bytes);
    return memory.subarray(0, bytes);
  };
}

/** The runs of a mask of ones and zeros. */
export function toSpans(mask: Uint8Array): AreaSpans {
  const found: number[] = [];
  for (let at = mask.indexOf(1); at >= 0; ) {
    const zero = mask.indexOf(0, at);
    const until = zero < 0 ? mask.length : zero;
    found.push(at, until);
    at = mask.indexOf(1, until);
  }
  return Uint32Array.from(found);
}

/** How many pixels lie in runs. */
export function countPixels(spans: AreaSpans): number {
  let count = 0;
  for (let i = 0; i < spans.length; i += 2) count += (spans[i + 1] as number) - (spans[i] as number);
  return count;
}

/** Edges are straight in degrees; over this many pixels they are straight in any projection. */
const PIECE_PX = 8;

/**
 * Marks the pixels that an outline passes through. For an area without the centre of a pixel these are all that it
 * touches: a pixel that lies in it wholly would have its centre in it.
 */
export function touchPixels(outline: AreaOutline, grid: GeoreferencedGrid): Uint8Array<ArrayBuffer> {
  const { width, height } = grid;
  const mask = new Uint8Array(width * height);
  const { toTarget: toPixel } = makePixelMapping(grid, LON_LAT_GRID);
  for (let edge = 0; edge < outline.length; edge += 4) {
    const [lon, lat, endLon, endLat] = outline.subarray(edge, edge + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    let from = toPixel(lon, lat);
    const end = toPixel(endLon, endLat);
    const lengthPx = Math.hypot(end[0] - from[0], end[1] - from[1]);
    const pieces = Math.max(1, Math.min(100_000, Math.ceil(lengthPx / PIECE_PX)));
    for (let piece = 1; piece <= pieces; piece += 1) {
      const share = piece / pieces;
      const to = toPixel(lon + share * (endLon - lon), lat + share * (endLat - lat));
      walk(from, to, (col, row) => {
        if (col >= 0 && row >= 0 && col < width && row < height) mask[row * width + col] = 1;
      });
      from = to;
    }
  }
  return mask;
}

/** Visits the pixels that a line passes through, from crossing to crossing (Amanatides and Woo, 1987). */
function walk(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  visit: (col: number, row: number) => void,
): void {
  if (!Number.isFinite(fromX + fromY + toX + toY)) return;
  let [col, row] = [Math.floor(fromX), Math.floor(fromY)];
  const [lastCol, lastRow] = [Math.floor(toX), Math.floor(toY)];
  const [stepX, stepY] = [Math.sign(toX - fromX), Math.sign(toY - fromY)];
  const [overX, overY] = [Math.abs(1 / (toX - fromX)), Math.abs(1 / (toY - fromY))];
  let nextX = stepX === 0 ? Infinity : (stepX > 0 ? col + 1 - fromX : fromX - col) * overX;
  let nextY = stepY === 0 ? Infinity : (stepY > 0 ? row + 1 - fromY : fromY - row) * overY;
  const steps = Math.abs(lastCol - col) + Math.abs(lastRow - row);
  visit(col, row);
  for (let step = 0; step < steps; step += 1) {
    if (nextX < nextY) {
      col += stepX;
      nextX += overX;
    } else {
      row += stepY;
      nextY += overY;
    }
    visit(col, row);
  }
}

/** The window of an image around an outline, in whole pixels; null if it lies outside. */
export const planTouchedWindow = (outline: AreaOutline, grid: GeoreferencedGrid): PixelWindow | null =>
  clipWindow(planWindowAround(outline, grid), grid);

/** The pixels around the corners of an outline, also those beyond the image. */
export function planWindowAround(outline: AreaOutline, grid: GeoreferencedGrid): PixelWindow {
  const { toTarget: toPixel } = makePixelMapping(grid, LON_LAT_GRID);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [col, row] = toPixel(outline[i]!, outline[i + 1]!);
    left = Math.min(left, Math.floor(col));
    right = Math.max(right, Math.floor(col));
    top = Math.min(top, Math.floor(row));
    bottom = Math.max(bottom, Math.floor(row));
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The part of a window that lies in an image; null if there is none. */
export function clipWindow(
  { x, y, width, height }: PixelWindow,
  image: { readonly width: number; readonly height: number },
): PixelWindow | null {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(image.width, x + width), Math.min(image.height, y + height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}
