import type { Affine, Grid, Lattice, Size } from '../geo/index.ts';
import { scaleAffine, scaleLattice } from '../geo/index.ts';
import type { ApproximateGrid, GeoreferencedGrid, PixelMapping } from '../proj/index.ts';
import {
  cacheGrid,
  evaluatePatch,
  findGrid,
  makeApproximateGrid,
  makePixelMapping,
  PATCH_LENGTH,
} from '../proj/index.ts';
import type { WarpKernel } from './kernels.ts';

/** A rectangle of whole pixels. */
export interface PixelWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What to read for a warp, and how to warp it; plain JSON. */
export interface WarpPlan {
  readonly method: ResampleMethod;
  /** 0 is the full image, 1 its first overview. */
  readonly level: number;
  readonly epsg: number;
  /** The reference system if it has no EPSG code, see `Grid`. */
  readonly proj?: string | null;
  readonly levelTransform: Affine;
  /** In the pixels of the level, for images that an affine transform cannot georeference, see `GeoreferencedGrid`. */
  readonly lattice?: Lattice | null;
  readonly levelSize: Size;
  /** The pixels of that level to read. */
  readonly window: PixelWindow;
  /** The window is the target grid, pixel for pixel: nothing is resampled. `warpPlanes` does not take such a plan. */
  readonly isCopy?: true;
  /** Memory of the warp in addition to its pixels: the approximating grid, and the work memory of the method. */
  readonly workBytes: number;
}

/** The plan of reading pixels of an image as they are, at full resolution. */
export const planStored = (
  { epsg, transform, width, height }: Pick<Grid, 'epsg' | 'transform' | 'width' | 'height'>,
  window: PixelWindow,
): WarpPlan => ({
  method: 'near',
  level: 0,
  epsg,
  levelTransform: transform,
  levelSize: { width, height },
  window,
  isCopy: true,
  workBytes: 0,
});

/** An image to read from: its full resolution and the sizes of its overviews. */
export interface WarpSource extends GeoreferencedGrid {
  readonly overviews: readonly Size[];
}

/** Decides which level and window of an image a target needs; null when the two do not overlap. */
export function planWarp(request: {
  readonly target: Grid;
  readonly source: WarpSource;
  readonly method: ResampleMethod;
  /** Pixels to read around those that the warp needs. */
  readonly marginPx?: number;
}): WarpPlan | null {
  const { target, source, method, marginPx = 0 } = request;
  const { level } = findLevel(target, source, source.overviews);
  const { width, height } = level === 0 ? source : source.overviews[level - 1]!;
  const levelSize = { width, height };
  const levelTransform = scaleAffine(source.transform, source, levelSize);
  const georeference = {
    epsg: source.epsg,
    ...(source.proj == null ? {} : { proj: source.proj }),
    ...(source.lattice == null ? {} : { lattice: scaleLattice(source.lattice, source, levelSize) }),
  };
  const grid = makeApproximateGrid(target, { ...georeference, transform: levelTransform, width, height });
  const window = neededWindow(grid, { target, levelSize, method, marginPx });
  if (window === null) return null;
  const workBytes = warpWorkBytes(grid, resamplers[method], window);
  const plan: WarpPlan = { method, level, ...georeference, levelTransform, levelSize, window, workBytes };
  cacheGrid(plan, grid);
  return plan;
}

interface Extent {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

function neededWindow(
  grid: ApproximateGrid,
  request: {
    readonly target: Grid;
    readonly levelSize: Size;
    readonly method: ResampleMethod;
    readonly marginPx: number;
  },
): PixelWindow | null {
  const { width, height } = request.levelSize;
  const resampler = resamplers[request.method];
  const all: Extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i < grid.cellCount; i++) {
    const { minX, minY, maxX, maxY } = positionsInCell(grid, i, {
      target: request.target,
      insetPx: resampler.isArea ? 0 : 0.5,
    });
    if (maxX < 0 || maxY < 0 || minX > width || minY > height) continue;
    const [reachX, reachY] = kernelSupport(resampler, grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    const [firstX, endX] = tapRange(minX, maxX, reachX);
    const [firstY, endY] = tapRange(minY, maxY, reachY);
    all.minX = Math.min(all.minX, firstX);
    all.minY = Math.min(all.minY, firstY);
    all.maxX = Math.max(all.maxX, endX);
    all.maxY = Math.max(all.maxY, endY);
  }
  const { marginPx } = request;
  const x = Math.max(0, all.minX - marginPx);
  const y = Math.max(0, all.minY - marginPx);
  const endX = Math.min(width, all.maxX + marginPx);
  const endY = Math.min(height, all.maxY + marginPx);
  return endX > x && endY > y ? { x, y, width: endX - x, height: endY - y } : null;
}

/** A margin at both ends for the rounding of positions. */
const SPARE_PX = 0.01;

/** The first pixel, and the one past the last, that a kernel touches for positions in a range. */
function tapRange(min: number, max: number, reach: number): [first: number, end: number] {
  if (reach === 0) return [Math.floor(min - SPARE_PX), Math.floor(max + SPARE_PX) + 1];
  const radius = Math.ceil(reach);
  return [Math.floor(min - 0.5 - SPARE_PX) - radius + 1, Math.floor(max - 0.5 + SPARE_PX) + radius + 1];
}

/**
 * The bounds of the source positions of the pixels of a cell that lie in the target: of their centres, half a pixel
 * from the edge, or of their corners.
 */
function positionsInCell(
  grid: ApproximateGrid,
  index: number,
  { target, insetPx }: { readonly target: Size; readonly insetPx: number },
): Extent {
  const [col, row, size] = grid.cells.subarray(3 * index) as unknown as [number, number, number];
  const first = (corner: number): number => (Math.max(0, -corner) + insetPx) / size;
  const last = (corner: number, length: number): number => (Math.min(size, length - corner) - insetPx) / size;
  const [u0, u1] = [first(col), last(col, target.width)];
  const [v0, v1] = [first(row), last(row, target.height)];
  const extent: Extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const u of [u0, (u0 + u1) / 2, u1]) {
    for (const v of [v0, (v0 + v1) / 2, v1]) {
      const [x, y] = evaluatePatch(grid.patches, index * PATCH_LENGTH, u, v);
      extent.minX = Math.min(extent.minX, x);
      extent.minY = Math.min(extent.minY, y);
      extent.maxX = Math.max(extent.maxX, x);
      extent.maxY = Math.max(extent.maxY, y);
    }
  }
  const bulgeX = bulge(grid.patches.subarray(index * PATCH_LENGTH), u1 - u0, v1 - v0);
  const bulgeY = bulge(grid.patches.subarray(index * PATCH_LENGTH + 9), u1 - u0, v1 - v0);
  extent.minX -= bulgeX;
  extent.maxX += bulgeX;
  extent.minY -= bulgeY;
  extent.maxY += bulgeY;
  return extent;
}

/**
 * How far a patch can exceed nine of its values: a parabola a t^2 rises at most a (h / 4)^2 over points h / 2 apart.
 */
function bulge(coefficients: Float64Array, spanU: number, spanV: number): number {
  const squares = (...indexes: number[]): number =>
    indexes.reduce((sum, i) => sum + Math.abs(coefficients[i]!), 0);
  return (squares(6, 7, 8) * spanU * spanU + squares(2, 5, 8) * spanV * spanV) / 16;
}

/** The level of an image to read for a target. */
export interface ChosenLevel {
  /** 0 is the full image, 1 the first overview. */
  readonly level: number;
  /** How many pixels of that level a target pixel spans; below 1 where the target is finer than the image. */
  readonly ratio: number;
}

/**
 * Which overview of an image to read for a target: the coarsest one that is not coarser than the target, as `gdalwarp
 * -ovr AUTO` chooses, which also takes one that is up to a tenth coarser. The two are compared along the diagonal of the
 * whole image, not of the part in view, so that all tiles of a zoom level read the same overview.
 */
export function findLevel(target: Grid, full: GeoreferencedGrid, overviews: readonly Size[]): ChosenLevel {
  const ratio = pixelRatio(makePixelMapping(target, full), full);
  let level = 0;
  let chosen = 1;
  for (const [i, { width }] of overviews.entries()) {
    const reduction = full.width / width;
    // A small tolerance: an exact 2:1 reads the 2:1 overview even when the ratio comes out as 1.9999999.
    if (reduction > chosen && reduction <= ratio * (1 + 1e-6)) {
      level = i + 1;
      chosen = reduction;
    }
  }
  return { level, ratio: ratio / chosen };
}

/** How many source pixels a target pixel spans. */
function pixelRatio(mapping: PixelMapping, { width, height }: Size): number {
  const span = (fromCol: number, fromRow: number, toCol: number, toRow: number): number => {
    const from = mapping.toTarget(fromCol, fromRow);
    const to = mapping.toTarget(toCol, toRow);
    return Math.hypot(toCol - fromCol, toRow - fromRow) / Math.hypot(to[0] - from[0], to[1] - from[1]);
  };
  const whole = span(0, 0, width, height);
  const centre = span(width / 2 - 0.5, height / 2 - 0.5, width / 2 + 0.5, height / 2 + 0.5);
  // A corner at a pole has no position in Web Mercator, and corners on two sides of the antimeridian lie a world apart:
  // then the middle of the image is used.
  if (!Number.isFinite(centre)) return Number.isFinite(whole) ? whole : 1;
  return whole > centre / 2 ? whole : centre;
}

/** The same warp by another method that reads no more pixels; the approximating grid is computed once for both. */
export function withMethod(plan: WarpPlan, method: ResampleMethod): WarpPlan {
  const other: WarpPlan = { ...plan, method };
  const grid = findGrid(plan);
  if (grid !== undefined) cacheGrid(other, grid);
  return other;
}

/** Upper bounds of the source pixels under one target pixel, in x and y. */
interface LargestFootprint {
  readonly cols: number;
  readonly rows: number;
}

/** The max size of the footprints of a warp: bounded by the window, and by the slope of the patches. */
export function largestFootprint(grid: ApproximateGrid, window: Size): LargestFootprint {
  let [cols, rows] = [1, 1];
  for (let i = 0; i < grid.cellCount; i++) {
    const sizePx = grid.cells[3 * i + 2]!;
    cols = Math.max(cols, steepness(grid.patches, i * PATCH_LENGTH) / sizePx);
    rows = Math.max(rows, steepness(grid.patches, i * PATCH_LENGTH + 9) / sizePx);
  }
  // Two more: a footprint begins and ends within pixels.
  return {
    cols: Math.min(window.width, Math.ceil(cols) + 2),
    rows: Math.min(window.height, Math.ceil(rows) + 2),
  };
}

/** The max change between opposite corners of the cell: the sum of all slopes where they are steepest. */
function steepness(patches: Float64Array, offset: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) sum += (i + j) * Math.abs(patches[offset + 3 * i + j]!);
  }
  return sum;
}

/** Bytes of an entry of the table in kernels/mode.ts. */
const ENTRY_BYTES = 16;

/** Bytes of work memory a method needs for its footprints. */
export function workBytes({ work }: Resampler, { cols, rows }: LargestFootprint): number {
  if (work === 'none') return 0;
  // Slightly more: kernels/gather.ts and kernels/quantile.ts write whole groups of four.
  if (work === 'values') return 4 * (cols * rows + 4);
  // As in kernels/mode.ts: the power of two above twice the values.
  return ENTRY_BYTES * 2 ** (33 - Math.clz32(cols * rows));
}

/** The fixed memory of a warp: positions and weights of a row, its job, and gaps before multiples of 16 bytes. */
const FIXED_BYTES = 13_200;

/**
 * Memory of a warp in addition to its pixels: the grid, here and in the kernels' memory, weights, and its work memory.
 */
function warpWorkBytes(grid: ApproximateGrid, resampler: Resampler, window: Size): number {
  const gridBytes = grid.cells.byteLength + grid.patches.byteLength + grid.ratios.byteLength;
  const footprint = resampler.isArea ? largestFootprint(grid, window) : { cols: 0, rows: 0 };
  let widestPx = 1;
  for (let i = 0; i < grid.cellCount; i++) {
    const support = kernelSupport(resampler, grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    widestPx = Math.max(widestPx, ...support);
  }
  const weightBytes = 8 * (2 * Math.ceil(widestPx) + footprint.cols + footprint.rows);
  return FIXED_BYTES + 2 * gridBytes + weightBytes + workBytes(resampler, footprint);
}

/** What the planner and the warper need to know about a resampling method. */
export interface Resampler {
  readonly kernel: WarpKernel;
  /** How far the kernel reaches from a position, in source pixels, when not downsampling. */
  readonly radiusPx: number;
  /** Whether it reaches farther when downsampling, to include every source pixel under a target pixel. */
  readonly isWidened: boolean;
  /** Whether it uses the source pixels under the whole target pixel instead of those around its centre. */
  readonly isArea: boolean;
  /** What it stores of the source pixels under a target pixel: nothing, their values, or how often each occurs. */
  readonly work: 'none' | 'values' | 'counts';
}

const point = (kernel: WarpKernel): Resampler => ({
  kernel,
  radiusPx: 0,
  isWidened: false,
  isArea: false,
  work: 'none',
});
const convolution = (kernel: WarpKernel, radiusPx: number): Resampler => ({
  kernel,
  radiusPx,
  isWidened: true,
  isArea: false,
  work: 'none',
});
const area = (kernel: WarpKernel, work: Resampler['work'] = 'none'): Resampler => ({
  kernel,
  radiusPx: 0,
  isWidened: false,
  isArea: true,
  work,
});

/** The methods, by their GDAL names. Another one is a line here and a file in `kernels/`. */
export const resamplers = {
  near: point('near'),
  bilinear: convolution('bilinear', 1),
  cubic: convolution('cubic', 2),
  cubicspline: convolution('cubicspline', 2),
  lanczos: convolution('lanczos', 3),
  average: area('average'),
  mode: area('mode', 'counts'),
  max: area('max'),
  min: area('min'),
  med: area('med', 'values'),
  q1: area('q1', 'values'),
  q3: area('q3', 'values'),
} as const satisfies Readonly<Record<string, Resampler>>;

/** Name of a resampling method. */
export type ResampleMethod = keyof typeof resamplers;

/** From GDAL: the kernel is not widened as long as target pixels are at most this many source pixels wide. */
const WIDEN_FROM = 1 / 0.95;
/**
 * Widths are rounded to this fraction of a pixel. The true ratio changes smoothly over a scene; rounding makes it
 * constant over most tiles, so that neighbours are filtered alike, and keeps 2:1 and 3:1 exact.
 */
const STEPS_PER_PX = 64;

/** Half the width of the kernel in source pixels, x and y, where a target pixel spans this many source pixels. */
export function kernelSupport(
  resampler: Resampler,
  ratioX: number,
  ratioY: number,
): readonly [x: number, y: number] {
  if (!resampler.isWidened || (ratioX <= WIDEN_FROM && ratioY <= WIDEN_FROM)) {
    return [resampler.radiusPx, resampler.radiusPx];
  }
  const widen = (ratio: number): number =>
    (resampler.radiusPx * Math.max(STEPS_PER_PX, Math.round(ratio * STEPS_PER_PX))) / STEPS_PER_PX;
  return [widen(ratioX), widen(ratioY)];
}
